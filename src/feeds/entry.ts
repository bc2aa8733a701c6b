/** An entry of any dialect: candidates in order of preference, as they were written. */
export interface Entry {
  readonly title: string;
  readonly id: string;
  readonly links: readonly string[];
  readonly dates: readonly string[];
  /** Cut out of the document when it is wanted: most are long, and some readers want few of them. */
  readonly summary: () => string;
  readonly images: readonly string[];
  /** What its relative addresses are relative to. */
  readonly base: string | undefined;
}

/** What a document of any dialect holds. */
export interface Entries {
  readonly kind: "rss" | "rdf" | "atom" | "json";
  readonly title: string;
  readonly language: string;
  /** At most as many as were asked for. */
  readonly entries: readonly Entry[];
  readonly entriesTotal: number;
}

export interface EntriesOptions {
  /** Address of the feed. */
  readonly base: string | undefined;
  readonly entriesMax: number;
}

/** A text that is no feed, or not all of one. The message says what was found and what was expected. */
export class FeedUnreadable extends Error {
  override readonly name = "FeedUnreadable";
}

export const EXPECTED = "expected RSS, RDF, Atom or JSON Feed";

export function isGiven(text: string): boolean {
  return text !== "";
}

/** The first that is not empty, else "". */
export function firstGiven(texts: readonly string[]): string {
  return texts.find(isGiven) ?? "";
}
