import { dataset, part } from "../../../contract/dataset.js";
import { MINUTE_MS } from "../../../kit/clock.js";
import type { ClimateNewsItem } from "../records.js";
import { contentAges } from "../rules/content-ages.js";
import { isPublished } from "../rules/news/is-published.js";
import { reliefWebReportsV1, reliefWebReportsV2 } from "../sources/reliefweb-reports.js";

/** ReliefWeb's newest reports on climate change and the environment. */
export const climateReports = dataset({
  name: "climate-reports",
  title: "Climate reports",
  description:
    "ReliefWeb's newest fifty reports on climate change and environment. Reading them needs an app name that ReliefWeb has approved (RELIEFWEB_APPNAME).",
  cadenceMs: 30 * MINUTE_MS,
  staleAfterMs: 90 * MINUTE_MS,
  partAges: contentAges.climateReports.parts,
  gaps: ["Reports dated more than an hour in the future are left out."],
  parts: {
    reports: part<ClimateNewsItem, object>({
      sources: [reliefWebReportsV2, reliefWebReportsV1],
      plan: () => ({}),
      select: (items, now, tally) => tally.filter(items, { "dated in the future": (item) => isPublished(item, now) }),
    }),
  },
  gateRule: "any answer, even one without reports",
  gate: () => undefined,
  view: ({ reports }) => reports,
  newestAt: ({ reports }) => (reports.length === 0 ? null : Math.max(...reports.map(({ publishedAt }) => publishedAt))),
});
