import { dataset, part, type RecordsOf } from "../../../contract/dataset.js";
import type { Source } from "../../../contract/source.js";
import { HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import type { AviationHeadline } from "../records/news-records.js";
import { contentAges } from "../rules/content-ages.js";
import { aviationFeeds } from "../sources/aviation-feeds.js";

const STALE_AFTER_MS = 90 * MINUTE_MS;
/** An item dated further ahead than this counts as undated. */
const AHEAD_MS_MAX = HOUR_MS;

/** One publisher. A feed that fails for long does not make the others stale. */
const publisher = (feed: Source<object, AviationHeadline>) =>
  part<AviationHeadline, object>({
    sources: [feed],
    plan: () => ({}),
    optional: true,
    keptMaxMs: STALE_AFTER_MS,
    select: (headlines, now) => headlines.filter(({ publishedAt }) => publishedAt <= now + AHEAD_MS_MAX),
  });

const parts = {
  flightGlobal: publisher(aviationFeeds.flightGlobal),
  simpleFlying: publisher(aviationFeeds.simpleFlying),
  aeroTime: publisher(aviationFeeds.aeroTime),
  thePointsGuy: publisher(aviationFeeds.thePointsGuy),
  airlineGeeks: publisher(aviationFeeds.airlineGeeks),
  oneMileAtATime: publisher(aviationFeeds.oneMileAtATime),
  viewFromTheWing: publisher(aviationFeeds.viewFromTheWing),
  aviationPros: publisher(aviationFeeds.aviationPros),
  aviationWeek: publisher(aviationFeeds.aviationWeek),
};

/** The headlines without duplicate addresses, newest first. */
function headlinesOf(records: RecordsOf<typeof parts>): readonly AviationHeadline[] {
  const byUrl = new Map(Object.values(records).flatMap((items) => items.map((item) => [item.url, item] as const)));
  return [...byUrl.values()].sort((a, b) => b.publishedAt - a.publishedAt || a.url.localeCompare(b.url));
}

/** Aviation headlines of nine publishers. */
export const aviationNews = dataset({
  name: "aviation-news",
  title: "Aviation news",
  description: "Headlines, teasers and links of nine publishers, at most thirty of each.",
  cadenceMs: 15 * MINUTE_MS,
  staleAfterMs: STALE_AFTER_MS,
  contentAgeMaxMs: contentAges.aviationNews.wholeMs,
  partAges: contentAges.aviationNews.parts,
  gaps: [
    "Items without a date, or dated more than an hour ahead, are left out.",
    "A feed contains only its newest items, so a long window may reach further back than the feeds do.",
    "Entities are searched for in title and teaser, not in the article.",
  ],
  parts,
  gateRule: "at least one dated item",
  gate: (records) => (headlinesOf(records).length === 0 ? "no feed has a dated item" : undefined),
  view: headlinesOf,
  newestAt: (records) => headlinesOf(records)[0]?.publishedAt ?? null,
});
