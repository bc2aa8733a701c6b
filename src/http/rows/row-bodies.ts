import type { RowLocation } from "../../contract/row-list.js";
import { visitSteps } from "../../kit/list-steps.js";
import type { ClockPace, Steps } from "../../kit/loop-turns.js";
import { BodyChunks } from "../body-chunks.js";
import type { Column } from "./csv-columns.js";
import { collectionEnds, csvHeader, csvLine, featureText, jsonText } from "./row-texts.js";

/** Receives a lower bound of the number of bytes written so far, and throws if the body is too large. */
type OnBytes = (bytes: number) => void;

/** Writes rows as a table (RFC 4180) with a header line. Works in slices, so that the event loop is not blocked. */
export function* csvSteps(
  rows: readonly unknown[],
  columns: readonly Column[],
  pace: ClockPace,
  onBytes: OnBytes,
): Steps<Buffer> {
  const body = new BodyChunks();
  body.add(csvHeader(columns));
  yield* visitSteps(rows, pace, (row) => {
    body.add(csvLine(row, columns));
    onBytes(body.bytesMin);
  });
  return body.joined();
}

/** Writes each row as one line of JSON. Works in slices, so that the event loop is not blocked. */
export function* ndjsonSteps(rows: readonly unknown[], pace: ClockPace, onBytes: OnBytes): Steps<Buffer> {
  const body = new BodyChunks();
  yield* visitSteps(rows, pace, (row) => {
    body.add(`${jsonText(row)}\n`);
    onBytes(body.bytesMin);
  });
  return body.joined();
}

/** The data from which a feature collection is built, in addition to the rows. */
interface Features {
  /** The id of the row at an index; undefined if rows have none. */
  idAt(index: number): string | undefined;
  readonly location: RowLocation;
  /** Members of the collection other than `type` and `features`. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** Writes rows as a collection of points (RFC 7946). Works in slices, so that the event loop is not blocked. */
export function* geojsonSteps(
  rows: readonly unknown[],
  { idAt, location, members }: Features,
  pace: ClockPace,
  onBytes: OnBytes,
): Steps<Buffer> {
  const body = new BodyChunks();
  const { head, tail } = collectionEnds(members);
  body.add(head);
  yield* visitSteps(rows.entries(), pace, ([index, row]) => {
    body.add(`${index === 0 ? "" : ","}${featureText(row, idAt(index), location)}`);
    onBytes(body.bytesMin);
  });
  body.add(tail);
  return body.joined();
}
