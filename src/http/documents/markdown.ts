import { Marked, type Token, type Tokens } from "marked";
import { escaped } from "../../kit/escaped-html.js";

/** A heading of a page with the id that links point to. */
export interface Heading {
  readonly depth: number;
  readonly text: string;
  readonly id: string;
}

/** A heading with the text up to the next heading, without markup. */
export interface Section extends Heading {
  readonly content: string;
}

/** A page in HTML. */
export interface RenderedMarkdown {
  readonly html: string;
  readonly headings: readonly Heading[];
}

/** Resolves the address of a link; undefined for a target that is not served. */
export type LinkTarget = (href: string) => string | undefined;

/** Renders one of our pages. Links without a target become text. */
export function renderedMarkdown(text: string, targetOf: LinkTarget): RenderedMarkdown {
  const headings: Heading[] = [];
  const idFor = uniqueIds();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        const plain = plainText(tokens);
        const id = idFor(plain);
        headings.push({ depth, text: plain, id });
        const content = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1 id="${id}">${content}</h1>\n`;
        const anchor = `<a class="anchor" href="#${id}" aria-label="Link to ${escaped(plain)}">#</a>`;
        return `<h${depth} id="${id}">${content} ${anchor}</h${depth}>\n`;
      },
      link({ href, raw, tokens }: Tokens.Link): string {
        const label = this.parser.parseInline(tokens);
        // An address in plain text, for example in sample output, is not a link.
        const target = raw.startsWith("[") ? targetOf(href) : undefined;
        return target === undefined ? label : `<a href="${escaped(target)}">${label}</a>`;
      },
      code: ({ text: code }: Tokens.Code): string => `<pre tabindex="0"><code>${escaped(code)}</code></pre>\n`,
      table(token: Tokens.Table): string {
        const row = (cells: readonly Tokens.TableCell[], tag: "th" | "td"): string =>
          `<tr>${cells.map((cell) => tableCell(cell, tag, this.parser.parseInline(cell.tokens))).join("")}</tr>\n`;
        const body = token.rows.map((cells) => row(cells, "td")).join("");
        return `<div class="table" tabindex="0"><table><thead>${row(token.header, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
      },
      html: ({ text: markup }: Tokens.HTML | Tokens.Tag): string => servedMarkup(markup),
    },
  });
  return { html: marked.parse(text, { async: false }), headings };
}

/** Matches the markup of collapsible sections, and comments. */
const MARKUP = /<!--[^<>]*-->|<details>|<summary>[^<>&]*<\/summary>|<\/details>/g;

/** Keeps collapsible sections, removes comments, and shows all other markup as text. */
function servedMarkup(markup: string): string {
  const kept = [...markup.matchAll(MARKUP)].map(([tag]) => (tag.startsWith("<!--") ? "" : tag));
  const other = markup.split(MARKUP).map(escaped);
  return other.map((text, index) => `${text}${kept[index] ?? ""}`).join("");
}

/**
 * Renders a table cell. A class sets the alignment, because the content policy forbids style attributes. An empty cell
 * of the header row is rendered as an ordinary cell.
 */
function tableCell({ align, header }: Tokens.TableCell, tag: "th" | "td", content: string): string {
  const kind = header && content === "" ? "td" : tag;
  return `<${kind}${align === "right" ? ' class="right"' : ""}>${content}</${kind}>`;
}

/**
 * The sections of a page in order, for the search. Collapsed sections are left out, because they only repeat the
 * example above them in other programming languages.
 */
export function sectionsOf(text: string): readonly Section[] {
  const idFor = uniqueIds();
  const sections: { depth: number; text: string; id: string; parts: string[] }[] = [];
  let isFolded = false;
  for (const token of new Marked({ gfm: true }).lexer(text)) {
    if (token.type === "html") {
      const { text: markup } = token as Tokens.HTML;
      isFolded = markup.includes("<details>") || (isFolded && !markup.includes("</details>"));
    } else if (token.type === "heading") {
      const { depth, tokens } = token as Tokens.Heading;
      const plain = plainText(tokens);
      sections.push({ depth, text: plain, id: idFor(plain), parts: [] });
    } else if (!isFolded) {
      sections.at(-1)?.parts.push(plainText([token]));
    }
  }
  return sections.map(({ parts, ...heading }) => ({ ...heading, content: parts.filter(Boolean).join(" ") }));
}

/** The first paragraph of a page, without markup. */
export function firstParagraph(text: string): string {
  const paragraph = new Marked({ gfm: true }).lexer(text).find(({ type }) => type === "paragraph");
  return paragraph ? plainText([paragraph]).replaceAll("\n", " ") : "";
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === "table") {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows].map((cells) => cells.map(({ tokens: cell }) => plainText(cell)).join(" ")).join(" ");
      }
      if (token.type === "list") return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(" ");
      if (token.type === "space" || token.type === "html") return "";
      if ("tokens" in token && token.tokens) return plainText(token.tokens);
      return "text" in token ? String(token.text) : "";
    })
    .join("");
}

/** Returns the ids that GitHub gives to headings, so that links work in the repository and on the service. */
function uniqueIds(): (heading: string) => string {
  const uses = new Map<string, number>();
  return (heading) => {
    const id = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(/\s/g, "-");
    const count = uses.get(id) ?? 0;
    uses.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
}
