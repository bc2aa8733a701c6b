/** One entry of a feed as it is kept between builds: plain text, canonical link. */
export interface FeedEntry {
  readonly kind: "entry";
  /** Id of the feed in the catalogue. */
  readonly feed: string;
  readonly title: string;
  /** Canonical address, http(s) only. */
  readonly link: string;
  /** Epoch ms; undefined where the feed gives no date that can be read, or one more than an hour ahead. */
  readonly publishedAt?: number;
  /** At most 400 characters. */
  readonly snippet: string;
}

/** How the newest reading of a feed went; its entries may still be those of an earlier one. */
export interface FeedReading {
  readonly kind: "feed";
  readonly feed: string;
  /** `timeout`: not read within the build's time, begun or not; `failed`: refused, broken or no feed at all. */
  readonly state: "ok" | "empty" | "timeout" | "failed";
  /** Why it failed or timed out, in words. */
  readonly error?: string;
  /** When its entries were read, epoch ms; undefined when never. */
  readonly readAt?: number;
  readonly entries: number;
  readonly undated: number;
}
