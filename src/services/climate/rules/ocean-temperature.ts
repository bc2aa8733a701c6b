import type { OceanTemperature } from "../sources/ncei.js";

const [BASE_FIRST_YEAR, BASE_LAST_YEAR] = [1971, 2000];
const BASE_YEARS = BASE_LAST_YEAR - BASE_FIRST_YEAR + 1;

/**
 * Computes how much the newest month differs from the mean of the same calendar month in 1971-2000; °C, 3 decimals. The
 * values of the series may be relative to other base years. Undefined if the series lacks that calendar month in any
 * of the years 1971-2000.
 */
export function sstAnomalyOf(series: readonly OceanTemperature[]): number | undefined {
  const newest = series.at(-1);
  if (!newest) return undefined;
  const month = new Date(newest.month).getUTCMonth();
  const base = series.filter((reading) => {
    const date = new Date(reading.month);
    const year = date.getUTCFullYear();
    return date.getUTCMonth() === month && year >= BASE_FIRST_YEAR && year <= BASE_LAST_YEAR;
  });
  if (base.length < BASE_YEARS) return undefined;
  const mean = base.reduce((sum, { anomalyC }) => sum + anomalyC, 0) / base.length;
  return Math.round((newest.anomalyC - mean) * 1_000) / 1_000 + 0;
}
