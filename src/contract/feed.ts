import { Type } from "typebox";
import type { FormatFacts } from "./format-facts.js";

/** The formats of feeds. */
export const feedFormats = {
  atom: {
    mediaType: "application/atom+xml",
    parameters: "; charset=utf-8",
    schema: Type.String({ title: "AtomFeed", description: "RFC 4287" }),
  },
  jsonfeed: {
    mediaType: "application/feed+json",
    parameters: "; charset=utf-8",
    schema: Type.Object(
      {
        version: Type.Literal("https://jsonfeed.org/version/1.1", { description: "JSON Feed 1.1" }),
        items: Type.Array(Type.Object({ id: Type.String({ description: "Id of the entry; never changes" }) }), {
          description: "The entries",
        }),
      },
      { title: "JsonFeed", description: "A feed as JSON" },
    ),
  },
} as const satisfies Readonly<Record<string, FormatFacts>>;

export type FeedFormat = keyof typeof feedFormats;

// The cast is safe, because the keys of `feedFormats` are its formats. The result type of `Object.keys` is `string[]`.
export const feedFormatNames = Object.keys(feedFormats) as FeedFormat[];

/** A feed without its entries. */
export interface FeedHead {
  /** A URI that never changes, such as `urn:vigil:watch:wch_…`. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Time of the feed's newest change, epoch ms. */
  readonly updatedAt: number;
  /** True if the data comes from the built-in simulator. */
  readonly isSimulated: boolean;
}

/** A feed of entries, newest first. */
export interface Feed extends FeedHead {
  readonly entries: readonly FeedEntry[];
}

export interface FeedEntry {
  /** A URI that never changes. */
  readonly id: string;
  readonly title: string;
  /** Plain text of several lines. */
  readonly text: string;
  /**
   * The address of the entry's subject: path and query on this service, or an absolute `http` or `https` address. A
   * link of another form is left out of the feed.
   */
  readonly link: string | undefined;
  /** Epoch ms. */
  readonly at: number;
}
