import { Type } from "typebox";
import { BadRow, LeftOut, type Source, source, step } from "../../../contract/source.js";
import { gasRanges } from "./climate-ranges.js";
import { numberIn } from "./number-cell.js";

const FOLDER = "https://gml.noaa.gov/webdata/ccgg/trends";

/** The properties that distinguish the files of NOAA's Global Monitoring Laboratory. */
interface GmlFile<Stored> {
  readonly id: string;
  readonly title: string;
  /** Path below the laboratory's folder of trends. */
  readonly path: string;
  /** Number of cells in every row, except `#` lines and an uncommented header. */
  readonly columns: number;
  /** Returns the stored record, or undefined if the file marks the value as missing. */
  record(cells: readonly number[]): Stored | undefined;
  observedAt(record: Stored): number;
}

/** Declares the source of a text file with numbers in columns separated by white space. */
export function gmlFile<Stored extends object>(file: GmlFile<Stored>): Source<unknown, Stored> {
  return source({
    id: file.id,
    title: file.title,
    home: "https://gml.noaa.gov/ccgg/trends/",
    seen: "recorded",
    licence: {
      name: "US government work",
      url: "https://gml.noaa.gov/ccgg/trends/",
      attribution: "NOAA Global Monitoring Laboratory, Boulder, Colorado, USA",
      open: true,
    },
    steps: {
      file: step({
        request: () => ({ key: file.id, url: `${FOLDER}/${file.path}`, timeoutMs: 60_000 }),
        format: { kind: "columns", comment: "#" },
        row: Type.Array(Type.String(), { minItems: file.columns, maxItems: file.columns }),
        *rows(lines) {
          const [first, ...others] = lines;
          // The file of growth rates has an uncommented header.
          if (first && first[0] !== "year") yield first;
          yield* others;
        },
        record: (cells) => file.record((cells as readonly string[]).map(numberIn)) ?? new LeftOut("no value"),
      }),
    },
    observedAt: file.observedAt,
    ranges: gasRanges,
  });
}

/** Returns a mixing ratio; undefined for sentinels of a missing value, such as -9.99 and -999.99. */
export function positiveOrUndefined(value: number): number | undefined {
  return value <= 0 ? undefined : value;
}

/** Returns UTC midnight of a date in three columns; throws `BadRow` for a date that does not exist. */
export function dayOf(year: number, month: number, day: number): number {
  const at = Date.UTC(year, month - 1, day);
  const date = new Date(at);
  if (year >= 1900 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day) return at;
  throw new BadRow(`${year}-${month}-${day} is not a calendar date`);
}
