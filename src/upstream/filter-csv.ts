import type { CsvFilter } from "../contract/format.js";
import { SourceFailure } from "../contract/source.js";
import { decodeCsv } from "./decode-csv.js";

const [QUOTE, NEWLINE] = [0x22, 0x0a];
/**
 * Maximum record size of a table that arrives in pieces. Without this limit, the filter would buffer the rest of the
 * table after a quote that is never closed.
 */
const RECORD_BYTES_MAX = 4 * 1024 * 1024;

/** Selects records of a CSV table that arrives in pieces. */
export interface CsvRecordFilter {
  push(piece: Buffer): void;
  /**
   * Returns the header line and then the selected records, in pieces that end with a whole record. Throws
   * `SourceFailure` "empty" if the table has no records.
   */
  end(): SelectedCsv;
}

export interface SelectedCsv {
  readonly header: Buffer;
  readonly pieces: readonly Buffer[];
}

/** Minimum size of a piece of selected records, except for the last. */
const PIECE_BYTES_MIN = 256 * 1024;

/**
 * Returns the header line of a CSV body and the records whose cell in one column is equal to or greater than a given
 * string, compared byte by byte. Throws `SourceFailure` "changed" if that column is missing and "empty" if there are no
 * records.
 */
export function csvRecordsFrom(csv: Buffer, filter: CsvFilter, delimiter = ","): Buffer {
  const records = csvRecordFilter(filter, delimiter);
  records.push(csv);
  const { header, pieces } = records.end();
  return Buffer.concat([header, ...pieces]);
}

/**
 * Creates the filter of `csvRecordsFrom` for a body that arrives in pieces. Works on bytes, because a table of several
 * hundred megabytes would not fit into memory as text.
 */
export function csvRecordFilter({ column, from }: CsvFilter, delimiter = ","): CsvRecordFilter {
  const delimiterByte = delimiter.charCodeAt(0);
  let header: Buffer | undefined;
  const pieces: Buffer[] = [];
  /** The groups of consecutive records that the next piece will contain, and their total size. */
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let count = 0;
  /** Index of the column, once the header line has been read. */
  let columnIndex: number | undefined;
  /** The received bytes from the beginning of the current record. */
  let rest = Buffer.alloc(0);
  let [at, cell, cellStart, valueStart, valueEnd] = [0, 0, 0, 0, 0];
  let isQuoted = false;

  function keep(records: Buffer): void {
    // A copy, so that the body that contains the records can be freed.
    kept.push(Buffer.from(records));
    keptBytes += records.length;
    if (keptBytes >= PIECE_BYTES_MIN) endPiece();
  }

  function endPiece(): void {
    if (kept.length > 0) pieces.push(Buffer.concat(kept));
    kept = [];
    keptBytes = 0;
  }

  /** Tests whether a record is selected. The first record is the header. */
  function isKept(csv: Buffer, start: number, end: number): boolean {
    if (end - start <= 2 && csv.toString("latin1", start, end).trim() === "") return false;
    if (columnIndex === undefined) {
      const { header: names } = decodeCsv(csv.toString("utf8", start, end).replace(/^\ufeff/, ""), delimiter);
      columnIndex = names.indexOf(column);
      if (columnIndex < 0) throw new SourceFailure("changed", `the CSV lacks the column ${column}; expected it`);
      header = Buffer.from(csv.subarray(start, end));
      return false;
    }
    count += 1;
    return csv.toString("latin1", valueStart, valueEnd).replaceAll('"', "").trim() >= from;
  }

  function scan(csv: Buffer, isLast: boolean): void {
    let start = 0;
    /** Start and end of the latest group of consecutive records to keep. */
    let [keptStart, keptEnd] = [0, 0];
    const endRecord = (end: number): void => {
      if (isKept(csv, start, end)) {
        if (keptEnd !== start) {
          if (keptEnd > keptStart) keep(csv.subarray(keptStart, keptEnd));
          keptStart = start;
        }
        keptEnd = end;
      }
      start = end;
      [cell, cellStart, valueStart, valueEnd] = [0, end, end, end];
      isQuoted = false;
    };
    for (; at < csv.length; at += 1) {
      const byte = csv[at];
      if (isQuoted) {
        if (byte !== QUOTE) continue;
        // The next piece shows whether the quote is doubled.
        if (at + 1 === csv.length && !isLast) break;
        // A doubled quote is an escaped quote and does not end the cell.
        if (csv[at + 1] === QUOTE) at += 1;
        else isQuoted = false;
      } else if (byte === QUOTE && at === cellStart) isQuoted = true;
      else if (byte === delimiterByte || byte === NEWLINE) {
        if (cell === columnIndex) [valueStart, valueEnd] = [cellStart, at];
        if (byte === NEWLINE) endRecord(at + 1);
        else {
          cell += 1;
          cellStart = at + 1;
        }
      }
    }
    if (isLast && start < csv.length) {
      if (cell === columnIndex) [valueStart, valueEnd] = [cellStart, csv.length];
      endRecord(csv.length);
    }
    if (keptEnd > keptStart) keep(csv.subarray(keptStart, keptEnd));
    // A copy, so that the piece can be freed.
    rest = Buffer.from(csv.subarray(start));
    at -= start;
    cellStart -= start;
    valueStart -= start;
    valueEnd -= start;
  }

  return {
    push(piece) {
      scan(rest.length === 0 ? piece : Buffer.concat([rest, piece]), false);
      if (rest.length <= RECORD_BYTES_MAX) return;
      throw new SourceFailure(
        "changed",
        `a record of the CSV has more than ${RECORD_BYTES_MAX} bytes; expected shorter records`,
      );
    },
    end() {
      scan(rest, true);
      if (header === undefined) throw new SourceFailure("empty", "the CSV has no header line; expected a table");
      if (count === 0) throw new SourceFailure("empty", "the CSV has no record; expected some");
      endPiece();
      return { header, pieces };
    },
  };
}
