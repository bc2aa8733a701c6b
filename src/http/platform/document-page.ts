import { readFile } from "node:fs/promises";
import { Marked, type Tokens } from "marked";
import { escaped } from "../../kit/escaped-html.js";
import { ownFile } from "../../kit/own-file.js";
import type { Answer } from "../exchange.js";
import { page } from "./page.js";

/** Documents that are served as pages, by path. */
export const documentPages = {
  "/docs/versioning": { file: "versioning.md", summary: "The versioning policy" },
  "/docs/settings": { file: "settings.md", summary: "The settings" },
  "/docs/access": { file: "access.md", summary: "Accounts and limits" },
  "/docs/datasets": { file: "datasets.md", summary: "The datasets" },
} as const;
export type DocumentPath = keyof typeof documentPages;

/** Path of the versioning policy, which deprecated operations link to. */
export const POLICY_PATH: DocumentPath = "/docs/versioning";

/** The folder of the documents. */
const FOLDER = ownFile("../docs/");

/** Reads a document at its first request and keeps its page. */
export function documentPage(path: DocumentPath, simulated: boolean): () => Promise<Answer> {
  let rendering: Promise<Answer> | undefined;
  return () => {
    rendering ??= rendered(path, simulated).catch((error: unknown) => {
      // The next caller tries again.
      rendering = undefined;
      throw error;
    });
    return rendering;
  };
}

async function rendered(path: DocumentPath, simulated: boolean): Promise<Answer> {
  const text = await readFile(new URL(documentPages[path].file, FOLDER), "utf8");
  const title = /^# (.+)$/m.exec(text)?.[1] ?? documentPages[path].summary;
  return page({ path, title: `${title} · Vigil`, main: markdown.parse(text, { async: false }), simulated });
}

const markdown = new Marked({
  gfm: true,
  renderer: {
    heading({ tokens, depth, text }: Tokens.Heading): string {
      return `<h${depth} id="${slug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }: Tokens.Link): string {
      const label = this.parser.parseInline(tokens);
      const target = servedAddress(href);
      return target === undefined ? label : `<a href="${escaped(target)}">${label}</a>`;
    },
    table(token: Tokens.Table): string {
      const row = (cells: readonly Tokens.TableCell[], name: "th" | "td"): string =>
        `<tr>${cells.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name}>`).join("")}</tr>\n`;
      const body = token.rows.map((cells) => row(cells, "td")).join("");
      return `<div class="table"><table><thead>${row(token.header, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
    },
    // Our documents contain no HTML, so markup in them is treated as text.
    html: ({ text }: Tokens.HTML | Tokens.Tag): string => escaped(text),
  },
});

function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** Resolves a link to an address of this service; undefined for a repository file that is not served. */
function servedAddress(href: string): string | undefined {
  if (/^(?:https?:|#|\/)/.test(href)) return href;
  const [file = "", fragment] = href.split("#");
  const served = Object.entries(documentPages).find(([, document]) => document.file === file.replace(/^\.\//, ""));
  return served && `${served[0]}${fragment === undefined ? "" : `#${fragment}`}`;
}
