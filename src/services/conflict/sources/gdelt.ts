import { type Static, Type } from "typebox";
import type { GeoCoordinates } from "../../../contract/coordinates.js";
import { LeftOut, SourceFailure, source, step } from "../../../contract/source.js";
import { countryName } from "../../../geography/countries.js";
import { countryAt } from "../../../geography/country-at.js";
import { HOUR_MS } from "../../../kit/clock.js";
import { memberOf } from "../../../kit/member-of.js";
import type { AlphaConflictEvent } from "../records.js";
import type { ExportSpan } from "../rules/export-spans.js";
import { dayOf, positionOf } from "./cells.js";
import { eventRanges } from "./event-ranges.js";

const FOLDER = "https://storage.googleapis.com/data.gdeltproject.org/gdeltv2/";
/**
 * GDELT lists all its files. Every 15 minutes it adds an export, a file with the newest events. Only the tail of the
 * list is read: the whole list is larger than 100 MB, and the newest files are at its end.
 */
const LIST_TAIL_BYTES = 16_384;
/** Every run reads this many exports from the end of the list. */
export const EXPORTS_LISTED = 8;
const EXPORT_AGE_MS_MAX = 3 * HOUR_MS;
const COLUMNS = 61;

/**
 * Countries with armed conflict, by the FIPS 10-4 codes that GDELT uses. In other countries, the events with the root
 * codes in `eventTypes` are mostly crimes.
 */
const countryOfFips: Readonly<Record<string, string>> = {
  AF: "AF",
  BM: "MM",
  CD: "TD",
  CG: "CD",
  CM: "CM",
  CO: "CO",
  CT: "CF",
  ET: "ET",
  GZ: "PS",
  HA: "HT",
  IS: "IL",
  IZ: "IQ",
  LE: "LB",
  ML: "ML",
  MZ: "MZ",
  NG: "NE",
  NI: "NG",
  OD: "SS",
  PK: "PK",
  SO: "SO",
  SU: "SD",
  SY: "SY",
  UP: "UA",
  UV: "BF",
  WE: "PS",
  YM: "YE",
};

/** The root codes of violent events in CAMEO, the code book of GDELT, each with the event type that is served. */
const eventTypes: Readonly<Record<string, string>> = {
  "18": "Assault",
  "19": "Fight",
  "20": "Unconventional mass violence",
};

/** Longitude between the Gaza Strip and the West Bank. */
const WEST_OF_THE_WEST_BANK = 34.7;

/** Kinds of place that are more precise than a country or a US state. */
const precisePlaces: ReadonlySet<string> = new Set(["3", "4", "5"]);

export interface GdeltPlan {
  readonly now: number;
  /** Missed exports to read in addition to the newest ones, epoch ms. */
  readonly missed: readonly number[];
}

/** Age from which a missing export is assumed to have never been published. */
const LATE_MS_MAX = 6 * HOUR_MS;

/** The request for one export. */
interface ExportFile {
  /** Time in the export's name, epoch ms. */
  readonly at: number;
  /**
   * The request's name, under which its answer is stored. Names are reused, because answers would pile up if every
   * export had its own name.
   */
  readonly key: string;
  /** The export's entry in the list; absent for a missed export. */
  readonly listed?: { readonly bytes: number; readonly md5: string };
  /** True if the export is so old that a missing file is assumed to have never been published. */
  readonly isOverdue: boolean;
}

const exportFile = step({
  /** Requests the missed exports. Each run numbers their keys from 1. */
  ask: ({ now, missed }: GdeltPlan): readonly ExportFile[] =>
    missed.map((at, index) => {
      const isOverdue = at < now - LATE_MS_MAX;
      return { at, key: `${isOverdue ? "missed" : "late"} ${index + 1}`, isOverdue };
    }),
  request: ({ at, key, listed }) => ({
    key,
    url: `${FOLDER}${new Date(at).toISOString().replace(/\.\d+Z$|\D/g, "")}.export.CSV.zip`,
    ...(listed && { integrity: listed }),
  }),
  /**
   * A missed export that cannot be read does not fail the run. A later run requests it again, unless it is overdue and
   * the answer was a 404.
   */
  instead: (_failure, { listed }) => (listed === undefined ? [] : undefined),
  format: { kind: "tsv", zipped: true },
  row: Type.Array(Type.String(), { minItems: COLUMNS, maxItems: COLUMNS }),
  rows: (lines) => lines,
  record: eventOf,
  observedAt: ({ occurredAt }) => occurredAt,
});

const ListedExport = Type.Object({ stamp: Type.String(), bytes: Type.Number(), md5: Type.String() });

const list = step({
  request: (_plan: GdeltPlan) => ({
    key: "list",
    url: `${FOLDER}masterfilelist.txt`,
    headers: { Range: `bytes=-${LIST_TAIL_BYTES}` },
    bytesMax: 1_048_576,
  }),
  format: { kind: "text" },
  row: ListedExport,
  rows(text) {
    const exports = exportsIn(text);
    if (exports.length === 0) throw new SourceFailure("changed", "expected size, MD5 and address in the list");
    return exports;
  },
  record: (listed) => listed,
  next(exports, { now }) {
    const newest = exports.slice(-EXPORTS_LISTED);
    const last = newest.at(-1)?.stamp ?? "";
    if (instantOf(last) >= now - EXPORT_AGE_MS_MAX) return newest.map((listed) => exportFile.about(listedFile(listed)));
    throw new SourceFailure("unavailable", `the newest export is from ${last}; expected one from the last three hours`);
  },
});

/**
 * Violence in countries at war, coded by machine from news. A run reads the exports of the last two hours, and exports
 * that earlier runs missed.
 */
export const gdelt = source({
  id: "gdelt-events",
  title: "GDELT 2.0 events, 15-minute exports",
  home: "https://www.gdeltproject.org/data.html",
  seen: "recorded",
  unseen: "a whole file of 2024 or later",
  licence: {
    name: "Free for any use with citation",
    url: "https://www.gdeltproject.org/about.html#termsofuse",
    attribution: "The GDELT Project (https://www.gdeltproject.org/)",
    open: true,
  },
  steps: { list, exports: exportFile },
  combine({ list: { records: listed }, exports }, tally) {
    tally.joined("lines of the list of exports", listed.length);
    return exports.records;
  },
  ranges: { ...eventRanges, bytes: [0, 1e9] },
  /**
   * Reports the exports that need no further request: those that were read, and those that are assumed to have never
   * been published.
   */
  progress: ({ exports }): readonly ExportSpan[] =>
    exports
      .filter(({ context, isRead, failure }) => isRead || (context.isOverdue && failure?.status === 404))
      .map(({ context: { at } }) => ({ firstExportAt: at, lastExportAt: at })),
  recordsMin: 0,
  observedAt: ({ occurredAt }) => occurredAt,
});

/**
 * Matches one line of the list, `size md5 address`. The oldest export comes first. The first line may be incomplete,
 * because only the end of the list is read. Exports are requested from the host in `FOLDER`, not from the host in the
 * list.
 */
const LINE = /^(\d+) ([0-9a-f]{32}) https?:\/\/data\.gdeltproject\.org\/gdeltv2\/(\d{14})\.export\.CSV\.zip$/gim;

function exportsIn(text: string): readonly Static<typeof ListedExport>[] {
  return [...text.replaceAll("\r", "").matchAll(LINE)].map(([, bytes, md5 = "", stamp = ""]) => ({
    stamp,
    md5: md5.toLowerCase(),
    bytes: Number(bytes),
  }));
}

/** Names a request after the export's time of day, so that the next day's answer replaces this one in the store. */
function listedFile({ stamp, bytes, md5 }: Static<typeof ListedExport>): ExportFile {
  return { at: instantOf(stamp), key: `export ${stamp.slice(8, 12)}`, listed: { bytes, md5 }, isOverdue: false };
}

/** Converts `yyyymmddHHMMSS` to epoch ms; returns NaN for any other text. */
function instantOf(stamp: string): number {
  return Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, "$1-$2-$3T$4:$5:$6Z"));
}

function eventOf(cells: readonly string[]): AlphaConflictEvent | LeftOut {
  const [id = "", day = ""] = cells;
  const [root, quadClass, place, fips = ""] = [cells[28] ?? "", cells[29], cells[51] ?? "", cells[53]];
  const [eventType, listedCode] = [memberOf(eventTypes, root), memberOf(countryOfFips, fips)];
  if (cells[25] !== "1") return new LeftOut("not the subject of its article");
  if (quadClass !== "4" || eventType === undefined) return new LeftOut("not political violence");
  if (listedCode === undefined) return new LeftOut("country not at war");
  const location = precisePlaces.has(place) ? positionOf(cells[56], cells[57]) : undefined;
  if (location === undefined) return new LeftOut("no position");
  const code = listedCode === "IL" && isInGaza(location) ? "PS" : listedCode;
  const admin1 = admin1In(cells[52] ?? "");
  return {
    id: `gdelt-${id}`,
    country: countryName(code) ?? code,
    ...(admin1 !== undefined && { admin1 }),
    actors: [cells[6], cells[16]].flatMap((actor) => actor?.trim() || []),
    eventType,
    fatalities: 0,
    fatalitiesKnown: false,
    location,
    occurredAt: dayOf(day.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3")),
    source: `GDELT: ${siteOf(cells[60] ?? "")}`,
  };
}

/** GDELT lists some places in the Gaza Strip as places in Israel ("Gaza, Israel (general), Israel"). */
function isInGaza(location: GeoCoordinates): boolean {
  return location.longitude < WEST_OF_THE_WEST_BANK && countryAt(location) === "PS";
}

/**
 * Extracts the division from a name such as "Bakhmut, Donets'ka Oblast', Ukraine" (place, division, country). Some
 * names have only division and country. If GDELT does not know the division, it repeats the country instead, as in
 * "Haifa, Israel (general), Israel".
 */
function admin1In(fullName: string): string | undefined {
  const division = fullName.split(",").at(-2)?.trim();
  return division?.endsWith("(general)") ? undefined : division || undefined;
}

function siteOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "news";
}
