import { dataset, part, type RecordsOf } from "../../../contract/dataset.js";
import { HOUR_MS } from "../../../kit/clock.js";
import type { RecentWeather } from "../rules/anomaly.js";
import { contentAges } from "../rules/content-ages.js";
import { coverageRule, lackOfZones, type Zone, zones } from "../rules/zones.js";
import { recentWeather } from "../sources/recent-weather.js";

const ZONES_PER_CALL = 8;

/**
 * Declares the dataset part that one call fills. There is one call per part, so that a failed call does not affect the
 * zones of the other calls.
 */
const batch = (index: number) =>
  part<RecentWeather, { readonly zones: readonly Zone[]; readonly now: number }>({
    sources: [recentWeather],
    identity: ["zone"],
    plan: ({ now }) => ({ zones: zones.slice(index * ZONES_PER_CALL, (index + 1) * ZONES_PER_CALL), now }),
    optional: true,
  });

const parts = { zones1: batch(0), zones2: batch(1), zones3: batch(2), zones4: batch(3) };

const allOf = (records: RecordsOf<typeof parts>): readonly RecentWeather[] => Object.values(records).flat();

/** The weather of the last seven days in each zone, to be compared with the zone's normals. */
export const climateAnomalies = dataset({
  name: "climate-anomalies",
  title: "Recent weather of 25 climate zones",
  description: "Mean temperature and precipitation of the last seven complete days at one point of each zone.",
  cadenceMs: 3 * HOUR_MS,
  staleAfterMs: 9 * HOUR_MS,
  partAges: contentAges.climateAnomalies.parts,
  gaps: [
    "A zone is one point, not an average over its area.",
    "The archive lags by two to five days, so the seven days end that long ago.",
  ],
  parts,
  gateRule: coverageRule,
  gate: (records) => lackOfZones(new Set(allOf(records).map(({ zone }) => zone))),
  view: (records: RecordsOf<typeof parts>) => new Map(allOf(records).map((weather) => [weather.zone, weather])),
  newestAt: (records) => {
    const days = allOf(records).map(({ lastDay }) => lastDay);
    return days.length > 0 ? Math.max(...days) : null;
  },
});
