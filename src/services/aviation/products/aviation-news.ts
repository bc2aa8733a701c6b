import { listOf, type ProductRecords, product } from "../../../contract/product.js";
import { HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import { mapValues } from "../../../kit/map-values.js";
import { newsFeeds } from "../../news/datasets/news-feeds.js";
import { feedStatus } from "../../news/products/feed-status.js";
import type { AviationHeadline } from "../records/news-records.js";
import { contentAges } from "../rules/content-ages.js";

/** A date further ahead than this is ignored as a mistake. */
const AHEAD_MS_MAX = HOUR_MS;
/** Most headlines of one publisher. */
const HEADLINES_MAX = 30;

/** The collected feed of each publisher and the name that its headlines show, by the name of its part. */
const publishers = {
  flightGlobal: { feed: "flightglobal", name: "FlightGlobal" },
  simpleFlying: { feed: "simple-flying", name: "Simple Flying" },
  aeroTime: { feed: "aerotime", name: "AeroTime" },
  thePointsGuy: { feed: "the-points-guy", name: "The Points Guy" },
  airlineGeeks: { feed: "airline-geeks", name: "AirlineGeeks" },
  oneMileAtATime: { feed: "one-mile-at-a-time", name: "One Mile at a Time" },
  viewFromTheWing: { feed: "view-from-the-wing", name: "View from the Wing" },
  aviationPros: { feed: "aviation-pros", name: "AviationPros" },
  aviationWeek: { feed: "aviation-week", name: "Aviation Week" },
} as const;

const parts = mapValues(publishers, () => listOf<AviationHeadline>(({ publishedAt }) => publishedAt, ["url"]));

/** Each address once, newest first. */
function headlinesOf(records: ProductRecords<typeof parts>): readonly AviationHeadline[] {
  const byUrl = new Map(Object.values(records).flatMap((items) => items.map((item) => [item.url, item] as const)));
  return [...byUrl.values()].sort((a, b) => b.publishedAt - a.publishedAt || a.url.localeCompare(b.url));
}

/** Aviation headlines of nine publishers. */
export const aviationNews = product({
  name: "aviation-news",
  title: "Aviation news",
  description: "Headlines, teasers and links of nine publishers, at most thirty of each.",
  cadenceMs: 15 * MINUTE_MS,
  onChange: { spacingMs: 5 * MINUTE_MS },
  staleAfterMs: 90 * MINUTE_MS,
  contentAgeMaxMs: contentAges.aviationNews.wholeMs,
  partAges: contentAges.aviationNews.parts,
  gaps: [
    "Items without a date, or dated more than an hour ahead, are left out.",
    "A feed lists only its newest items, so a long window may reach further back than the feed.",
    "Entities are searched for in title and teaser, not in the article.",
    "A feed that cannot be read keeps its items for six hours.",
  ],
  reads: { feeds: newsFeeds },
  parts,
  build: ({ feeds: { view } }, { now }) =>
    mapValues(publishers, ({ feed, name }) =>
      (view.entries.get(feed) ?? [])
        .flatMap(({ title, link: url, publishedAt, summary: teaser = "", image }): readonly AviationHeadline[] => {
          if (publishedAt === undefined || publishedAt > now + AHEAD_MS_MAX) return [];
          return [
            { title, url, sourceName: name, publishedAt, teaser, ...(image !== undefined && { imageUrl: image }) },
          ];
        })
        .slice(0, HEADLINES_MAX),
    ),
  partStatuses: ({ feeds }) => mapValues(publishers, ({ feed }) => feedStatus(feeds, feed)),
  gateRule: "at least one dated item",
  gate: (records) => (headlinesOf(records).length === 0 ? "no feed has a dated item" : undefined),
  view: headlinesOf,
  newestAt: (records) => headlinesOf(records)[0]?.publishedAt ?? null,
});
