import type { Feed } from "../feeds/read-feed.js";

/** The format of an answer's bytes, and what its reader may rely on. */
export type Format =
  | { readonly kind: "json" }
  /** `root`: the only accepted local name of the document element; `lists`: elements that are arrays even when alone. */
  | { readonly kind: "xml"; readonly root: string; readonly lists: readonly string[] }
  /** A header row, or `columns` for a table without one, names the columns; cells are trimmed text. */
  | {
      readonly kind: "csv";
      readonly columns?: readonly string[];
      readonly delimiter?: string;
      /** The table is the one file of a zip archive, of at most so many bytes when it is unpacked. */
      readonly unzippedBytesMax?: number;
    }
  /** Lines of cells separated by white space; lines that start with `comment` and blank lines are dropped. */
  | { readonly kind: "columns"; readonly comment: string }
  /** Lines of cells separated by tabs, as they stand and without a header; `zipped`: as the one file of a zip archive. */
  | { readonly kind: "tsv"; readonly zipped?: true }
  /** RSS, RDF, Atom or JSON Feed; with `summariesMax` only so many items have their summary, the newest. */
  | { readonly kind: "feed"; readonly summariesMax?: number }
  | { readonly kind: "text" };

/** The records whose cell of a column sorts at or after a text, byte for byte: `year` from `2025`. */
export interface CsvFilter {
  readonly column: string;
  readonly from: string;
}

/** An XML element: attributes as `@name`, text as `#text` beside other members, or plain text alone; prefixes dropped. */
export type XmlNode = string | { readonly [name: string]: XmlNode | readonly XmlNode[] };

export interface CsvTable {
  readonly header: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** The decoded form of each format. */
export type DocumentOf<F extends Format> = F extends { kind: "json" }
  ? unknown
  : F extends { kind: "xml" }
    ? { readonly [name: string]: XmlNode | readonly XmlNode[] }
    : F extends { kind: "csv" }
      ? CsvTable
      : F extends { kind: "columns" | "tsv" }
        ? readonly (readonly string[])[]
        : F extends { kind: "feed" }
          ? Feed
          : string;
