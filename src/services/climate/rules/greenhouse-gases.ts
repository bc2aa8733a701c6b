import type { Co2Monitoring } from "../records.js";
import type { AnnualCo2, GasMean } from "../sources/greenhouse-gases.js";

/** The stored series of the gases, each oldest first. */
export interface GasSeries {
  readonly daily: readonly GasMean[];
  readonly monthly: readonly GasMean[];
  readonly annual: readonly AnnualCo2[];
  readonly methane: readonly GasMean[];
  readonly nitrousOxide: readonly GasMean[];
}

const PRE_INDUSTRIAL_PPM = 280;
const TREND_MONTHS = 12;

/** Returns the newest values of all series; undefined if a series is empty, or if no growth is known. */
export function co2MonitoringOf(series: GasSeries): Co2Monitoring | undefined {
  const [today, month, methane, nitrousOxide] = [series.daily, series.monthly, series.methane, series.nitrousOxide].map(
    (means) => means.at(-1),
  );
  const growth = growthOf(series.annual);
  if (!today || !month || !methane || !nitrousOxide || !growth) return undefined;
  const yearAgo = yearAgoOf(series.daily, today.at);
  return {
    currentPpm: today.value,
    measuredAt: today.at,
    monthlyAverage: month.value,
    monthlyAverageObservedAt: month.at,
    ...(yearAgo !== undefined && { yearAgoPpm: yearAgo.value, yearAgoPpmObservedAt: yearAgo.at }),
    annualGrowthRate: growth.value,
    annualGrowthRateObservedAt: growth.at,
    methanePpb: methane.value,
    methanePpbObservedAt: methane.at,
    nitrousOxidePpb: nitrousOxide.value,
    nitrousOxidePpbObservedAt: nitrousOxide.at,
    preIndustrialBaseline: PRE_INDUSTRIAL_PPM,
    station: "Mauna Loa",
    trend12m: trendOf(series.monthly),
  };
}

/**
 * Returns the growth of the newest year of which it is known, with the first day of that year; undefined if no growth is
 * known. The growth of a year is the station's own figure if the series has it, else the difference of the global means
 * of that year and of the year before.
 */
export function growthOf(annual: readonly AnnualCo2[]): GasMean | undefined {
  return annual
    .map(({ at, stationGrowthPpm, globalMeanPpm }): GasMean | undefined => {
      const value = stationGrowthPpm ?? differenceOf(globalMeanPpm, meanOfYearBefore(annual, at));
      return value === undefined ? undefined : { at, value };
    })
    .findLast((growth) => growth !== undefined);
}

/** The global mean of the year before. Years without a mean are left out, so it may be missing. */
function meanOfYearBefore(annual: readonly AnnualCo2[], at: number): number | undefined {
  const yearBefore = Date.UTC(new Date(at).getUTCFullYear() - 1, 0);
  return annual.find((year) => year.at === yearBefore)?.globalMeanPpm;
}

function differenceOf(later: number | undefined, earlier: number | undefined): number | undefined {
  return later === undefined || earlier === undefined ? undefined : twoDecimals(later - earlier);
}

/**
 * Returns the mean of the date one year before `today`. If that day was not measured, returns the mean of the nearest
 * measured day of that calendar year; undefined if the year has none.
 */
export function yearAgoOf(daily: readonly GasMean[], today: number): GasMean | undefined {
  const date = new Date(today);
  const [year, month] = [date.getUTCFullYear() - 1, date.getUTCMonth()];
  // 29 February is compared with 28 February; Date.UTC would make it 1 March.
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const yearAgoAt = Date.UTC(year, month, Math.min(date.getUTCDate(), lastOfMonth));
  const distance = ({ at }: GasMean): number => Math.abs(at - yearAgoAt);
  return daily
    .filter(({ at }) => new Date(at).getUTCFullYear() === year)
    .reduce<GasMean | undefined>((best, mean) => (best && distance(best) <= distance(mean) ? best : mean), undefined);
}

function trendOf(monthly: readonly GasMean[]): Co2Monitoring["trend12m"] {
  const byMonth = new Map(monthly.map(({ at, value }) => [at, value]));
  return monthly.slice(-TREND_MONTHS).map(({ at, value }) => {
    const date = new Date(at);
    const base = byMonth.get(Date.UTC(date.getUTCFullYear() - 1, date.getUTCMonth()));
    return {
      month: date.toISOString().slice(0, 7),
      ppm: value,
      ...(base !== undefined && { anomaly: twoDecimals(value - base) }),
    };
  });
}

/** Rounds a difference to two decimals, the precision of the source files. */
function twoDecimals(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}
