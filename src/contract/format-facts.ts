import type { TSchema } from "typebox";

/** Facts about a format of answers, for the OpenAPI document and for headers. */
export interface FormatFacts {
  readonly mediaType: string;
  /** Parameters of `Content-Type` after the media type. */
  readonly parameters: string;
  /** Schema of an answer in this format, for the OpenAPI document. */
  readonly schema: TSchema;
}
