import { DAY_MS } from "../../kit/clock.js";
import { type AnswerCheck, Copied, type Expected, rounded, rowsOf } from "../check.js";
import { dateOf, monthName } from "./dates.js";

/** The newest of some rows; undefined if there are none. */
function newest<T>(rows: readonly T[], atOf: (row: T) => number): T | undefined {
  let last: T | undefined;
  for (const row of rows) if (last === undefined || atOf(row) > atOf(last)) last = row;
  return last;
}

interface Mean {
  readonly at: number;
  readonly value: number;
}

interface Year {
  readonly at: number;
  readonly globalMeanPpm?: number;
  readonly stationGrowthPpm?: number;
}

/** The newest year of which the growth is known, and that growth. */
function newestGrowth(years: readonly Year[]): { readonly at?: number; readonly rate?: Expected } {
  for (const { at, stationGrowthPpm, globalMeanPpm } of [...years].sort((a, b) => b.at - a.at)) {
    if (stationGrowthPpm !== undefined) return { at, rate: new Copied(stationGrowthPpm) };
    const before = years.find((year) => dateOf(year.at).year === dateOf(at).year - 1)?.globalMeanPpm;
    if (globalMeanPpm !== undefined && before !== undefined) return { at, rate: rounded(globalMeanPpm - before, 2) };
  }
  return {};
}

/**
 * Finds the measured day of the previous calendar year that is nearest to the day one year before `today`. Of two
 * equally near days, returns the earlier one.
 */
function yearBefore(days: readonly Mean[], today: number): Mean | undefined {
  const { year, month, day } = dateOf(today);
  const yearAgoAt = Date.UTC(year - 1, month - 1, month === 2 && day === 29 ? 28 : day);
  const ofYear = days.filter(({ at }) => dateOf(at).year === year - 1);
  return ofYear.sort((a, b) => Math.abs(a.at - yearAgoAt) - Math.abs(b.at - yearAgoAt) || a.at - b.at)[0];
}

function monthsOf(means: readonly Mean[]): readonly Expected[] {
  const ppmOf = new Map(means.map(({ at, value }) => [monthName(at), value]));
  const lastTwelve = [...means].sort((a, b) => a.at - b.at).slice(-12);
  return lastTwelve.map(({ at, value }) => {
    const { year, month } = dateOf(at);
    const base = ppmOf.get(`${year - 1}-${String(month).padStart(2, "0")}`);
    return { month: monthName(at), ppm: value, anomaly: base === undefined ? undefined : rounded(value - base, 2) };
  });
}

export const greenhouseGases: AnswerCheck = {
  operation: "climate/get-co2-monitoring",
  what: "growth of CO2, its value a year ago, and its changes over twelve months",
  recompute({ from }) {
    const stored = from("co2-monitoring");
    const series = (part: string): readonly Mean[] => rowsOf<Mean>(stored, part);
    const [today, month, methane, nitrousOxide] = ["daily", "monthly", "methane", "nitrousOxide"].map((part) =>
      newest(series(part), ({ at }) => at),
    );
    const years = rowsOf<Year>(stored, "annual");
    const growth = newestGrowth(years);
    const yearAgo = today && yearBefore(series("daily"), today.at);
    return {
      monitoring: {
        currentPpm: today?.value,
        measuredAt: today?.at,
        monthlyAverage: month?.value,
        monthlyAverageObservedAt: month?.at,
        yearAgoPpm: yearAgo?.value,
        yearAgoPpmObservedAt: yearAgo?.at,
        annualGrowthRate: growth.rate,
        annualGrowthRateObservedAt: growth.at,
        methanePpb: methane?.value,
        methanePpbObservedAt: methane?.at,
        nitrousOxidePpb: nitrousOxide?.value,
        nitrousOxidePpbObservedAt: nitrousOxide?.at,
        preIndustrialBaseline: 280,
        trend12m: monthsOf(series("monthly")),
      },
    };
  },
};

interface IceDay {
  readonly day: number;
  readonly extentMkm2: number;
}

type Members = { readonly [member: string]: Expected };

interface ServedIce {
  readonly data?: { readonly arcticExtentAnomalyMkm2?: number };
}

/** The difference between the ice extent of a day and the median for that day of the year. */
function iceAnomaly({ day, extentMkm2 }: IceDay, medians: ReadonlyMap<number, number>): Expected {
  const dayOfYear = (day - Date.UTC(dateOf(day).year, 0, 1)) / DAY_MS + 1;
  const median = medians.get(dayOfYear);
  return median === undefined ? undefined : rounded(extentMkm2 - median, 3);
}

function iceTrend(today: IceDay, days: readonly IceDay[], anomaly: number | undefined): string | undefined {
  const { month, day } = dateOf(today.day);
  const before = days.filter((other) => {
    const date = dateOf(other.day);
    return other.day !== today.day && date.month === month && date.day === day;
  });
  if (before.length > 0 && before.every(({ extentMkm2 }) => extentMkm2 >= today.extentMkm2)) return "record_low";
  if (anomaly === undefined) return undefined;
  if (anomaly <= -0.5) return "below_average";
  return anomaly >= 0.5 ? "above_average" : "average";
}

function iceMembers(days: readonly IceDay[], medians: ReadonlyMap<number, number>, served: ServedIce): Members {
  const today = newest(days, ({ day }) => day);
  if (!today) return { arcticExtentMkm2: undefined, iceTrend12m: undefined };
  const lastOfMonth = new Map<string, IceDay>();
  for (const row of [...days].sort((a, b) => a.day - b.day)) lastOfMonth.set(monthName(row.day), row);
  return {
    arcticExtentMkm2: today.extentMkm2,
    arcticExtentObservedAt: today.day,
    arcticExtentAnomalyMkm2: iceAnomaly(today, medians),
    arcticTrend: iceTrend(today, days, served.data?.arcticExtentAnomalyMkm2),
    iceTrend12m: [...lastOfMonth].slice(-12).map(([month, row]) => ({
      month,
      extentMkm2: row.extentMkm2,
      anomalyMkm2: iceAnomaly(row, medians),
    })),
  };
}

interface OceanMonth {
  readonly month: number;
  readonly anomalyC: number;
}

/**
 * Computes the anomaly of the newest month: its value minus the mean of the same calendar month in the years 1971 to
 * 2000.
 */
function surfaceMembers(months: readonly OceanMonth[]): Members {
  const last = newest(months, ({ month }) => month);
  const base = months.filter(({ month }) => {
    const date = dateOf(month);
    return last && date.month === dateOf(last.month).month && date.year >= 1971 && date.year <= 2000;
  });
  if (!last || base.length < 30) return { sstAnomalyC: undefined, sstAnomalyCObservedAt: undefined };
  let sum = 0;
  for (const { anomalyC } of base) sum += anomalyC;
  return { sstAnomalyC: rounded(last.anomalyC - sum / base.length, 3), sstAnomalyCObservedAt: last.month };
}

export const oceans: AnswerCheck = {
  operation: "climate/get-ocean-ice-data",
  what: "anomalies and trend of sea ice, anomaly of sea surface temperature",
  recompute({ from, served }) {
    const stored = from("ocean-ice");
    const days = rowsOf<IceDay>(stored, "extent");
    const medianRows = rowsOf<{ readonly dayOfYear: number; readonly medianMkm2: number }>(stored, "median");
    const medians = new Map(medianRows.map(({ dayOfYear, medianMkm2 }) => [dayOfYear, medianMkm2]));
    const [level] = rowsOf<{
      readonly mmAbove1993?: number;
      readonly mmPerYear?: number;
      readonly unchangedSince?: number;
    }>(stored, "seaLevel");
    const heats = rowsOf<{ readonly at: number; readonly zettajoules: number }>(stored, "heat");
    const heat = newest(heats, ({ at }) => at);
    const months = rowsOf<OceanMonth>(stored, "temperature");
    const times = [...days.map(({ day }) => day), ...heats.map(({ at }) => at), ...months.map(({ month }) => month)];
    return {
      data: {
        ...iceMembers(days, medians, served as ServedIce),
        ...surfaceMembers(months),
        seaLevelMmAbove1993: level?.mmAbove1993,
        seaLevelAnnualRiseMm: level?.mmPerYear,
        seaLevelUnchangedSince: level?.unchangedSince,
        ohc0700mZj: heat?.zettajoules,
        ohc0700mZjObservedAt: heat?.at,
        measuredAt: newest(times, (at) => at),
      },
    };
  },
};
