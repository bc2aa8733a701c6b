import { listOf, type ProductRecords, product } from "../../../contract/product.js";
import { among, type RowTally, silentTally } from "../../../contract/row-tally.js";
import { MINUTE_MS } from "../../../kit/clock.js";
import { mapValues } from "../../../kit/map-values.js";
import { newsFeeds } from "../../news/datasets/news-feeds.js";
import { feedStatus } from "../../news/products/feed-status.js";
import { climateReports } from "../datasets/climate-reports.js";
import type { ClimateNewsItem } from "../records.js";
import { contentAges } from "../rules/content-ages.js";
import { isPublished } from "../rules/news/is-published.js";
import { newsItem } from "../rules/news/news-item.js";

const STALE_AFTER_MS = 90 * MINUTE_MS;
const SERVED_MAX = 100;

/** For each part, the collected feed of its publisher and the publisher's name as shown with its items. */
const publishers = {
  carbonBrief: { feed: "carbon-brief", name: "Carbon Brief" },
  guardian: { feed: "guardian-climate", name: "The Guardian" },
  earthObservatory: { feed: "earth-observatory", name: "NASA Earth Observatory" },
  unep: { feed: "unep", name: "UNEP" },
  physOrg: { feed: "phys-org-earth", name: "Phys.org" },
  copernicus: { feed: "copernicus-climate", name: "Copernicus Climate Change Service" },
  insideClimateNews: { feed: "inside-climate-news", name: "Inside Climate News" },
  climateCentral: { feed: "climate-central", name: "Climate Central" },
} as const;

const items = listOf<ClimateNewsItem>(({ publishedAt }) => publishedAt);
const parts = { ...mapValues(publishers, () => items), reliefweb: items };

/** Builds the served headlines: without duplicate addresses, newest first, at most `SERVED_MAX`. */
function newsOf(
  records: ProductRecords<typeof parts>,
  _pace?: unknown,
  tally: RowTally = silentTally,
): readonly ClimateNewsItem[] {
  const all = Object.values(records).flat();
  const distinct = [...new Map(all.map((item) => [item.url, item])).values()];
  tally.narrowed("same address as another headline", all, distinct, among(distinct));
  const newestFirst = distinct.sort((a, b) => b.publishedAt - a.publishedAt || a.id.localeCompare(b.id));
  return tally.first(`beyond the newest ${SERVED_MAX}`, newestFirst, SERVED_MAX);
}

/** Climate headlines of eight publishers, and ReliefWeb's reports. */
export const climateNews = product({
  name: "climate-news",
  title: "Climate news",
  description:
    "Headlines, teasers and links of eight publishers and, with an approved app name, of ReliefWeb's reports.",
  cadenceMs: 30 * MINUTE_MS,
  onChange: { spacingMs: 5 * MINUTE_MS },
  staleAfterMs: STALE_AFTER_MS,
  contentAgeMaxMs: contentAges.climateNews.wholeMs,
  partAges: contentAges.climateNews.parts,
  gaps: [
    "Items without a date, or dated more than an hour in the future, are left out.",
    "A feed that cannot be read keeps its items for six hours; ReliefWeb's reports are kept for 90 minutes.",
  ],
  reads: { feeds: newsFeeds },
  optionalReads: { reports: climateReports },
  parts,
  build: ({ feeds, reports }, { now, tally }) => ({
    ...mapValues(publishers, ({ feed, name: sourceName }) =>
      tally.whole(feeds.view.entries.get(feed) ?? []).flatMap((entry) => {
        const { title, link, publishedAt, summary = "" } = entry;
        const item = newsItem({ title, link, publishedAt, summary, sourceName });
        if (item && isPublished(item, now)) return [item];
        tally.leftOut(item ? "dated in the future" : "no title, address or date", entry);
        return [];
      }),
    ),
    reliefweb: tally.filter(tally.whole(reports.available ? reports.view : []), {
      "reports not confirmed for 90 minutes": () => reports.available && now < reports.checkedAt + STALE_AFTER_MS,
    }),
  }),
  partStatuses: ({ feeds, reports }) => ({
    ...mapValues(publishers, ({ feed }) => feedStatus(feeds, feed)),
    reliefweb: reports.available
      ? { state: "fresh", confirmedAt: reports.checkedAt, error: null }
      : { state: reports.isOff ? "off" : "missing", confirmedAt: null, error: reports.reason },
  }),
  gateRule: "at least one dated item",
  gate: (records) => (newsOf(records).length === 0 ? "no feed has a dated item" : undefined),
  view: newsOf,
  newestAt: (records) => newsOf(records)[0]?.publishedAt ?? null,
});
