import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { ownFile } from "../../kit/own-file.js";
import type { Answer } from "../exchange.js";

/** The folder into which the build puts the console. */
const FOLDER = "../dist/web/";
const PAGE = ownFile(`${FOLDER}index.html`);

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

/**
 * The content policy lets the console load files only from this service, and forbids inline code. Sources are shown as
 * links, never as images, so that other hosts do not learn what the user reads.
 */
const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-cache",
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
};

/** The paths of the console's pages; empty if the console is not built. */
export function consolePaths(): readonly string[] {
  if (!existsSync(PAGE)) return [];
  const pages = JSON.parse(readFileSync(ownFile(`${FOLDER}pages.json`), "utf8")) as readonly {
    readonly path: string;
  }[];
  return pages.map(({ path }) => path);
}

/** The paths of the files that the page loads. The file names in `assets` contain the hash of the content. */
export function consoleAssets(): readonly string[] {
  if (!existsSync(PAGE)) return [];
  return ["/icon.svg", ...readdirSync(ownFile(`${FOLDER}assets/`)).map((name) => `/assets/${name}`)];
}

export async function consolePage(simulated: boolean): Promise<Answer> {
  const html = await readFile(PAGE, "utf8");
  const body = html.replace('data-simulated="unknown"', `data-simulated="${simulated}"`);
  return { status: 200, headers: PAGE_HEADERS, body };
}

export async function consoleAsset(path: string): Promise<Answer> {
  const contentType = CONTENT_TYPES[extname(path)];
  if (contentType === undefined) throw new Error(`the content type of ${path} is unknown`);
  const isHashed = path.startsWith("/assets/");
  const caching = isHashed ? "public, max-age=31536000, immutable" : "no-cache";
  const body = await readFile(ownFile(`${FOLDER}${path.slice(1)}`));
  return { status: 200, headers: { "Content-Type": contentType, "Cache-Control": caching }, body };
}
