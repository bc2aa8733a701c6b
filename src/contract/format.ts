import type { Feed } from "../feeds/read-feed.js";

/** The format of a response, with its decoding options. */
export type Format =
  | { readonly kind: "json" }
  /** `root`: the required local name of the document element; `lists`: elements that are always decoded as arrays. */
  | { readonly kind: "xml"; readonly root: string; readonly lists: readonly string[] }
  /** For large XML documents: the elements named in `each` are read one after another, not all at once. */
  | {
      readonly kind: "xml elements";
      readonly root: string;
      readonly each: readonly string[];
      readonly lists: readonly string[];
    }
  /** Cells are trimmed text. The header row names the columns. If the table has no header row, `columns` names them. */
  | {
      readonly kind: "csv";
      readonly columns?: readonly string[];
      readonly delimiter?: string;
      /** Set if the table is the only file of a zip archive: the maximum number of bytes that it may unpack to. */
      readonly unzippedBytesMax?: number;
    }
  /** Lines of cells separated by white space; lines that start with `comment` and blank lines are dropped. */
  | { readonly kind: "columns"; readonly comment: string }
  /**
   * Lines of untrimmed cells separated by tabs, without a header. `zipped`: the table is the only file of a zip
   * archive.
   */
  | { readonly kind: "tsv"; readonly zipped?: true }
  /** RSS, RDF, Atom or JSON Feed. If `summariesMax` is set, only that many of the newest items keep their summary. */
  | { readonly kind: "feed"; readonly summariesMax?: number }
  | { readonly kind: "text" };

/**
 * Selects the records whose cell in `column` does not sort before `from` if both are compared byte by byte. For
 * example, it selects the records whose `year` is at least `2025`.
 */
export interface CsvFilter {
  readonly column: string;
  readonly from: string;
}

/**
 * An XML element: attributes as `@name`, text as `#text` beside other members; a plain string if it has only text.
 * Prefixes are dropped.
 */
export type XmlNode = string | { readonly [name: string]: XmlNode | readonly XmlNode[] };

/** An element of a document that is read one element at a time. */
export interface XmlElement {
  readonly name: string;
  readonly node: XmlNode;
}

/** A document that is read while its elements are iterated over. A second iteration is not possible. */
export interface XmlElements {
  /** Attributes of the document element, as `@name`. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The elements in the order in which they end. Throws `SourceFailure` "changed" where the document is damaged. */
  readonly elements: Iterable<XmlElement>;
}

export interface CsvTable {
  readonly header: readonly string[];
  /** The rows may be decoded while the caller iterates over them. Each iteration starts at the first row. */
  readonly rows: Iterable<Readonly<Record<string, string>>>;
}

/** The decoded form of each format. */
export type DocumentOf<F extends Format> = F extends { kind: "json" }
  ? unknown
  : F extends { kind: "xml" }
    ? { readonly [name: string]: XmlNode | readonly XmlNode[] }
    : F extends { kind: "xml elements" }
      ? XmlElements
      : F extends { kind: "csv" }
        ? CsvTable
        : F extends { kind: "columns" | "tsv" }
          ? readonly (readonly string[])[]
          : F extends { kind: "feed" }
            ? Feed
            : string;
