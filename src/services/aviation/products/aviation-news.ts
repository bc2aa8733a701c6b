import { listOf, type ProductRecords, product } from "../../../contract/product.js";
import { among, type RowTally, silentTally } from "../../../contract/row-tally.js";
import { HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import { mapValues } from "../../../kit/map-values.js";
import { newsFeeds } from "../../news/datasets/news-feeds.js";
import { feedStatus } from "../../news/products/feed-status.js";
import type { AviationHeadline } from "../records/news-records.js";
import { contentAges } from "../rules/content-ages.js";

/** An entry dated further in the future than this is left out, because its date must be wrong. */
const AHEAD_MS_MAX = HOUR_MS;
/** Maximum number of headlines per publisher. */
const HEADLINES_MAX = 30;

/** For each part, the collected feed of its publisher and the publisher's name as shown with its headlines. */
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

/** Returns the headlines without duplicate addresses, newest first. */
function headlinesOf(
  records: ProductRecords<typeof parts>,
  _pace?: unknown,
  tally: RowTally = silentTally,
): readonly AviationHeadline[] {
  const all = Object.values(records).flat();
  const distinct = [...new Map(all.map((item) => [item.url, item])).values()];
  tally.narrowed("same address as another headline", all, distinct, among(distinct));
  return distinct.sort((a, b) => b.publishedAt - a.publishedAt || a.url.localeCompare(b.url));
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
    "Items without a date, or dated more than an hour in the future, are left out.",
    "A feed lists only its newest items, so a long window may reach further back than the feed.",
    "Entities are searched for in title and teaser, not in the article.",
    "A feed that cannot be read keeps its items for six hours.",
  ],
  reads: { feeds: newsFeeds },
  parts,
  build: ({ feeds: { view } }, { now, tally }) =>
    mapValues(publishers, ({ feed, name }) => {
      const dated = tally.whole(view.entries.get(feed) ?? []).flatMap((entry): readonly AviationHeadline[] => {
        const { title, link: url, publishedAt, summary: teaser = "", image } = entry;
        if (publishedAt === undefined || publishedAt > now + AHEAD_MS_MAX) {
          tally.leftOut("no date, or a date in the future", entry);
          return [];
        }
        return [{ title, url, sourceName: name, publishedAt, teaser, ...(image !== undefined && { imageUrl: image }) }];
      });
      return tally.first(`beyond the newest ${HEADLINES_MAX} of a publisher`, dated, HEADLINES_MAX);
    }),
  partStatuses: ({ feeds }) => mapValues(publishers, ({ feed }) => feedStatus(feeds, feed)),
  gateRule: "at least one dated item",
  gate: (records) => (headlinesOf(records).length === 0 ? "no feed has a dated item" : undefined),
  view: headlinesOf,
  newestAt: (records) => headlinesOf(records)[0]?.publishedAt ?? null,
});
