import type { RowLocation } from "../../contract/row-list.js";
import { visitSteps } from "../../kit/list-steps.js";
import type { ClockPace, Steps } from "../../kit/loop-turns.js";
import { memberOf } from "../../kit/member-of.js";
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

/** What a collection of features has besides its rows. */
interface Features {
  /** The id of the row at an index; undefined if rows have none. */
  idAt(index: number): string | undefined;
  readonly location: RowLocation;
  /** Further members of the collection. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** Writes rows as a collection of points (RFC 7946), in slices of the event loop. */
export function* geojsonSteps(
  rows: readonly unknown[],
  { idAt, location, members }: Features,
  pace: ClockPace,
  onBytes: OnBytes,
): Steps<Buffer> {
  const body = new BodyChunks();
  const head = JSON.stringify({ type: "FeatureCollection", ...members }).slice(0, -1);
  body.add(`${head},"features":[`);
  yield* visitSteps(rows.entries(), pace, ([index, row]) => {
    const about = JSON.stringify({ type: "Feature", id: idAt(index), geometry: pointOf(row, location) }).slice(0, -1);
    body.add(`${index === 0 ? "" : ","}${about},"properties":${jsonText(row)}}`);
    onBytes(body.bytesMin);
  });
  body.add("]}");
  return body.joined();
}

/** The place of a row; null if it is unknown, or no place at all. */
function pointOf(row: unknown, location: RowLocation): object | null {
  const isMember = typeof location === "string";
  const [latitude, longitude] = isMember ? ["latitude", "longitude"] : location;
  const place = isMember ? memberIn(row, location) : row;
  const [north, east] = [memberIn(place, latitude), memberIn(place, longitude)];
  return typeof north === "number" && typeof east === "number" ? { type: "Point", coordinates: [east, north] } : null;
}

function memberIn(value: unknown, name: string): unknown {
  const isObject = typeof value === "object" && value !== null;
  return isObject ? memberOf(value as Readonly<Record<string, unknown>>, name) : undefined;
}

/** The JSON of a row; the same text as in an answer in JSON. */
function jsonText(row: unknown): string {
  return typeof row === "object" && row !== null ? rowText(row) : JSON.stringify(row);
}
