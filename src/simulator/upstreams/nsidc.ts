import { DAY_MS } from "../../kit/clock.js";
import { type Day, daysFrom, today } from "../models/days.js";
import { bell, rememberPerSeed, streamFor } from "../models/random-stream.js";
import { rewriteMiddle, type SimulatedAnswer, type SimulatedRequest, simulatedUpstream } from "../upstream.js";

const FOLDER = "/NOAA/G02135/north/daily/data";
const ROW = /^\s*\d.*$/gm;

/** NSIDC's Sea Ice Index: the daily Arctic extent since 1978 and its climatology. */
export const upstream = simulatedUpstream({
  name: "nsidc",
  routes: [
    {
      host: "noaadata.apps.nsidc.org",
      path: `${FOLDER}/N_seaice_extent_daily_v4.0.csv`,
      handle: answerDaily,
      variants: {
        changed: (csv) => csv.replace("Year, Month, Day,     Extent", "Date, Area"),
        empty: (csv) => csv.replace(/^\d.*\n/gm, ""),
        badRow: (csv) => rewriteMiddle(csv, ROW, () => "2019,    13,  45,        abc,      0.000, []"),
      },
    },
    {
      host: "noaadata.apps.nsidc.org",
      path: `${FOLDER}/N_seaice_extent_climatology_1981-2010_v4.0.csv`,
      handle: answerClimatology,
      variants: {
        changed: (csv) => csv.replace("DOY", "Day of year"),
        empty: (csv) => csv.replace(/^\d.*\n/gm, ""),
        badRow: (csv) => rewriteMiddle(csv, ROW, () => "999, abc, abc, abc, abc, abc, abc, abc"),
      },
    },
  ],
});

const DAILY_SINCE = Date.UTC(1987, 7, 20);
const OUTAGE = [Date.UTC(1987, 11, 3), Date.UTC(1988, 0, 12)] as const;

function answerDaily({ clock, seed }: SimulatedRequest): SimulatedAnswer {
  const last = today(clock.now()) - DAY_MS;
  const rows = extentsOf(seed)(last).map(({ day, extent }) => {
    const [month, date] = [day.month, day.day].map((value) => String(value).padStart(2, "0"));
    const name = `${day.year}.${month}.${date}`;
    return `${day.year},    ${month},  ${date},${extent.toFixed(3).padStart(11)},      0.000, ['/simulated/${name}.bin']\n`;
  });
  const head =
    "Year, Month, Day,     Extent,    Missing, Source Data\nYYYY,    MM,  DD, 10^6 sq km, 10^6 sq km, Simulated\n";
  return { status: 200, contentType: "text/csv", body: head + rows.join(""), etag: true };
}

/** The record up to a day; the last one asked for is remembered. */
const extentsOf = rememberPerSeed((seed) => {
  let known: { last: number; rows: readonly { readonly day: Day; readonly extent: number }[] } | undefined;
  return (last: number) => {
    if (known?.last !== last) known = { last, rows: measured(seed, last) };
    return known.rows;
  };
});

function measured(seed: number, last: number) {
  const newestYear = new Date(last).getUTCFullYear();
  const years = new Map<number, { swing: number; random: () => number }>();
  const yearly = (year: number) => {
    const random = streamFor(seed, `ice ${year}`);
    const known = years.get(year) ?? { swing: 0.35 * bell(random), random };
    years.set(year, known);
    return known;
  };
  return daysFrom(Date.UTC(1978, 9, 26), last)
    .filter(({ at, year, month, day }, index) => {
      if (at < DAILY_SINCE) return index % 2 === 0;
      const isLost = at >= OUTAGE[0] && at <= OUTAGE[1];
      return !isLost && !(year === newestYear && month === 8 && day >= 10 && day <= 13);
    })
    .map((day) => {
      const { swing, random } = yearly(day.year);
      return { day, extent: normalExtent(day.year, day.dayOfYear) + swing + 0.03 * bell(random) };
    });
}

/** Million km²: most in March, least in September, and less every year, above all in summer. */
function normalExtent(year: number, dayOfYear: number): number {
  const season = Math.cos((2 * Math.PI * (dayOfYear - 72)) / 365.25);
  return 11.6 + 4.2 * season - (year - 1995) * (0.042 - 0.013 * season);
}

function answerClimatology(): SimulatedAnswer {
  const rows = Array.from({ length: 366 }, (_, index) => {
    const median = normalExtent(1995, index + 1);
    const cells = [median - 0.03, 0.42, median - 0.6, median - 0.3, median, median + 0.3, median + 0.55];
    return `${String(index + 1).padStart(3, "0")},${cells.map((cell) => cell.toFixed(3).padStart(17)).join(",")}\n`;
  });
  const head =
    "Simulated daily extent, 1981 to 2010\nDOY,   Average Extent,   Std Deviation,      10th,      25th,      50th,      75th,      90th\n";
  return { status: 200, contentType: "text/csv", body: head + rows.join(""), etag: true };
}
