import { visitSteps } from "../../kit/list-steps.js";
import type { ClockPace, Steps } from "../../kit/loop-turns.js";
import { BodyChunks } from "../body-chunks.js";
import { rowText } from "../json-body.js";
import { csvCell } from "./csv-cell.js";
import { type Column, valueIn } from "./csv-columns.js";

/** Called with the bytes so far, or fewer; throws if they are too many. */
type OnBytes = (bytes: number) => void;

/** Writes rows as a table (RFC 4180) with a header line, in slices of the event loop. */
export function* csvSteps(
  rows: readonly unknown[],
  columns: readonly Column[],
  pace: ClockPace,
  onBytes: OnBytes,
): Steps<Buffer> {
  const body = new BodyChunks();
  if (columns.length > 0) body.add(line(columns.map(({ name }) => csvCell(name))));
  yield* visitSteps(rows, pace, (row) => {
    body.add(line(columns.map((column) => csvCell(valueIn(row, column)))));
    onBytes(body.bytesMin);
  });
  return body.joined();
}

/** A line of a table. Parsers skip an empty line, so the only cell of a line is never empty. */
function line(cells: readonly string[]): string {
  const text = cells.join(",");
  return `${text === "" ? '""' : text}\r\n`;
}

/** Writes rows as one line of JSON each, in slices of the event loop. */
export function* ndjsonSteps(rows: readonly unknown[], pace: ClockPace, onBytes: OnBytes): Steps<Buffer> {
  const body = new BodyChunks();
  yield* visitSteps(rows, pace, (row) => {
    body.add(`${jsonText(row)}\n`);
    onBytes(body.bytesMin);
  });
  return body.joined();
}

/** The JSON of a row; the same text as in an answer in JSON. */
export function jsonText(row: unknown): string {
  return typeof row === "object" && row !== null ? rowText(row) : JSON.stringify(row);
}
