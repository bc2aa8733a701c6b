import { dataset, part, type RecordsOf } from "../../../contract/dataset.js";
import type { Source } from "../../../contract/source.js";
import { HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import type { ClimateNewsItem } from "../records.js";
import { contentAges } from "../rules/content-ages.js";
import { climateFeeds } from "../sources/climate-feeds.js";
import { reliefWebReportsV1, reliefWebReportsV2 } from "../sources/reliefweb-reports.js";

const STALE_AFTER_MS = 90 * MINUTE_MS;
/** An item dated further ahead than this counts as undated. */
const AHEAD_MS_MAX = HOUR_MS;

/** One publisher. A feed that fails for long does not make the others stale. */
const publisher = (...sources: readonly Source<object, ClimateNewsItem>[]) =>
  part<ClimateNewsItem, object>({
    sources,
    plan: () => ({}),
    optional: true,
    keptMaxMs: STALE_AFTER_MS,
    select: (items, now) => items.filter(({ publishedAt }) => publishedAt <= now + AHEAD_MS_MAX),
  });

const parts = {
  carbonBrief: publisher(climateFeeds.carbonBrief),
  guardian: publisher(climateFeeds.guardian),
  earthObservatory: publisher(climateFeeds.earthObservatory),
  unep: publisher(climateFeeds.unep),
  physOrg: publisher(climateFeeds.physOrg),
  copernicus: publisher(climateFeeds.copernicus),
  insideClimateNews: publisher(climateFeeds.insideClimateNews),
  climateCentral: publisher(climateFeeds.climateCentral),
  reliefweb: publisher(reliefWebReportsV2, reliefWebReportsV1),
};

const SERVED_MAX = 100;

/** The headlines without duplicate addresses, newest first. */
function newsOf(records: RecordsOf<typeof parts>): readonly ClimateNewsItem[] {
  const byUrl = new Map(Object.values(records).flatMap((items) => items.map((item) => [item.url, item] as const)));
  return [...byUrl.values()]
    .sort((a, b) => b.publishedAt - a.publishedAt || a.id.localeCompare(b.id))
    .slice(0, SERVED_MAX);
}

/** Climate headlines of publishers. */
export const climateNews = dataset({
  name: "climate-news",
  title: "Climate news",
  description:
    "Headlines, teasers and links of eight publishers and, with an approved app name, of ReliefWeb's reports.",
  cadenceMs: 30 * MINUTE_MS,
  staleAfterMs: STALE_AFTER_MS,
  contentAgeMaxMs: contentAges.climateNews.wholeMs,
  partAges: contentAges.climateNews.parts,
  gaps: ["Items without a date, or dated more than an hour ahead, are left out."],
  parts,
  gateRule: "at least one dated item",
  gate: (records) => (newsOf(records).length === 0 ? "no feed has a dated item" : undefined),
  view: newsOf,
  newestAt: (records) => newsOf(records)[0]?.publishedAt ?? null,
});
