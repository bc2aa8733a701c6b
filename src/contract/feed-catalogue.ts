import type { ReadSetting } from "./setting.js";

/** A publisher's feed that a service reads. */
export interface PublishedFeed {
  readonly id: string;
  readonly url: string;
  readonly publisher: string;
  /** ISO 639-1 code. */
  readonly language: string;
  /** Categories that its entries are filed under. */
  readonly categories: readonly string[];
}

/** An option of `vigil doctor --feeds` that keeps only the feeds with a value. */
export interface FeedFilter<Feed extends PublishedFeed = PublishedFeed> {
  /** Long name of the option. */
  readonly option: string;
  readonly placeholder: string;
  /** The kept feeds, as the end of "of the feeds, …". */
  readonly description: string;
  valuesOf(feed: Feed): readonly string[];
}

/** The feeds of a service. The demo simulates their publishers, and `vigil doctor --feeds` asks each of them once. */
export interface FeedCatalogue<Feed extends PublishedFeed = PublishedFeed> {
  /** Every feed, the operator's changes included, in the order of the catalogue. */
  feeds(setting: ReadSetting): Promise<readonly Feed[]>;
  readonly filters: readonly FeedFilter<Feed>[];
  /** Name of the setting with the operator's changes. */
  readonly setting: string;
  /** The value of that setting that leaves the dead feeds out and keeps the operator's other changes, as JSON. */
  withoutDead(dead: ReadonlySet<string>, current: string | undefined): Promise<string>;
}
