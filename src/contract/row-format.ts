import { Type } from "typebox";
import type { FormatFacts } from "./format-facts.js";
import type { AnyOperation } from "./operation.js";
import { Pagination } from "./paging.js";

/** The row formats. They contain only the rows of a list. */
export const rowFormats = {
  csv: {
    mediaType: "text/csv",
    parameters: "; charset=utf-8; header=present",
    schema: Type.String({
      title: "CsvRows",
      description:
        "RFC 4180 with a header line: one column for each member of a row, `a.b` for nested ones, arrays as JSON; texts that a spreadsheet would take for formulas begin with `'`",
    }),
  },
  ndjson: {
    mediaType: "application/x-ndjson",
    parameters: "",
    schema: Type.String({ title: "NdjsonRows", description: "One row as JSON on each line" }),
  },
  geojson: {
    mediaType: "application/geo+json",
    parameters: "",
    schema: Type.Object(
      {
        type: Type.Literal("FeatureCollection", { description: "RFC 7946" }),
        pagination: Type.Optional(Pagination),
        features: Type.Array(
          Type.Object({
            type: Type.Literal("Feature", { description: "A row" }),
            id: Type.Optional(Type.String({ description: "Identity of the row; absent with `jmespath`" })),
            geometry: Type.Union(
              [
                Type.Object({
                  type: Type.Literal("Point", { description: "A position" }),
                  coordinates: Type.Array(Type.Number(), { description: "Longitude, latitude" }),
                }),
                Type.Null(),
              ],
              { description: "`null` if the position is unknown" },
            ),
            properties: Type.Unknown({ description: "The row as in JSON" }),
          }),
          { description: "The rows in the order of the list" },
        ),
      },
      { title: "RowFeatures", description: "The rows as GeoJSON" },
    ),
  },
} as const satisfies Readonly<Record<string, FormatFacts>>;

export type RowFormat = keyof typeof rowFormats;
// The cast is safe, because the keys of `rowFormats` are its formats. The result type of `Object.keys` is `string[]`.
const rowFormatNames = Object.keys(rowFormats) as RowFormat[];

/**
 * Returns the row formats of an operation. An operation without a list has none, and only rows with coordinates have
 * GeoJSON.
 */
export function formatsOfRows({ list }: AnyOperation): readonly RowFormat[] {
  if (list === undefined) return [];
  return list.location === undefined ? rowFormatNames.filter((name) => name !== "geojson") : rowFormatNames;
}
