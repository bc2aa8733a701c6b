/** The forms of a feed: Atom (RFC 4287) and JSON Feed 1.1. */
export const feedFormats = ["atom", "json"] as const;
export type FeedFormat = (typeof feedFormats)[number];

/** A feed of entries, newest first. */
export interface Feed {
  /** A URI that never changes, such as `urn:vigil:watch:wch_…`. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Epoch ms of its newest change. */
  readonly updatedAt: number;
  /** True if the data comes from the built-in simulator. */
  readonly isSimulated: boolean;
  readonly entries: readonly FeedEntry[];
}

export interface FeedEntry {
  /** A URI that never changes. */
  readonly id: string;
  readonly title: string;
  /** Plain text of several lines. */
  readonly text: string;
  /** What the entry is about: path and query on this service, or an `http` address elsewhere. Any other text is left out. */
  readonly link: string | undefined;
  /** Epoch ms. */
  readonly at: number;
}
