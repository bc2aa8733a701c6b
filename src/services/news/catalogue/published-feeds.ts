import type { FeedCatalogue, PublishedFeed } from "../../../contract/feed-catalogue.js";
import type { Feed } from "./feed-row.js";

/** A feed of the catalogue as the simulator and the doctor see it. */
export interface PublishedNewsFeed extends PublishedFeed {
  /** Variants of the digest that it stands in. */
  readonly variants: readonly string[];
}

export function publishedFeed({ id, url, publisher, language = "en", placements }: Feed): PublishedNewsFeed {
  const categories = [...new Set(placements.map(({ category }) => category))];
  const variants = [...new Set(placements.map(({ variant }) => variant))];
  return { id, url, publisher, language, categories, variants };
}

/** The catalogue of news feeds, loaded when it is first asked for. */
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
