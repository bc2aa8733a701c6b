import type { ViewOf } from "../../../../contract/dataset.js";
import type { ReadSetting } from "../../../../contract/setting.js";
import type { newsFeeds } from "../../../news/datasets/news-feeds.js";
import { feedPublishers } from "../../../news/products/feed-publishers.js";

type FeedsView = ViewOf<typeof newsFeeds>;

/** A publisher of the collected feeds. */
export interface KnownPublisher {
  readonly publisher: string;
  readonly family: string;
  readonly isAuthority: boolean;
}

/** Minimum share of a feed's entries that link to the publisher's own host. */
const OWN_RATIO = 0.5;

/**
 * Returns the publishers of the collected feeds, by the host that at least half of a feed's entries link to. A host
 * shared by several families, such as the host of a news search, is assigned to none of them.
 */
export function knownPublishers(
  { entries }: Pick<FeedsView, "entries">,
  settingOf: ReadSetting,
): ReadonlyMap<string, KnownPublisher> {
  const byHost = new Map<string, KnownPublisher | undefined>();
  const publishers = feedPublishers(settingOf);
  for (const [feed, own] of entries) {
    const publisher = publishers.get(feed);
    if (!publisher) continue;
    const entry = {
      publisher: publisher.publisher,
      family: publisher.family,
      isAuthority: publisher.tier <= 2 && publisher.risk !== "high",
    };
    const counts = new Map<string, number>();
    for (const { link } of own) {
      const host = hostOf(link);
      counts.set(host, (counts.get(host) ?? 0) + 1);
    }
    for (const [host, count] of counts) {
      if (host === "" || count < OWN_RATIO * own.length) continue;
      const earlier = byHost.get(host);
      if (!byHost.has(host) || (earlier?.family === entry.family && !entry.isAuthority)) byHost.set(host, entry);
      else if (earlier?.family !== entry.family) byHost.set(host, undefined);
    }
  }
  return new Map([...byHost].flatMap(([host, publisher]) => (publisher ? [[host, publisher]] : [])));
}

/** Returns the host of a link, without a leading `www.`. */
export function hostOf(link: string): string {
  return URL.canParse(link) ? new URL(link).hostname.replace(/^www\./, "") : "";
}
