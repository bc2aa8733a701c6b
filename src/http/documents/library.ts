import { readFile } from "node:fs/promises";
import { posix } from "node:path";
import { type DocumentFile, documentFile, documentPrograms, documentTopics, GUIDE } from "./document-list.js";
import { type RenderedMarkdown, renderedMarkdown } from "./markdown.js";

/** A page with its text. */
export interface Document extends DocumentFile {
  readonly title: string;
  /** Markdown, as in the repository. */
  readonly text: string;
}

/** A topic of the navigation, with its pages. */
export interface Topic {
  readonly title: string;
  readonly documents: readonly Document[];
}

/** All served pages. */
export interface Library {
  readonly topics: readonly Topic[];
  /** All pages by name, including the index. */
  readonly documents: ReadonlyMap<string, Document>;
}

/**
 * Reads all pages into memory (less than a megabyte), because the navigation on each page shows the titles of all
 * pages.
 */
export async function readLibrary(): Promise<Library> {
  const topics = await Promise.all(
    documentTopics().map(async ({ title, documents }) => ({
      title,
      documents: await Promise.all(documents.map(readDocument)),
    })),
  );
  const guide = await readDocument(documentFile(GUIDE));
  const all = [guide, ...topics.flatMap(({ documents }) => documents)];
  return { topics, documents: new Map(all.map((document) => [document.name, document])) };
}

async function readDocument(file: DocumentFile): Promise<Document> {
  const text = await readFile(file.file, "utf8");
  return { ...file, text, title: /^# (.+)$/m.exec(text)?.[1] ?? file.name };
}

/** Renders a page with links to the other served pages. */
export function renderedDocument({ name, text }: Document, library: Library): RenderedMarkdown {
  return renderedMarkdown(text, (href) => servedAddress(href, name, library));
}

/**
 * Resolves a link of a page. External addresses and fragments stay as they are, and a served file gets its path on this
 * service. Undefined for a repository file that is not served.
 */
function servedAddress(href: string, from: string, { documents }: Library): string | undefined {
  if (/^(?:https?:|#)/.test(href)) return href;
  const [relative = "", fragment] = href.split("#");
  const target = posix.join(posix.dirname(from), relative);
  const suffix = fragment === undefined ? "" : `#${fragment}`;
  const document = target.endsWith(".md") ? documents.get(target.slice(0, -".md".length)) : undefined;
  if (document) return `${document.path}${suffix}`;
  if (target === "openapi.json") return "/openapi.json";
  return documentPrograms().includes(target) ? `/docs/${target}` : undefined;
}
