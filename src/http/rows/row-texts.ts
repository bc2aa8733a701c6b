import type { RowLocation } from "../../contract/row-list.js";
import { memberOf } from "../../kit/member-of.js";
import { rowText } from "../json-body.js";
import { csvCell } from "./csv-cell.js";
import { type Column, valueIn } from "./csv-columns.js";

/** The header line of a table (RFC 4180); empty if there are no columns. */
export function csvHeader(columns: readonly Column[]): string {
  return columns.length > 0 ? line(columns.map(({ name }) => csvCell(name))) : "";
}

/** A row as a line of a table. */
export function csvLine(row: unknown, columns: readonly Column[]): string {
  return line(columns.map((column) => csvCell(valueIn(row, column))));
}

/** A line of a table. Parsers skip an empty line, so a line whose only cell is empty is a pair of quotes. */
function line(cells: readonly string[]): string {
  const text = cells.join(",");
  return `${text === "" ? '""' : text}\r\n`;
}

/** The JSON of a row: the same text as in a JSON answer. */
export function jsonText(row: unknown): string {
  return typeof row === "object" && row !== null ? rowText(row) : JSON.stringify(row);
}

/** The text before and after the features of a collection (RFC 7946) that also has these members. */
export function collectionEnds(members: Readonly<Record<string, unknown>>): {
  readonly head: string;
  readonly tail: string;
} {
  const head = JSON.stringify({ type: "FeatureCollection", ...members }).slice(0, -1);
  return { head: `${head},"features":[`, tail: "]}" };
}

/** A row as a point feature, whose properties are the members of the row. */
export function featureText(row: unknown, id: string | undefined, location: RowLocation): string {
  const about = JSON.stringify({ type: "Feature", id, geometry: pointOf(row, location) }).slice(0, -1);
  return `${about},"properties":${jsonText(row)}}`;
}

/** The position of a row; null unless both coordinates are numbers. */
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
