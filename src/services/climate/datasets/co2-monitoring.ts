import { dataset, type MergeContext, part, type RecordsOf } from "../../../contract/dataset.js";
import type { RowTally } from "../../../contract/row-tally.js";
import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";
import { contentAges } from "../rules/content-ages.js";
import { co2MonitoringOf, growthOf } from "../rules/greenhouse-gases.js";
import {
  type AnnualCo2,
  co2Annual,
  co2Daily,
  co2Growth,
  co2Monthly,
  type GasMean,
  methaneMonthly,
  nitrousOxideMonthly,
} from "../sources/greenhouse-gases.js";

const [DAILY_DAYS, MONTHLY_YEARS] = [800, 3];

/**
 * Returns a function that sorts the means by time and drops those that are at least `spanMs` older than the newest
 * mean. No answer needs the dropped means.
 */
const newest =
  (spanMs: number) =>
  (means: readonly GasMean[], now: number, tally: RowTally): readonly GasMean[] => {
    const inOrder = means.toSorted((a, b) => a.at - b.at);
    const from = Math.min(now, inOrder.at(-1)?.at ?? now) - spanMs;
    return tally.filter(inOrder, { "older than any answer needs": ({ at }) => at > from });
  };

const series = (source: typeof co2Daily, spanMs: number) =>
  part<GasMean, object>({ sources: [source], identity: ["at"], plan: () => ({}), select: newest(spanMs) });

const months = MONTHLY_YEARS * 366 * DAY_MS;

const parts = {
  daily: series(co2Daily, DAILY_DAYS * DAY_MS),
  monthly: series(co2Monthly, months),
  annual: part<AnnualCo2, object>({
    sources: [co2Annual, co2Growth],
    identity: ["at"],
    plan: () => ({}),
    merge: preferGlobal,
  }),
  methane: series(methaneMonthly, months),
  nitrousOxide: series(nitrousOxideMonthly, months),
};

/**
 * Chooses between the stored and the fresh series. A fresh series of global means replaces the stored series. A fresh
 * series of the station's growth replaces the stored series only if it covers a later year.
 */
function preferGlobal(
  kept: readonly AnnualCo2[],
  fresh: readonly AnnualCo2[],
  { tally }: MergeContext,
): readonly AnnualCo2[] {
  const isGlobal = fresh.at(-1)?.globalMeanPpm !== undefined;
  const isLater = (fresh.at(-1)?.at ?? 0) > (kept.at(-1)?.at ?? 0);
  const [preferred, other] = isGlobal || isLater ? [fresh, kept] : [kept, fresh];
  if (other.length > 0) tally.leftOut("other than the preferred series", other[0], other.length);
  return preferred;
}

/** Greenhouse gases in the air, at Mauna Loa and worldwide. */
export const co2Monitoring = dataset({
  name: "co2-monitoring",
  title: "Greenhouse gases",
  description: "CO2 at Mauna Loa by day and month, and the global means of CO2, CH4 and N2O, as published by NOAA.",
  cadenceMs: DAY_MS,
  staleAfterMs: 72 * HOUR_MS,
  partAges: contentAges.co2Monitoring.parts,
  gaps: [
    "If the global annual means cannot be read, but the growth at Mauna Loa covers a later year than the stored means, the growth at Mauna Loa is served. The provenance of `annual` names the source.",
    "If the mean of the year before the newest is missing, the growth of an earlier year is served, and the dataset is partial.",
    "Global means of CH4 and N2O lag by three to four months; the annual mean of CO2 is published in spring.",
    "From December 2022 to July 2023 the station's instruments were at Maunakea, 34 km away.",
  ],
  parts,
  gateRule: "a value in each of the five files, and the growth of a year",
  gate: (records) =>
    co2MonitoringOf(records) === undefined ? "a file without values, or no growth of any year" : undefined,
  lacking: ({ annual }) =>
    growthOf(annual)?.at === annual.at(-1)?.at
      ? undefined
      : "the growth of the newest year is unknown, because the annual mean of the year before is missing",
  view: (records: RecordsOf<typeof parts>) => co2MonitoringOf(records),
  newestAt: ({ daily }) => daily.at(-1)?.at ?? null,
});
