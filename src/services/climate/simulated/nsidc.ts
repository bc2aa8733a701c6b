import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";
import { type IceDay, iceDays, normalExtent } from "./models/sea-ice.js";

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

const DAILY_HEAD = `Year, Month, Day,     Extent,    Missing, Source Data
YYYY,    MM,  DD, 10^6 sq km, 10^6 sq km, Source data product web sites: http://nsidc.org/data/nsidc-0081.html and http://nsidc.org/data/nsidc-0051.html
`;

function answerDaily({ clock, seed }: SimulatedRequest): SimulatedAnswer {
  let body = DAILY_HEAD;
  for (const day of iceDays(clock.now(), seed)) body += dailyRow(day);
  return { status: 200, contentType: "text/csv", body, etag: true };
}

function dailyRow({ on, extent }: IceDay): string {
  const [year, month, date] = [on.slice(0, 4), on.slice(5, 7), on.slice(8)];
  const cell = extent.toFixed(3).padStart(11);
  return `${year},    ${month},  ${date},${cell},      0.000,${sourceOf(year, month, date)}\n`;
}

/** From this year on, the source files of a row are near-real-time files. Most rows have two, in a quoted list. */
const NEAR_REAL_TIME_FROM = "2025";

/** Writes a Python list of the source files of a row; a cell with commas is quoted. */
function sourceOf(year: string, month: string, date: string): string {
  if (year < NEAR_REAL_TIME_FROM) {
    return ` ['/simulated/NSIDC-0051.001/${year}.${month}.${date}/nt_${year}${month}${date}_v1.1_n.bin']`;
  }
  const path = `/simulated/NSIDC-0803_v2/NSIDC-0803_SEAICE_AMSR2_N_${year}${month}${date}`;
  return date.endsWith("7") ? ` ['${path}_v2.0.nc']` : `"['${path}_a_v2.0.nc', '${path}_b_v2.0.nc']"`;
}

const CLIMATOLOGY_HEAD = `Simulated, Northern Hemisphere daily extent in 10^6 sq km, 1981 to 2010
DOY,   Average Extent,   Std Deviation,      10th,      25th,      50th,      75th,      90th
`;

function answerClimatology(): SimulatedAnswer {
  const rows = Array.from({ length: 366 }, (_, index) => climatologyRow(index + 1));
  return { status: 200, contentType: "text/csv", body: CLIMATOLOGY_HEAD + rows.join(""), etag: true };
}

/**
 * Builds the row of a day of the year. Its median is the mean of the normal extents in 1995 and 1996, which are the two
 * middle years of 1981 to 2010.
 */
function climatologyRow(dayOfYear: number): string {
  const median = (normalExtent(1995, dayOfYear) + normalExtent(1996, dayOfYear)) / 2;
  const spread = [-0.6, -0.3, 0, 0.3, 0.55].map((distance) => (median + distance).toFixed(3).padStart(10));
  const cells = [(median - 0.03).toFixed(3).padStart(17), "0.420".padStart(16), ...spread];
  return `${String(dayOfYear).padStart(3, "0")},${cells.join(",")}\n`;
}
