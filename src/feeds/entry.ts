/**
 * An entry in any feed format. Each list contains the candidates for one value, as the publisher wrote them, in order
 * of preference.
 */
export interface Entry {
  readonly title: string;
  readonly id: string;
  readonly links: readonly string[];
  readonly dates: readonly string[];
  /** Extracted on demand, because most summaries are long and some callers need only a few of them. */
  readonly summary: () => string;
  readonly images: readonly string[];
  /** Base URL for relative URLs in the entry. */
  readonly base: string | undefined;
}

/** The content of a document in any feed format. */
export interface Entries {
  readonly kind: "rss" | "rdf" | "atom" | "json";
  readonly title: string;
  readonly language: string;
  /** The entries, at most as many as requested. */
  readonly entries: readonly Entry[];
  readonly entriesTotal: number;
}

export interface EntriesOptions {
  /** Address of the feed. */
  readonly base: string | undefined;
  readonly entriesMax: number;
}

/**
 * Thrown for a text that is not a complete feed, or that declares entities or is nested too deeply. The message states
 * what was found and what was expected.
 */
export class FeedUnreadable extends Error {
  override readonly name = "FeedUnreadable";
}

export const EXPECTED = "expected RSS, RDF, Atom or JSON Feed";

export function isNotEmpty(text: string): boolean {
  return text !== "";
}

/** The first non-empty string; "" if there is none. */
export function firstNotEmpty(texts: readonly string[]): string {
  return texts.find(isNotEmpty) ?? "";
}
