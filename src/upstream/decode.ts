import type { CsvFilter, CsvTable, DocumentOf, Format } from "../contract/format.js";
import { SourceFailure } from "../contract/source.js";
import { decodeColumns } from "./decode-columns.js";
import { decodeCsv } from "./decode-csv.js";
import { decodeFeed } from "./decode-feed.js";
import { decodeJson } from "./decode-json.js";
import { decodeTsv } from "./decode-tsv.js";
import { decodeXml, xmlElements } from "./decode-xml.js";
import { csvRecordFilter, csvRecordsFrom, type SelectedCsv } from "./filter-csv.js";
import { textOf, textPieces } from "./text.js";
import { unzip, unzippedPieces } from "./unzip.js";

/**
 * Decodes a body to a document of the format (`DocumentOf`). XML is decoded to the members of its document element.
 * Throws `SourceFailure` "empty" for a body without content, and "changed" for a body that is not a complete document
 * of the format. An HTML page is accepted only if the format is text.
 */
export function decode<F extends Format>(body: Body, format: F, from: Origin = {}): DocumentOf<F> {
  // The casts are needed, because the compiler does not narrow `F` by the kind of the format.
  if (body instanceof SelectedRecords) {
    return selectedTable(body, format.kind === "csv" ? format.delimiter : undefined) as DocumentOf<F>;
  }
  if (format.kind === "xml elements") {
    return xmlElements(checkedPieces(body, format, from), format) as DocumentOf<F>;
  }
  const text = body.byteLength === 0 ? "" : textIn(body, format, from);
  if (text.trim() === "") throw emptyBody(format);
  if (format.kind !== "text") refuseHtml(text, format);
  if ((format.kind === "csv" || format.kind === "columns" || format.kind === "tsv") && MARKUP.test(text)) {
    throw new SourceFailure("changed", `the body is XML or HTML; expected ${nameOf(format)}`);
  }
  return read(text, format, from.url) as DocumentOf<F>;
}

/** The text of a body in pieces, without leading white space. Throws as `decode` does. */
function* checkedPieces(body: Buffer, format: Format, { contentType }: Origin): Generator<string, void> {
  let isStart = true;
  for (const piece of textPieces(body, contentType)) {
    const text = isStart ? piece.trimStart() : piece;
    if (text === "") continue;
    if (isStart) refuseHtml(text, format);
    isStart = false;
    yield text;
  }
  if (isStart) throw emptyBody(format);
}

/** A body, or the records that were selected from it while it was unpacked. */
export type Body = Buffer | SelectedRecords;

/** The header line and the selected records of a table in a zip archive. */
export class SelectedRecords {
  readonly header: Buffer;
  /** Each piece ends with a whole record. */
  readonly pieces: readonly Buffer[];

  constructor({ header, pieces }: SelectedCsv) {
    this.header = header;
    this.pieces = pieces;
  }
}

/** Decodes each piece when its rows are read, so that the rows are never all in memory. */
function selectedTable({ header, pieces }: SelectedRecords, delimiter: string | undefined): CsvTable {
  const { header: names } = decodeCsv(textOf(header), delimiter);
  return {
    header: names,
    rows: {
      *[Symbol.iterator]() {
        for (const piece of pieces) yield* decodeCsv(textOf(piece), delimiter, names).rows;
      },
    },
  };
}

/**
 * If only some records of a table in a zip archive are wanted, unpacks the table piece by piece and selects these
 * records, so that the whole table is never in memory. Returns any other body unchanged. Throws as `decode` does.
 */
export async function selectRecords(bytes: Buffer, format: Format, where: CsvFilter | undefined): Promise<Body> {
  if (format.kind !== "csv" || format.unzippedBytesMax === undefined || where === undefined) return bytes;
  if (bytes.byteLength === 0) return bytes;
  const records = csvRecordFilter(where, format.delimiter);
  for await (const piece of unzippedPieces(bytes, format.unzippedBytesMax)) records.push(piece);
  return new SelectedRecords(records.end());
}

/**
 * Decodes the text of a body, which is unpacked first if necessary. The charset of the content type is not used for
 * packed files, because it does not concern their content.
 */
function textIn(bytes: Buffer, format: Format, { contentType, where }: Origin): string {
  if (format.kind === "tsv" && format.zipped === true) return textOf(unzip(bytes), undefined);
  if (format.kind !== "csv") return textOf(bytes, contentType);
  const { unzippedBytesMax, delimiter } = format;
  const table = unzippedBytesMax === undefined ? bytes : unzip(bytes, unzippedBytesMax);
  const kept = where === undefined ? table : csvRecordsFrom(table, where, delimiter);
  return textOf(kept, unzippedBytesMax === undefined ? contentType : undefined);
}

/** Metadata of a body. */
export interface Origin {
  readonly contentType?: string | undefined;
  /** Address of the body. Relative links are resolved against it. */
  readonly url?: string;
  /** The filter for the records of a CSV table. */
  readonly where?: CsvFilter;
}

function read(
  text: string,
  format: Exclude<Format, { kind: "xml elements" }>,
  url: string | undefined,
): DocumentOf<Format> {
  switch (format.kind) {
    case "json":
      return decodeJson(text);
    case "xml":
      return decodeXml(text, format);
    case "csv":
      return decodeCsv(text, format.delimiter, format.columns);
    case "columns":
      return decodeColumns(text, format.comment);
    case "tsv":
      return decodeTsv(text);
    case "feed":
      return decodeFeed(text, url, format.summariesMax);
    case "text":
      return text;
  }
}

function nameOf(format: Format): string {
  switch (format.kind) {
    case "json":
      return "JSON";
    case "xml":
    case "xml elements":
      return `XML with the document element ${format.root}`;
    case "csv":
      return "CSV";
    case "columns":
      return "lines of columns";
    case "tsv":
      return "lines of cells separated by tabs";
    case "feed":
      return "an RSS, Atom or JSON feed";
    case "text":
      return "text";
  }
}

/** The start of an HTML page: declarations and comments, then an element with which only HTML pages begin. */
const START =
  /^\s*(?:<\?xml[^>]*>\s*|<!--(?:(?!-->)[\s\S]){0,2000}-->\s*){0,5}<(?:!doctype\s+html|html|head|body|title|script|meta)\b/i;

/**
 * The start of an XML or HTML document, such as the error document of an object store or gateway. Without this check,
 * such a document would be read as a table with one column.
 */
const MARKUP = /^\s*<[a-z!?]/i;

function refuseHtml(text: string, format: Format): void {
  if (!START.test(text.slice(0, 16_384))) return;
  throw new SourceFailure("changed", `the body is an HTML page; expected ${nameOf(format)}`);
}

function emptyBody(format: Format): SourceFailure {
  return new SourceFailure("empty", `the body is empty; expected ${nameOf(format)}`);
}
