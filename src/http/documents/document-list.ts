import { readdirSync, readFileSync } from "node:fs";
import { ownFile } from "../../kit/own-file.js";

/** A page of `docs/` that is served. */
export interface DocumentFile {
  /** Path in `docs/` without the suffix, such as `formats` or `operations/climate`. */
  readonly name: string;
  /** Path on the service. */
  readonly path: string;
  readonly file: URL;
}

/** A group of pages in the navigation. */
export interface DocumentTopic {
  readonly title: string;
  readonly documents: readonly DocumentFile[];
}

/** A row of `docs/topics.json`: a list of pages in the order of display, or all pages of a folder. */
type TopicRow = { readonly title: string } & ({ readonly pages: readonly string[] } | { readonly folder: string });

/** Name of the index page, which is in no topic. */
export const GUIDE = "guide";

const FOLDER = ownFile("../docs/");

/** The topics of `docs/topics.json` with the pages that exist. Pages without a topic come last, under `More`. */
export function documentTopics(): readonly DocumentTopic[] {
  const rows: readonly TopicRow[] = JSON.parse(readFileSync(new URL("topics.json", FOLDER), "utf8"));
  const existing = pagesIn("");
  const topics = rows.map((row) => ({
    title: row.title,
    names: "folder" in row ? pagesIn(`${row.folder}/`) : row.pages.filter((name) => existing.includes(name)),
  }));
  const placed = new Set([GUIDE, ...topics.flatMap(({ names }) => names)]);
  const others = { title: "More", names: existing.filter((name) => !placed.has(name)) };
  return [...topics, others]
    .filter(({ names }) => names.length > 0)
    .map(({ title, names }) => ({ title, documents: names.map(documentFile) }));
}

/** The page with this name. */
export function documentFile(name: string): DocumentFile {
  return { name, path: `/docs/${name}`, file: new URL(`${name}.md`, FOLDER) };
}

/** The file names of the programs that pages link to. */
export function documentPrograms(): readonly string[] {
  return readdirSync(FOLDER).filter((file) => file.endsWith(".py"));
}

/** The address of a file in `docs/`. */
export function fileOfDocuments(name: string): URL {
  return new URL(name, FOLDER);
}

function pagesIn(folder: string): readonly string[] {
  return readdirSync(new URL(folder, FOLDER))
    .filter((file) => file.endsWith(".md"))
    .toSorted()
    .map((file) => `${folder}${file.slice(0, -".md".length)}`);
}
