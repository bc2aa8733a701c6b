import type { TSchema } from "typebox";

/** What the documents and the headers say about a format of answers. */
export interface FormatFacts {
  readonly mediaType: string;
  /** What `Content-Type` adds to the media type. */
  readonly parameters: string;
  /** For the documents. */
  readonly schema: TSchema;
}
