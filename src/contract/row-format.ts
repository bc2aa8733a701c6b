import { type TSchema, Type } from "typebox";
import type { AnyOperation } from "./operation.js";
import { Pagination } from "./paging.js";
import { type QueryField, quoted, single } from "./query-field.js";

interface RowFormatFacts {
  readonly mediaType: string;
  /** What `Content-Type` adds to the media type. */
  readonly parameters: string;
  /** For the documents. */
  readonly schema: TSchema;
}

/** The formats of answers besides JSON. They have the rows of a list alone. */
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
          { description: "The rows in their order" },
        ),
      },
      { title: "RowFeatures", description: "The rows as GeoJSON" },
    ),
  },
} as const satisfies Readonly<Record<string, RowFormatFacts>>;

export type RowFormat = keyof typeof rowFormats;
export type AnswerFormat = "json" | RowFormat;

/** Every format, in the order of preference among those that a caller weighs the same. */
export const answerFormats: readonly AnswerFormat[] = ["json", ...(Object.keys(rowFormats) as RowFormat[])];

/** `format`: an additional parameter of lists, for links and for clients that cannot send `Accept`. */
export const formatField: QueryField<AnswerFormat | undefined> = {
  schema: Type.Enum([...answerFormats]),
  description:
    "Format of the answer; takes precedence over `Accept`. Other formats than `json` have the rows alone, see docs/formats.md",
  required: false,
  decode: single<AnswerFormat | undefined>(undefined, (text) => {
    const value = answerFormats.find((name) => name === text);
    return value === undefined
      ? { violation: `must be one of ${answerFormats.join(", ")}, got ${quoted(text)}` }
      : { value };
  }),
  // The format is a part of the key of an answer. Cursors are the same in every format.
  canonical: () => undefined,
};

// The type of Object.keys loses the names.
const rowFormatNames = Object.keys(rowFormats) as RowFormat[];

/** The formats of the rows of an operation; none without a list, and GeoJSON for rows with coordinates alone. */
export function formatsOfRows({ list }: AnyOperation): readonly RowFormat[] {
  if (list === undefined) return [];
  return list.location === undefined ? rowFormatNames.filter((name) => name !== "geojson") : rowFormatNames;
}

/** The reason why an operation answers only as JSON; undefined if it takes `format`. */
export function lacksRows({ list }: AnyOperation): string | undefined {
  return list === undefined ? "must be json here: the answer is not a list of rows" : undefined;
}
