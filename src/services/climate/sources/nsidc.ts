import { Type } from "typebox";
import { BadRow, LeftOut, type Licence, SourceFailure, source, step } from "../../../contract/source.js";
import { oceanRanges } from "./climate-ranges.js";
import { numberIn } from "./number-cell.js";

const FOLDER = "https://noaadata.apps.nsidc.org/NOAA/G02135/north/daily/data";
const HOME = "https://nsidc.org/data/g02135";

const licence: Licence = {
  name: "Free with citation",
  url: HOME,
  attribution:
    "Fetterer, F. et al. Sea Ice Index, Version 4 (G02135). National Snow and Ice Data Center, Boulder, Colorado, USA",
  open: true,
};

/** Extent of the Arctic sea ice on one day. */
export interface IceExtent {
  /** UTC midnight, epoch ms. */
  readonly day: number;
  /** Million km². */
  readonly extentMkm2: number;
}

/** The complete daily record since 1978. It has values for every second day until 1987, and gaps since then. */
export const iceExtentDaily = source({
  id: "nsidc-extent-daily",
  title: "NSIDC Sea Ice Index, daily Arctic extent",
  home: HOME,
  seen: "recorded",
  licence,
  steps: {
    days: step({
      request: () => ({
        key: "daily",
        url: `${FOLDER}/N_seaice_extent_daily_v4.0.csv`,
        timeoutMs: 90_000,
      }),
      // Read as text rather than as CSV. Only the first four cells are used, so the commas in the last cell, a quoted
      // list of files, do not matter.
      format: { kind: "text" },
      row: Type.Array(Type.String(), { minItems: 4 }),
      rows: (text) => cellsBelow(text, "Year", ["Year", "Month", "Day", "Extent"]),
      record([year = "", month = "", day = "", extent = ""]): IceExtent | LeftOut {
        const at = Date.parse(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}T00:00:00Z`);
        const extentMkm2 = numberIn(extent);
        if (Number.isNaN(at) || new Date(at).getUTCDate() !== Number(day)) {
          throw new BadRow(`${year}-${month}-${day} is not a calendar date`);
        }
        return extentMkm2 > 0 ? { day: at, extentMkm2 } : new LeftOut("no value");
      },
    }),
  },
  ranges: oceanRanges,
  observedAt: ({ day }) => day,
});

/** The median extent of one day of the year in 1981-2010. */
export interface IceMedian {
  /** 1 to 366. */
  readonly dayOfYear: number;
  readonly medianMkm2: number;
}

/** Placeholder for a day that is missing in all years of the base period. */
const NO_VALUE = "nan";

export const iceMedians = source({
  id: "nsidc-extent-climatology",
  title: "NSIDC Sea Ice Index, Arctic climatology 1981-2010",
  home: HOME,
  seen: "described",
  licence,
  steps: {
    medians: step({
      request: () => ({
        key: "climatology",
        url: `${FOLDER}/N_seaice_extent_climatology_1981-2010_v4.0.csv`,
        timeoutMs: 60_000,
      }),
      format: { kind: "text" },
      row: Type.Array(Type.String(), { minItems: 6 }),
      rows: (text) => cellsBelow(text, "DOY", ["DOY", "Average Extent", "Std Deviation", "10th", "25th", "50th"]),
      record(cells): IceMedian | LeftOut {
        const dayOfYear = numberIn(cells[0]);
        if (!Number.isInteger(dayOfYear) || dayOfYear < 1 || dayOfYear > 366) {
          throw new BadRow(`${dayOfYear} is not a day of the year`);
        }
        if (cells[5]?.toLowerCase() === NO_VALUE) return new LeftOut("no value");
        const medianMkm2 = numberIn(cells[5]);
        return medianMkm2 > 0 ? { dayOfYear, medianMkm2 } : new LeftOut("no value");
      },
    }),
  },
  ranges: oceanRanges,
  observedAt: () => undefined,
});

/**
 * Yields the trimmed cells of each line below the header, which is the line that begins with `start`. Fails if the
 * header's first cells are not `names`.
 */
function* cellsBelow(text: string, start: string, names: readonly string[]): Iterable<readonly string[]> {
  const lines = text.split(/\r?\n/);
  const header = lines.findIndex((line) => line.startsWith(start));
  const cellsOf = (line: string): readonly string[] => line.split(",", names.length).map((cell) => cell.trim());
  const headerCells = cellsOf(lines[header] ?? "");
  if (names.some((name, index) => headerCells[index] !== name)) {
    const seen = (lines[Math.max(header, 0)] ?? "").slice(0, 60);
    throw new SourceFailure("changed", `expected the columns ${names.join(", ")}, got "${seen}"`);
  }
  for (const line of lines.slice(header + 1)) {
    // The second header row names the units.
    if (line.trim() !== "" && !line.startsWith("YYYY")) yield cellsOf(line);
  }
}
