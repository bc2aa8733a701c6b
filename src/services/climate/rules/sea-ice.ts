import type { OceanIceData } from "../records.js";
import type { IceExtent, IceMedian } from "../sources/nsidc.js";

type ArcticTrend = NonNullable<OceanIceData["arcticTrend"]>;

/** Minimum difference from the median that counts as above or below it; million km². */
const NOTABLE_MKM2 = 0.5;
const TREND_MONTHS = 12;
const RECORD_YEARS_MIN = 2;

/**
 * Returns the ice of the newest day, and of the last measured day of each of the newest twelve months. Returns an empty
 * object if there are no extents.
 */
export function arcticIceOf(
  extents: readonly IceExtent[],
  medians: readonly IceMedian[],
): Pick<OceanIceData, "arcticExtentMkm2" | "arcticExtentAnomalyMkm2" | "arcticTrend" | "iceTrend12m"> {
  const newest = extents.at(-1);
  if (!newest) return {};
  const median = new Map(medians.map(({ dayOfYear, medianMkm2 }) => [dayOfYear, medianMkm2]));
  const anomaly = anomalyOf(newest, median);
  const trend = arcticTrendOf(newest, extents, anomaly);
  return {
    arcticExtentMkm2: newest.extentMkm2,
    ...(anomaly !== undefined && { arcticExtentAnomalyMkm2: anomaly }),
    ...(trend !== undefined && { arcticTrend: trend }),
    iceTrend12m: lastDaysOfMonths(extents, TREND_MONTHS).map((extent) => pointOf(extent, median)),
  };
}

/**
 * Determines the trend. It is `record_low` if the same calendar day was also measured in another year and never had
 * less ice. Otherwise, the trend depends on the difference from the median. Undefined for a day that is no record and
 * has no median.
 */
export function arcticTrendOf(
  newest: IceExtent,
  extents: readonly IceExtent[],
  anomalyMkm2: number | undefined,
): ArcticTrend | undefined {
  const sameDay = extents.filter(({ day }) => isSameCalendarDay(day, newest.day));
  const isLowest = sameDay.every(({ extentMkm2 }) => newest.extentMkm2 <= extentMkm2);
  if (isLowest && sameDay.length >= RECORD_YEARS_MIN) return "record_low";
  if (anomalyMkm2 === undefined) return undefined;
  if (anomalyMkm2 <= -NOTABLE_MKM2) return "below_average";
  return anomalyMkm2 >= NOTABLE_MKM2 ? "above_average" : "average";
}

function isSameCalendarDay(a: number, b: number): boolean {
  const [first, second] = [new Date(a), new Date(b)];
  return first.getUTCMonth() === second.getUTCMonth() && first.getUTCDate() === second.getUTCDate();
}

/**
 * Returns the last measured day of each of the newest months, oldest first. Reads the extents from the end, and stops
 * once it has enough months.
 */
function lastDaysOfMonths(extents: readonly IceExtent[], monthsMax: number): readonly IceExtent[] {
  const byMonth = new Map<string, IceExtent>();
  for (let at = extents.length - 1; at >= 0 && byMonth.size < monthsMax; at -= 1) {
    const extent = extents[at];
    if (extent && !byMonth.has(monthOf(extent.day))) byMonth.set(monthOf(extent.day), extent);
  }
  return [...byMonth.values()].reverse();
}

function pointOf(
  extent: IceExtent,
  median: ReadonlyMap<number, number>,
): NonNullable<OceanIceData["iceTrend12m"]>[number] {
  const anomalyMkm2 = anomalyOf(extent, median);
  return {
    month: monthOf(extent.day),
    extentMkm2: extent.extentMkm2,
    ...(anomalyMkm2 !== undefined && { anomalyMkm2 }),
  };
}

function monthOf(day: number): string {
  return new Date(day).toISOString().slice(0, 7);
}

function anomalyOf({ day, extentMkm2 }: IceExtent, median: ReadonlyMap<number, number>): number | undefined {
  const year = Date.UTC(new Date(day).getUTCFullYear(), 0);
  const normal = median.get(Math.round((day - year) / 86_400_000) + 1);
  // NSIDC publishes extents with three decimals, so differences are rounded to three.
  return normal === undefined ? undefined : Math.round((extentMkm2 - normal) * 1_000) / 1_000 + 0;
}
