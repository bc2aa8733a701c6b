import { Type } from "typebox";
import { BadRow, type Licence, SourceFailure, source } from "../../../contract/source.js";
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

/** The file counts in 10²² J; a zettajoule is 10²¹ J. */
const ZJ_PER_UNIT = 10;

export const oceanHeat = source({
  id: "ncei-ocean-heat",
  title: "NCEI ocean heat content, 0-700 m, yearly",
  home: "https://www.ncei.noaa.gov/access/global-ocean-heat-content/",
  seen: "described",
  licence,
  credentials: [],
  requests: (_plan: object) => [
    {
      key: "h22-w0-700m",
      url: `${HOST}/oceans/woa/DATA_ANALYSIS/3M_HEAT_CONTENT/DATA/basin/yearly/h22-w0-700m.dat`,
      format: { kind: "columns", comment: "#" },
      timeoutMs: 60_000,
    },
  ],
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
  record([year = "", world = ""]): OceanHeat {
    const [middle, value] = [numberIn(year), numberIn(world)];
    if (middle < 1900 || middle >= 2200) throw new BadRow(`${middle} is not a year`);
    const days = (middle % 1) * 365;
    return {
      at: Date.UTC(Math.floor(middle), 0) + Math.round(days * 86_400_000),
      // The file gives three decimals, so ten times as much has two.
      zettajoules: Math.round(value * ZJ_PER_UNIT * 100) / 100 + 0,
    };
  },
  observedAt: ({ at }) => at,
});

/** Ocean surface temperature of a month as it differs from the file's own base years. */
export interface OceanTemperature {
  /** First of the month, epoch ms. */
  readonly month: number;
  readonly anomalyC: number;
}

const SERIES_FOLDER = `${HOST}/noaa-global-surface-temperature/v6/access/timeseries/`;
const SERIES_FILE = /aravg\.mon\.ocean\.90S\.90N\.v[\d.]+?\.(\d{6})\.asc/g;

/** The folder's list of files, then the newest of the monthly series of the world ocean. */
export const oceanTemperature = source({
  id: "ncei-ocean-temperature",
  title: "NOAAGlobalTemp v6, ocean, monthly",
  home: "https://www.ncei.noaa.gov/products/land-based-station/noaa-global-temp",
  seen: "described",
  licence,
  credentials: [],
  requests: (_plan: object) => [{ key: "folder", url: SERIES_FOLDER, format: { kind: "text" } }],
  more(listing, { key }) {
    if (key !== "folder") return [];
    const newest = [...listing.matchAll(SERIES_FILE)]
      .toSorted(([, a = ""], [, b = ""]) => a.localeCompare(b))
      .at(-1)?.[0];
    if (newest === undefined) throw new SourceFailure("changed", "the folder lists no monthly series of the ocean");
    return [{ key: newest, url: SERIES_FOLDER + newest, format: { kind: "text" } }];
  },
  row: Type.Array(Type.String(), { minItems: 3 }),
  *rows(text, { key }) {
    if (key === "folder") return;
    for (const line of text.split("\n")) if (line.trim() !== "") yield line.trim().split(/\s+/);
  },
  record([year = "", month = "", anomaly = ""]): OceanTemperature | undefined {
    const [y, m, anomalyC] = [numberIn(year), numberIn(month), numberIn(anomaly)];
    if (!Number.isInteger(y) || y < 1800 || !Number.isInteger(m) || m < 1 || m > 12) {
      throw new BadRow(`${year}-${month} is not a month`);
    }
    return anomalyC <= MISSING_C ? undefined : { month: Date.UTC(y, m - 1), anomalyC };
  },
  observedAt: ({ month }) => month,
});

/** -999 stands for no value; no ocean is ever so far from normal. */
const MISSING_C = -90;
