import { dayAt } from "../../../../simulator/models/days.js";
import { bell, streamFor } from "../../../../simulator/models/random-stream.js";
import { type Co2Month, co2Days, co2Months, daysOfYear } from "./carbon-dioxide.js";
import { lastMonth, yearsFrom } from "./gml-releases.js";
import { co2Level, methaneLevel, nitrousOxideLevel, season } from "./greenhouse-gas.js";

export function dailyRows(now: number, seed: number): readonly string[] {
  return co2Days(now, seed).map(({ year, month, day, decimalYear, ppm }) =>
    line([year, 6], [month, 4], [day, 4], [decimalYear.toFixed(4), 11], [(ppm ?? -999.99).toFixed(2), 10]),
  );
}

export function monthlyRows(now: number, seed: number): readonly string[] {
  return co2Months(lastMonth(now, 0), seed).map((row) => {
    const { year, month, averagePpm, trendPpm } = row;
    const cells = [averagePpm.toFixed(2), trendPpm.toFixed(2)] as const;
    return line([year, 5], [month, 5], [monthDecimal(row), 12], [cells[0], 12], [cells[1], 12]) + qualityOf(row);
  });
}

/**
 * Returns the decimal date of a month. Up to April 1974, this is the date of the month's 15th day, as in the record of
 * the Scripps Institution, which made the first measurements. After that, it is the middle of the month, with months of
 * equal length.
 */
function monthDecimal({ year, month }: Co2Month): string {
  if (year * 12 + month > 1974 * 12 + 4) return (year + (month - 0.5) / 12).toFixed(4);
  return (year + dayAt(Date.UTC(year, month - 1, 15)).dayOfYear / daysOfYear(year)).toFixed(4);
}

function qualityOf({ year, month, days }: Co2Month): string {
  if (days !== undefined) {
    const uncertainty = days.deviationPpm / Math.sqrt(days.count) + 0.05;
    return line([days.count, 7], [days.deviationPpm.toFixed(2), 8], [uncertainty.toFixed(2), 8]);
  }
  return line([-1, 7], ["-9.99", 8], [year * 12 + month > 1974 * 12 + 4 ? "0.00" : "-0.99", 8]);
}

/** Builds the rows of the global annual means. Every year, the global mean is a little further below Mauna Loa's. */
export function annualRows(now: number, seed: number): readonly string[] {
  const level = co2Level(seed);
  return yearsFrom(1979, now).map((year) =>
    line([year, 6], [(level(year + 0.5) - 0.04 * (year - 1979)).toFixed(2), 9], ["0.10", 9]),
  );
}

export function growthRows(now: number, seed: number): readonly string[] {
  const level = co2Level(seed);
  return yearsFrom(1959, now).map((year) =>
    line([year, 6], [(level(year + 1) - level(year)).toFixed(2), 12], ["0.11", 12]),
  );
}

export function methaneRows(now: number, seed: number): readonly string[] {
  const average = (at: number): number => methaneLevel(at) + season(at, [5.1, -0.5, -2.3, -2.4]);
  return globalRows(1983 * 12 + 6, now, streamFor(seed, "methane"), methaneLevel, average, 0.6);
}

export function nitrousOxideRows(now: number, seed: number): readonly string[] {
  const average = (at: number): number => nitrousOxideLevel(at) + season(at, [0.17, 0.07, 0.02, -0.01]);
  return globalRows(2001 * 12, now, streamFor(seed, "nitrous-oxide"), nitrousOxideLevel, average, 0.13);
}

/** Number of newest months whose uncertainty is still unknown. */
const UNCERTAIN_MONTHS = 15;
const GLOBAL_LAG_MONTHS = 3;

function globalRows(
  first: number,
  now: number,
  random: () => number,
  trend: (at: number) => number,
  average: (at: number) => number,
  uncertainty: number,
): readonly string[] {
  const last = lastMonth(now, GLOBAL_LAG_MONTHS);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
    const at = (first + index + 0.5) / 12;
    const value = average(at) + bell(random) * uncertainty * 0.5;
    const isCertain = first + index <= last - UNCERTAIN_MONTHS;
    const unc = (factor: number): string => (isCertain ? uncertainty * factor : -9.99).toFixed(2);
    const date = line([Math.floor(at), 6], [((first + index) % 12) + 1, 8], [at.toFixed(3), 14]);
    return date + line([value.toFixed(2), 14], [unc(1 + random()), 14], [trend(at).toFixed(2), 14], [unc(1), 14]);
  });
}

/** Formats the cells of a row, each padded to its width. */
function line(...cells: readonly (readonly [value: string | number, width: number])[]): string {
  return cells.map(([value, width]) => String(value).padStart(width)).join("");
}
