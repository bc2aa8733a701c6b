import { dataset, part, type RecordsOf } from "../../../contract/dataset.js";
import { MINUTE_MS } from "../../../kit/clock.js";
import type { TrafficAnomaly } from "../records.js";
import { contentAges } from "../rules/content-ages.js";
import { cloudflareRadar } from "../sources/cloudflare-radar.js";

const parts = {
  anomalies: part<TrafficAnomaly, object>({ sources: [cloudflareRadar], identity: ["uuid"], plan: () => ({}) }),
};

/** Returns the anomalies, newest first, and an index of them by country. */
function viewOf({ anomalies }: RecordsOf<typeof parts>) {
  const all = anomalies.toSorted((a, b) => b.startDate - a.startDate || a.uuid.localeCompare(b.uuid));
  const byCountry = new Map<string, TrafficAnomaly[]>();
  for (const anomaly of all) {
    const code = anomaly.locationCode ?? "";
    byCountry.set(code, [...(byCountry.get(code) ?? []), anomaly]);
  }
  return { all, byCountry };
}

/** Unusual internet traffic of the last seven days. */
export const internetTrafficAnomalies = dataset({
  name: "internet-traffic-anomalies",
  title: "Internet traffic anomalies",
  description:
    "Drops and rises of internet traffic by country and network in the last seven days, as seen by Cloudflare.",
  cadenceMs: 20 * MINUTE_MS,
  staleAfterMs: 60 * MINUTE_MS,
  partAges: contentAges.trafficAnomalies.parts,
  gaps: [
    "Covers only traffic through Cloudflare's network.",
    "The source lists at most 100 anomalies of the last seven days.",
    "Positions are the centres of the countries.",
  ],
  parts,
  gateRule: "at least one anomaly",
  gate: ({ anomalies }) => (anomalies.length === 0 ? "no anomaly in seven days" : undefined),
  view: viewOf,
  newestAt: ({ anomalies }) =>
    anomalies.reduce<number | null>((newest, { startDate }) => Math.max(newest ?? startDate, startDate), null),
});
