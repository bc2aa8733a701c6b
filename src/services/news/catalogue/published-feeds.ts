import type { FeedCatalogue, PublishedFeed } from "../../../contract/feed-catalogue.js";
import type { Feed } from "./feed-row.js";

/** A feed of the catalogue, with only the facts that the simulator and `vigil doctor` use. */
export interface PublishedNewsFeed extends PublishedFeed {
  /** Digest variants that contain the feed. */
  readonly variants: readonly string[];
}

export function publishedFeed({ id, url, publisher, language = "en", placements }: Feed): PublishedNewsFeed {
  const categories = [...new Set(placements.map(({ category }) => category))];
  const variants = [...new Set(placements.map(({ variant }) => variant))];
  return { id, url, publisher, language, categories, variants };
}

/** The catalogue of news feeds, loaded on first use. */
export const publishedFeeds: FeedCatalogue<PublishedNewsFeed> = {
  setting: "VIGIL_FEEDS",
  filters: [
    {
      option: "lang",
      placeholder: "language",
      description: "those in this language",
      valuesOf: ({ language }) => [language],
    },
    {
      option: "variant",
      placeholder: "variant",
      description: "those of this variant of the digest",
      valuesOf: ({ variants }) => variants,
    },
  ],
  async feeds(setting) {
    const { feedsSetting } = await import("./feeds-setting.js");
    return setting(feedsSetting).map(publishedFeed);
  },
  async withoutDead(dead, current) {
    const { overridesWithout, parseFeedOverrides } = await import("./feed-overrides.js");
    const overrides = current === undefined ? {} : parseFeedOverrides(JSON.parse(current));
    return JSON.stringify(overridesWithout(dead, overrides));
  },
};
