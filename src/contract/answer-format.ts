import { Type } from "typebox";
import { type FeedFormat, feedFormatNames, feedFormats } from "./feed.js";
import type { FormatFacts } from "./format-facts.js";
import type { AnyOperation } from "./operation.js";
import { type QueryField, quoted, single } from "./query-field.js";
import { formatsOfRows, type RowFormat, rowFormats } from "./row-format.js";

/** An answer format other than JSON. */
export type FurtherFormat = RowFormat | FeedFormat;
export type AnswerFormat = "json" | FurtherFormat;

export const furtherFormats: Readonly<Record<FurtherFormat, FormatFacts>> = {
  ...rowFormats,
  ...feedFormats,
};

/** The `Content-Type` of a format other than JSON. */
export function contentTypeOf(format: FurtherFormat): string {
  const { mediaType, parameters } = furtherFormats[format];
  return mediaType + parameters;
}

/** Every format. If a caller gives several formats the same weight, the first of them in this order is chosen. */
export const answerFormats: readonly AnswerFormat[] = [
  "json",
  // The cast is safe, because the keys of `furtherFormats` are its formats. The result type of `Object.keys` is
  // `string[]`.
  ...(Object.keys(furtherFormats) as FurtherFormat[]),
];

/** `format`: an additional parameter of lists and feeds, for links and for clients that cannot send `Accept`. */
export const formatField: QueryField<AnswerFormat | undefined> = {
  schema: Type.Enum([...answerFormats]),
  description:
    "Format of the answer; takes precedence over `Accept`. A format of rows, such as CSV or Atom, contains only the rows; see docs/formats.md",
  required: false,
  decode: single<AnswerFormat | undefined>(undefined, (text) => {
    const value = answerFormats.find((name) => name === text);
    return value === undefined
      ? { violation: `must be one of ${answerFormats.join(", ")}, got ${quoted(text)}` }
      : { value };
  }),
  // Not part of the canonical query, because a cursor is valid in every format. Cache keys add the format themselves.
  canonical: () => undefined,
};

/**
 * Returns the formats, other than JSON, in which an operation can answer. An operation without a list has none. Only an
 * operation whose rows are feed entries has feed formats.
 */
export function furtherFormatsOf(operation: AnyOperation): readonly FurtherFormat[] {
  const rows = formatsOfRows(operation);
  return operation.list?.feed === undefined ? rows : [...rows, ...feedFormatNames];
}

/** True for a format of feeds. */
export function isFeedFormat(format: AnswerFormat): format is FeedFormat {
  return Object.hasOwn(feedFormats, format);
}

/** The reason why an operation answers only as JSON; undefined if it takes `format`. */
export function lacksFormats({ list }: AnyOperation): string | undefined {
  return list === undefined ? "must be json here: the answer is not a list of rows" : undefined;
}
