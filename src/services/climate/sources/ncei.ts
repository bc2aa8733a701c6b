import { Type } from "typebox";
import { BadRow, followUp, LeftOut, type Licence, SourceFailure, source, step } from "../../../contract/source.js";
import { oceanRanges } from "./climate-ranges.js";
import { numberIn } from "./number-cell.js";

const HOST = "https://www.ncei.noaa.gov/data";

const licence: Licence = {
  name: "US government work",
  attribution: "NOAA National Centers for Environmental Information",
  open: true,
};

/** Heat content anomaly of the world ocean, 0 to 700 m. */
export interface OceanHeat {
  /** Middle of the year, epoch ms. */
  readonly at: number;
  readonly zettajoules: number;
}

/** The file's unit is 10²² J; a zettajoule is 10²¹ J. */
const ZJ_PER_UNIT = 10;

export const oceanHeat = source({
  id: "ncei-ocean-heat",
  title: "NCEI ocean heat content, 0-700 m, yearly",
  home: "https://www.ncei.noaa.gov/access/global-ocean-heat-content/",
  seen: "described",
  licence,
  steps: {
    years: step({
      request: () => ({
        key: "h22-w0-700m",
        url: `${HOST}/oceans/woa/DATA_ANALYSIS/3M_HEAT_CONTENT/DATA/basin/yearly/h22-w0-700m.dat`,
        timeoutMs: 60_000,
      }),
      format: { kind: "columns", comment: "#" },
      row: Type.Array(Type.String(), { minItems: 2 }),
      *rows([header = [], ...lines]) {
        if (header[0] !== "YEAR" || header[1] !== "WO") {
          throw new SourceFailure(
            "changed",
            `expected the columns YEAR, WO, got ${header.slice(0, 2).join(", ").slice(0, 40)}`,
          );
        }
        yield* lines;
      },
      record([year = "", world = ""]): OceanHeat | LeftOut {
        const [middle, value] = [numberIn(year), numberIn(world)];
        if (middle < 1900 || middle >= 2200) throw new BadRow(`${middle} is not a year`);
        // -9.99 is not taken for a sentinel, because the world's value of an early year may be near it.
        if (value <= MISSING) return new LeftOut("no value");
        const days = (middle % 1) * 365;
        return {
          at: Date.UTC(Math.floor(middle), 0) + Math.round(days * 86_400_000),
          // The file has three decimals, so ten times its values have two.
          zettajoules: Math.round(value * ZJ_PER_UNIT * 100) / 100 + 0,
        };
      },
    }),
  },
  ranges: oceanRanges,
  observedAt: ({ at }) => at,
});

/** Ocean surface temperature anomaly of a month, relative to the file's own base years. */
export interface OceanTemperature {
  /** First of the month, epoch ms. */
  readonly month: number;
  readonly anomalyC: number;
}

const VERSIONS = `${HOST}/noaa-global-surface-temperature/`;
const VERSION_FOLDER = /href="v(\d{1,4}(?:\.\d{1,4}){0,2})\/?"/g;
/** Earlier versions are superseded: their newest files are months old. */
const OLDEST_VERSION = "6.1";
/**
 * Number of versions to try, newest first. More than one is tried, because the request for the folder of a new version
 * gets a 404 until the folder is filled.
 */
const VERSIONS_TRIED = 3;
const SERIES_FILE = /aravg\.mon\.ocean\.90S\.90N\.v[\d.]{1,16}\.(\d{6})\.asc/g;

/** The folder of a version, and the versions to try if it is missing. */
interface VersionFolder {
  readonly version: string;
  readonly older: readonly string[];
}

const series = followUp({
  request: ({ folder, name }: { readonly folder: string; readonly name: string }) => ({
    key: name,
    url: folder + name,
  }),
  format: { kind: "text" },
  row: Type.Array(Type.String(), { minItems: 3 }),
  *rows(text) {
    for (const line of text.split("\n")) if (line.trim() !== "") yield line.trim().split(/\s+/);
  },
  record([year = "", month = "", anomaly = ""]): OceanTemperature | LeftOut {
    const [y, m, anomalyC] = [numberIn(year), numberIn(month), numberIn(anomaly)];
    if (!Number.isInteger(y) || y < 1800 || !Number.isInteger(m) || m < 1 || m > 12) {
      throw new BadRow(`${year}-${month} is not a month`);
    }
    return anomalyC <= MISSING ? new LeftOut("no value") : { month: Date.UTC(y, m - 1), anomalyC };
  },
  observedAt: ({ month }) => month,
});

const folder = followUp({
  request: ({ version }: VersionFolder) => ({ key: `folder v${version}`, url: folderOf(version) }),
  instead: ({ status }, { older }) => (status === 404 && older.length > 0 ? foldersOf(older) : undefined),
  format: { kind: "text" },
  row: Type.Object({ name: Type.String(), month: Type.String() }),
  rows: (listing) => [...listing.matchAll(SERIES_FILE)].map(([name, month]) => ({ name, month })),
  record: (file) => file,
  rowsMin: 0,
  next(files, { version }) {
    const newest = files.toSorted((a, b) => a.month.localeCompare(b.month)).at(-1);
    if (newest === undefined) throw new SourceFailure("changed", "the folder lists no monthly series of the ocean");
    return [series.about({ folder: folderOf(version), name: newest.name })];
  },
});

const versions = step({
  request: () => ({ key: "versions", url: VERSIONS }),
  format: { kind: "text" },
  row: Type.String(),
  rows: (listing) => [...listing.matchAll(VERSION_FOLDER)].map(([, version]) => version),
  record: (version) => (compareVersions(version, OLDEST_VERSION) >= 0 ? version : new LeftOut("older version")),
  rowsMin: 0,
  next(recent) {
    if (recent.length === 0) {
      throw new SourceFailure("changed", `the list of versions names no folder from v${OLDEST_VERSION} on`);
    }
    const newest = [...new Set(recent)].toSorted((a, b) => compareVersions(b, a)).slice(0, VERSIONS_TRIED);
    return foldersOf(newest).map(folder.about);
  },
});

/**
 * Reads the list of versions, then the newest version's list of files, then the newest monthly series of the world
 * ocean.
 */
export const oceanTemperature = source({
  id: "ncei-ocean-temperature",
  title: "NOAAGlobalTemp, ocean, monthly",
  home: "https://www.ncei.noaa.gov/products/land-based-station/noaa-global-temp",
  seen: "described",
  licence,
  steps: { versions, folder, series },
  combine({ versions: { records: folders }, folder: { records: files }, series: { records } }, tally) {
    tally.joined("entries of the lists of files", folders.length + files.length);
    return records;
  },
  ranges: oceanRanges,
  observedAt: ({ month }) => month,
});

function folderOf(version: string): string {
  return `${VERSIONS}v${version}/access/timeseries/`;
}

/** Returns the folder of the first version, with the versions to try if it is missing. */
function foldersOf([version, ...older]: readonly string[]): readonly VersionFolder[] {
  return version === undefined ? [] : [{ version, older }];
}

/** Compares versions numerically, part by part: 6.10 comes after 6.9, and 7 after both. */
function compareVersions(a: string, b: string): number {
  const [first, second] = [a, b].map((version) => version.split(".").map(Number));
  const difference = [0, 1, 2]
    .map((index) => (first?.[index] ?? 0) - (second?.[index] ?? 0))
    .find((step) => step !== 0);
  return difference ?? 0;
}

/**
 * Values up to this limit are treated as missing, in °C as in 10²² J. NOAA's sentinels for a missing value are -99.99,
 * -999 and -999.99.
 */
const MISSING = -90;
