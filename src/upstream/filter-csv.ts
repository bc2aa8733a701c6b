import type { CsvFilter } from "../contract/format.js";
import { SourceFailure } from "../contract/source.js";
import { decodeCsv } from "./decode-csv.js";

const [QUOTE, NEWLINE] = [0x22, 0x0a];

/**
 * Returns the header line of a CSV body and the records whose cell in one column is byte-wise equal to or greater than
 * a text. Works on bytes, because a table of several hundred megabytes would not fit into memory as text. Throws
 * `SourceFailure` "changed" without that column and "empty" without any record.
 */
export function csvRecordsFrom(csv: Buffer, { column, from }: CsvFilter, delimiter = ","): Buffer {
  const records = recordsOf(csv, delimiter.charCodeAt(0));
  const { value: header } = records.next(0);
  if (!header) throw new SourceFailure("empty", "the CSV has no header line; expected a table");
  const { header: names } = decodeCsv(csv.toString("utf8", 0, header.end).replace(/^\ufeff/, ""), delimiter);
  const wanted = names.indexOf(column);
  if (wanted < 0) throw new SourceFailure("changed", `the CSV lacks the column ${column}; expected it`);
  const ranges: { start: number; end: number }[] = [{ start: 0, end: header.end }];
  let count = 0;
  for (let next = records.next(wanted); next.value; next = records.next(wanted)) {
    const { start, end, cellStart, cellEnd } = next.value;
    const cell = csv.toString("latin1", cellStart, cellEnd).replaceAll('"', "").trim();
    count += 1;
    if (cell < from) continue;
    const last = ranges.at(-1);
    if (last?.end === start) last.end = end;
    else ranges.push({ start, end });
  }
  if (count === 0) throw new SourceFailure("empty", "the CSV has no record; expected some");
  return Buffer.concat(ranges.map(({ start, end }) => csv.subarray(start, end)));
}

interface ByteRecord {
  readonly start: number;
  /** Index after the line break that ends the record. */
  readonly end: number;
  /** The bytes of the requested cell; empty if the record is too short. */
  readonly cellStart: number;
  readonly cellEnd: number;
}

/** Yields each record, without blank lines. The caller chooses the cell before each record. */
function* recordsOf(csv: Buffer, delimiter: number): Generator<ByteRecord, undefined, number> {
  let start = 0;
  let wanted = 0;
  while (start < csv.length) {
    let [cell, cellStart, wantedStart, wantedEnd] = [0, start, start, start];
    let isQuoted = false;
    let at = start;
    for (; at < csv.length; at += 1) {
      const byte = csv[at];
      if (isQuoted) {
        if (byte !== QUOTE) continue;
        // A doubled quote is an escaped quote and does not end the cell.
        if (csv[at + 1] === QUOTE) at += 1;
        else isQuoted = false;
      } else if (byte === QUOTE && at === cellStart) isQuoted = true;
      else if (byte === delimiter || byte === NEWLINE) {
        if (cell === wanted) [wantedStart, wantedEnd] = [cellStart, at];
        if (byte === NEWLINE) break;
        cell += 1;
        cellStart = at + 1;
      }
    }
    if (at >= csv.length && cell === wanted) [wantedStart, wantedEnd] = [cellStart, csv.length];
    const end = Math.min(at + 1, csv.length);
    const isBlank = end - start <= 2 && csv.toString("latin1", start, end).trim() === "";
    if (!isBlank) wanted = yield { start, end, cellStart: wantedStart, cellEnd: wantedEnd };
    start = end;
  }
}
