import { type Static, Type } from "typebox";
import { epochMs } from "../../../contract/field.js";

export const AviationNewsItem = Type.Object(
  {
    id: Type.String({
      description: "Hash of the canonical link; unique and stable",
    }),
    title: Type.String({ description: "Headline" }),
    url: Type.String({ description: "Address of the article" }),
    sourceName: Type.String({ description: "Name of the publisher" }),
    publishedAt: epochMs("Date given by the publisher"),
    snippet: Type.Optional(
      Type.String({
        description: "The publisher's teaser, at most 200 characters; absent without a teaser",
      }),
    ),
    matchedEntities: Type.Array(Type.String(), {
      description: "Requested entities found in title or teaser, upper case",
    }),
    imageUrl: Type.Optional(Type.String({ description: "Picture of the article; absent if the feed has none" })),
  },
  { title: "AviationNewsItem" },
);
export type AviationNewsItem = Static<typeof AviationNewsItem>;

/** A stored headline. */
export interface AviationHeadline {
  readonly title: string;
  readonly url: string;
  readonly sourceName: string;
  readonly publishedAt: number;
  /** The teaser of the feed. It is searched for entities and never served in full. */
  readonly teaser: string;
  readonly imageUrl?: string;
}
