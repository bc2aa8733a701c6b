import type { Config } from "../app/config.js";
import { feedCatalogue } from "../services/news/catalogue/feed-catalogue.js";
import type { Feed } from "../services/news/catalogue/feed-row.js";
import type { Services } from "../services/registry.js";
import type { SimulatorOptions } from "../simulator/simulator.js";

/** Name of the setting with which an operator changes the catalogue; a service that reads the feeds declares it. */
export const FEEDS_SETTING = "VIGIL_FEEDS";

/** The feeds of this installation: our own, with what its operator changes. */
export function newsCatalogue({ settings }: Services, { given }: Pick<Config, "given">): readonly Feed[] {
  const setting = settings.find(({ name }) => name === FEEDS_SETTING);
  if (setting === undefined) return feedCatalogue;
  // Whatever declares the setting reads it into the catalogue.
  return setting.read(given[FEEDS_SETTING] ?? setting.default) as readonly Feed[];
}

/** What a simulator is told of the feeds whose publishers it plays. */
export function simulatedFeeds(feeds: readonly Feed[]): NonNullable<SimulatorOptions["newsFeeds"]> {
  return feeds.map(({ url, publisher, language = "en", placements }) => ({
    ...{ url, publisher, language },
    categories: [...new Set(placements.map(({ category }) => category))],
  }));
}
