import { dataset, type Part, part, type RecordsOf } from "../../../contract/dataset.js";
import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";
import type { IndexPoint } from "../records.js";
import { contentAges } from "../rules/content-ages.js";
import { cpiMonths } from "../rules/cpi-months.js";
import { fredApi } from "../sources/fred-api.js";
import { fredGraph } from "../sources/fred-graph.js";
import type { SeriesPlan } from "../sources/fred-observation.js";

const series = (id: string, presence: { readonly optional?: boolean } = {}): Part<IndexPoint, SeriesPlan> =>
  part<IndexPoint, SeriesPlan>({
    sources: [fredApi, fredGraph],
    plan: () => ({ series: id }),
    identity: ["month"],
    ...presence,
  });

/** The six seasonally adjusted CPI-U series. A component that was never read is omitted; the headline is required. */
const parts = {
  headline: series("CPIAUCSL"),
  core: series("CPILFESL", { optional: true }),
  food: series("CPIUFDSL", { optional: true }),
  energy: series("CPIENGSL", { optional: true }),
  shelter: series("CUSR0000SAH1", { optional: true }),
  services: series("CUSR0000SAS", { optional: true }),
};

const HEADLINE_MONTHS_MIN = 800;
const FIRST_MONTH = Date.UTC(1947, 0);

/** US consumer prices since 1947, every month with its changes. */
export const usCpi = dataset({
  name: "us-cpi",
  title: "US consumer price index, monthly",
  description:
    "Seasonally adjusted CPI-U for all items, core, food, energy, shelter and services, with changes computed from the index.",
  cadenceMs: DAY_MS,
  staleAfterMs: 72 * HOUR_MS,
  keepsFormerRows: true,
  partAges: contentAges.usCpi.parts,
  gaps: [
    "October 2025 was never collected. It is absent, as are the changes of November 2025 and October 2026 that are based on it.",
    "Core and energy begin in 1957, shelter in 1953, services in 1956.",
  ],
  parts,
  gateRule: `at least ${HEADLINE_MONTHS_MIN} headline months, the first of them January 1947`,
  gate({ headline }) {
    const first = headline[0]?.month;
    if (headline.length >= HEADLINE_MONTHS_MIN && first === FIRST_MONTH) return undefined;
    const start = first === undefined ? "none" : new Date(first).toISOString().slice(0, 7);
    return `${headline.length} headline months starting ${start}, needed ${HEADLINE_MONTHS_MIN} starting 1947-01`;
  },
  view: (records: RecordsOf<typeof parts>, _pace, tally) => {
    const months = cpiMonths(records);
    const values = Object.values(records).reduce((sum, points) => sum + points.length, 0);
    tally.joined("components of a month", values - months.length);
    return { months, latest: months.slice(-1) };
  },
  newestAt: (records) => {
    const newest = Object.values(records).map((points) => points.at(-1)?.month ?? Number.NEGATIVE_INFINITY);
    const at = Math.max(...newest);
    return Number.isFinite(at) ? at : null;
  },
});
