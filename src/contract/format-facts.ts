import type { TSchema } from "typebox";

/** Facts about a format of answers, for documents and headers. */
export interface FormatFacts {
  readonly mediaType: string;
  /** Parameters of `Content-Type` after the media type. */
  readonly parameters: string;
  /** For the documents. */
  readonly schema: TSchema;
}
