import { DAY_MS } from "../../kit/clock.js";
import { daysFrom, today } from "../models/days.js";
import { bell, streamFor } from "../models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  type SimulatedRoute,
  simulatedUpstream,
} from "../upstream.js";

const FOLDER = "/webdata/ccgg/trends";

/** NOAA's greenhouse gas files: white-space columns below a commented head. */
export const upstream = simulatedUpstream({
  name: "noaa-gml",
  routes: [
    file("/co2/co2_daily_mlo.txt", "# Simulated daily means at Mauna Loa.\n# year month day decimal ppm\n", dailyRows),
    file("/co2/co2_mm_mlo.txt", "# Simulated monthly means at Mauna Loa.\n#\n", monthlyRows),
    file("/co2/co2_annmean_gl.txt", "# Simulated global annual means.\n# year     mean      unc\n", annualRows),
    file(
      "/co2/co2_gr_mlo.txt",
      "# Simulated annual growth at Mauna Loa.\n#\n  year        growth        unc\n",
      growthRows,
    ),
    file(
      "/ch4/ch4_mm_gl.txt",
      "# Simulated global monthly CH4.\n# year month decimal average unc trend unc\n\n",
      methaneRows,
    ),
    file(
      "/n2o/n2o_mm_gl.txt",
      "# Simulated global monthly N2O.\n# year month decimal average unc trend unc\n\n",
      nitrousOxideRows,
    ),
  ],
});

function file(path: string, head: string, rows: (now: number, seed: number) => readonly string[]): SimulatedRoute {
  return {
    host: "gml.noaa.gov",
    path: FOLDER + path,
    handle: ({ clock, seed }: SimulatedRequest): SimulatedAnswer => ({
      status: 200,
      contentType: "text/plain; charset=UTF-8",
      body:
        head +
        rows(clock.now(), seed)
          .map((row) => `${row}\n`)
          .join(""),
      lastModifiedAt: today(clock.now()),
    }),
    variants: {
      // Dates with dashes instead of columns.
      changed: (text) => text.replace(/^( *\d{4})(.*)$/gm, "$1-01-01;x"),
      empty: (text) => text.replace(/^ *\d{4} .*\n/gm, ""),
      badRow: (text) => rewriteMiddle(text, /^ *\d{4} .*$/gm, (row) => row.replace(/\d+\.\d+/g, "abc")),
    },
  };
}

/** CO2 in ppm without its seasons: 316 in 1959, 427 in 2026. */
const co2Trend = (year: number): number => 280 + 35.9 * Math.exp((year - 1958.5) * 0.0207);
/** At Mauna Loa the year's highest value comes in May. */
const co2Season = (year: number): number => 3 * Math.sin(2 * Math.PI * (year - 0.12));

function dailyRows(now: number, seed: number): readonly string[] {
  const random = streamFor(seed, "co2 daily");
  return daysFrom(Date.UTC(1974, 4, 19), today(now) - DAY_MS).flatMap(({ year, month, day, dayOfYear }) => {
    const decimal = year + (dayOfYear - 0.5) / 365.25;
    const [value, chance] = [co2Trend(decimal) + co2Season(decimal) + 0.3 * bell(random), random()];
    // Some days are absent, a few have a row without a value.
    if (chance < 0.1) return [];
    return row(
      [year, 4],
      [month, 4],
      [day, 4],
      [decimal.toFixed(4), 12],
      [(chance < 0.101 ? -999.99 : value).toFixed(2), 10],
    );
  });
}

interface Month {
  readonly year: number;
  readonly month: number;
  readonly decimal: number;
}

/** Months from `first` to the last one published, `lagMonths` after its end and on the fifth day. */
function monthsFrom(first: Month | { year: number; month: number }, now: number, lagMonths: number): readonly Month[] {
  const published = new Date(now - 4 * DAY_MS);
  const last = published.getUTCFullYear() * 12 + published.getUTCMonth() - 1 - lagMonths;
  const start = first.year * 12 + first.month - 1;
  return Array.from({ length: Math.max(0, last - start + 1) }, (_, index) => {
    const [year, month] = [Math.floor((start + index) / 12), ((start + index) % 12) + 1];
    return { year, month, decimal: year + (month - 0.5) / 12 };
  });
}

function monthlyRows(now: number, seed: number): readonly string[] {
  const random = streamFor(seed, "co2 monthly");
  return monthsFrom({ year: 1958, month: 3 }, now, 0).flatMap(({ year, month, decimal }) => {
    const noise = 0.15 * bell(random);
    const [trend, mean] = [co2Trend(decimal) + noise, co2Trend(decimal) + co2Season(decimal) + noise];
    const isOld = year < 1974 || (year === 1974 && month < 5);
    return row(
      ...([
        [year, 5],
        [month, 5],
        [decimal.toFixed(4), 12],
        [mean.toFixed(2), 12],
        [trend.toFixed(2), 12],
      ] as const),
      ...(isOld
        ? ([
            ["-1", 7],
            ["-9.99", 8],
            ["-0.99", 8],
          ] as const)
        : ([
            ["26", 7],
            ["0.43", 8],
            ["0.16", 8],
          ] as const)),
    );
  });
}

function lastFullYear(now: number): number {
  // Annual means of a year are out in April of the next.
  return new Date(now - 100 * DAY_MS).getUTCFullYear() - 1;
}

function annualRows(now: number, seed: number): readonly string[] {
  const random = streamFor(seed, "co2 annual");
  return Array.from({ length: lastFullYear(now) - 1978 }, (_, index) => 1979 + index).flatMap((year) =>
    row([year, 6], [(co2Trend(year + 0.5) - 0.4 + 0.05 * bell(random)).toFixed(2), 9], ["0.10", 7]),
  );
}

function growthRows(now: number, seed: number): readonly string[] {
  const random = streamFor(seed, "co2 growth");
  return Array.from({ length: lastFullYear(now) - 1958 }, (_, index) => 1959 + index).flatMap((year) =>
    row([year, 6], [(co2Trend(year + 1) - co2Trend(year) + 0.3 * bell(random)).toFixed(2), 12], ["0.11", 12]),
  );
}

const LAG_MONTHS = 3;

/** A global monthly series; the newest months have no uncertainty yet. */
function gasRows(months: readonly Month[], levelAt: (year: number) => number, season: number): readonly string[] {
  return months.flatMap(({ year, month, decimal }, index) => {
    const isNew = index >= months.length - 3;
    const [trend, mean] = [levelAt(decimal), levelAt(decimal) + season * Math.cos(2 * Math.PI * decimal)];
    const uncertainty = isNew ? "-9.99" : "0.60";
    return row(
      ...([
        [year, 6],
        [month, 8],
        [decimal.toFixed(3), 14],
        [mean.toFixed(2), 14],
        [uncertainty, 14],
      ] as const),
      ...([
        [trend.toFixed(2), 14],
        [uncertainty, 14],
      ] as const),
    );
  });
}

function methaneRows(now: number): readonly string[] {
  const level = (year: number): number =>
    1_630 + 307 * (1 - Math.exp(-(year - 1983) / 17.5)) - 20 * Math.exp(-(((year - 2005) / 8) ** 2));
  return gasRows(monthsFrom({ year: 1983, month: 7 }, now, LAG_MONTHS), level, 6);
}

function nitrousOxideRows(now: number): readonly string[] {
  const level = (year: number): number => 315.6 + 0.72 * (year - 2001) + 0.0085 * (year - 2001) ** 2;
  return gasRows(monthsFrom({ year: 2001, month: 1 }, now, LAG_MONTHS), level, 0.3);
}

/** One line; each cell with its width. */
function row(...cells: readonly (readonly [value: string | number, width: number])[]): string[] {
  return [cells.map(([value, width]) => String(value).padStart(width)).join("")];
}
