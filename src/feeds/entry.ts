/** An entry of any dialect: candidates in order of preference, as written. */
export interface Entry {
  readonly title: string;
  readonly id: string;
  readonly links: readonly string[];
  readonly dates: readonly string[];
  /** Extracted on demand: most summaries are long, and some readers need few of them. */
  readonly summary: () => string;
  readonly images: readonly string[];
  /** Base address for its relative addresses. */
  readonly base: string | undefined;
}

/** The content of a document of any dialect. */
export interface Entries {
  readonly kind: "rss" | "rdf" | "atom" | "json";
  readonly title: string;
  readonly language: string;
  /** At most the requested number. */
  readonly entries: readonly Entry[];
  readonly entriesTotal: number;
}

export interface EntriesOptions {
  /** Address of the feed. */
  readonly base: string | undefined;
  readonly entriesMax: number;
}

/** A text that is not a complete feed. The message names what was found and what was expected. */
export class FeedUnreadable extends Error {
  override readonly name = "FeedUnreadable";
}

export const EXPECTED = "expected RSS, RDF, Atom or JSON Feed";

export function isNotEmpty(text: string): boolean {
  return text !== "";
}

/** The first text that is not empty, else "". */
export function firstNotEmpty(texts: readonly string[]): string {
  return texts.find(isNotEmpty) ?? "";
}
