import type { ReadSetting } from "./setting.js";

/** A publisher's feed that a service reads. */
export interface PublishedFeed {
  readonly id: string;
  readonly url: string;
  readonly publisher: string;
  /** ISO 639-1 code. */
  readonly language: string;
  /** The categories of its entries. */
  readonly categories: readonly string[];
}

/** An option of `vigil doctor --feeds` that selects feeds by a value. */
export interface FeedFilter<Feed extends PublishedFeed = PublishedFeed> {
  /** Long name of the option. */
  readonly option: string;
  readonly placeholder: string;
  /** The selected feeds, as the end of the phrase "only …", for example "those in this language". */
  readonly description: string;
  valuesOf(feed: Feed): readonly string[];
}

/** The feeds of a service. The demo simulates their publishers; `vigil doctor --feeds` requests each of them once. */
export interface FeedCatalogue<Feed extends PublishedFeed = PublishedFeed> {
  /** All feeds in catalogue order, with the operator's changes applied. */
  feeds(setting: ReadSetting): Promise<readonly Feed[]>;
  readonly filters: readonly FeedFilter<Feed>[];
  /** Name of the setting with the operator's changes. */
  readonly setting: string;
  /** Returns a value of the setting, as JSON, that removes the dead feeds and keeps the operator's other changes. */
  withoutDead(dead: ReadonlySet<string>, current: string | undefined): Promise<string>;
}
