import MiniSearch, { type SearchOptions, type SearchResult } from "minisearch";
import type { Library } from "./library.js";
import { sectionsOf } from "./markdown.js";

/** A section of a page that matches a query. */
export interface Hit {
  readonly path: string;
  readonly title: string;
  /** Heading of the section; empty for the beginning of a page. */
  readonly heading: string;
  readonly content: string;
  /** The words of the section that match, in lower case. */
  readonly words: readonly string[];
}

/** Maximum length of a query; the rest of a longer query is ignored. */
export const QUERY_CHARACTERS_MAX = 100;
const QUERY_WORDS_MAX = 8;
const HITS_MAX = 20;
/** Number of sections to index before other work gets a turn on the event loop. */
const SECTIONS_PER_TURN = 4;

interface Entry extends Omit<Hit, "words"> {
  readonly id: number;
}

const options: SearchOptions = {
  boost: { title: 3, heading: 4 },
  prefix: (word) => word.length >= 3,
  fuzzy: (word) => (word.length >= 5 ? 0.2 : false),
  maxFuzzy: 2,
  boostDocument: (_id, _word, stored) => boostOf(String(stored?.["path"])),
  weights: { prefix: 0.5, fuzzy: 0.2 },
};

function boostOf(path: string): number {
  // Matches in the generated sections of operations count less, because these repeat the same words many times.
  if (path.startsWith("/docs/operations/")) return 0.5;
  // The first section of the page of settings lists most settings and is very long. Matches in long sections get lower
  // scores, and the higher weight compensates for this. Paths of the other sections have a fragment and do not match.
  return path === "/docs/settings" ? 2 : 1;
}

/** Searches all pages except the index page. Returns the sections that match a query, best first. */
export interface SearchIndex {
  search(query: string): readonly Hit[];
}

/** Indexes the sections of all pages, except the index page, in many small steps. */
export async function searchIndex({ topics }: Library): Promise<SearchIndex> {
  const index = new MiniSearch<Entry>({
    fields: ["title", "heading", "content"],
    storeFields: ["path", "title", "heading", "content"],
  });
  let id = 0;
  for (const { path, title, text } of topics.flatMap(({ documents }) => documents)) {
    const entries = sectionsOf(text).map((section): Entry => {
      id += 1;
      const { depth, text: heading, id: anchor, content } = section;
      return {
        id,
        path: depth === 1 ? path : `${path}#${anchor}`,
        title,
        heading: depth === 1 ? "" : heading,
        content,
      };
    });
    await index.addAllAsync(entries, { chunkSize: SECTIONS_PER_TURN });
  }
  return {
    search(query) {
      const words = query
        .slice(0, QUERY_CHARACTERS_MAX)
        .split(/\s+/)
        .filter(Boolean)
        .slice(0, QUERY_WORDS_MAX)
        .join(" ");
      const all = index.search(words, { ...options, combineWith: "AND" });
      const results = all.length > 0 ? all : index.search(words, options);
      return results.slice(0, HITS_MAX).map(hitOf);
    },
  };
}

function hitOf({ terms, path, title, heading, content }: SearchResult): Hit {
  return { path, title, heading, content, words: terms };
}
