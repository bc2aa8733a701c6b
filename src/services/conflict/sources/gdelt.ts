import { type Static, Type } from "typebox";
import { SourceFailure, type SourceRequest, source } from "../../../contract/source.js";
import { countryName } from "../../../geography/countries.js";
import { HOUR_MS } from "../../../kit/clock.js";
import { memberOf } from "../../../kit/member-of.js";
import type { AlphaConflictEvent } from "../records.js";
import type { ExportSpan } from "../rules/export-spans.js";
import { dayOf, positionOf } from "./cells.js";

const FOLDER = "https://storage.googleapis.com/data.gdeltproject.org/gdeltv2/";
/** The whole list has more than 100 MB; its end names the newest files. */
const LIST_TAIL_BYTES = 16_384;
/** The newest ones of the list, which are read in every run. */
export const EXPORTS_LISTED = 8;
const EXPORT_AGE_MS_MAX = 3 * HOUR_MS;
const COLUMNS = 61;

/** Countries with armed conflict by FIPS 10-4, which GDELT uses; elsewhere these codes are mostly about crime. */
const countryOfFips: Readonly<Record<string, string>> = {
  ...{ AF: "AF", BM: "MM", CD: "TD", CG: "CD", CM: "CM", CO: "CO", CT: "CF", ET: "ET", GZ: "PS", HA: "HT", IS: "IL" },
  ...{ IZ: "IQ", LE: "LB", ML: "ML", MZ: "MZ", NG: "NE", NI: "NG", OD: "SS", PK: "PK", SO: "SO", SU: "SD", SY: "SY" },
  ...{ UP: "UA", UV: "BF", WE: "PS", YM: "YE" },
};

/** Root codes of CAMEO for violence. */
const eventTypes: Readonly<Record<string, string>> = {
  "18": "Assault",
  "19": "Fight",
  "20": "Unconventional mass violence",
};

/** Kinds of place that are nearer than a country or a US state. */
const precisePlaces: ReadonlySet<string> = new Set(["3", "4", "5"]);

type ListFormat = { readonly kind: "text" };
type ExportFormat = { readonly kind: "tsv"; readonly zipped: true };
type GdeltFormat = ListFormat | ExportFormat;

const Row = Type.Array(Type.String(), { minItems: COLUMNS, maxItems: COLUMNS });

export interface GdeltPlan {
  readonly now: number;
  /** Exports to read beside the newest ones, which were missed, epoch ms. */
  readonly missed: readonly number[];
}

/** Violence in countries at war that news tell of, by a machine's reading: of the last two hours, and what was missed. */
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
  requests: ({ now, missed }: GdeltPlan): readonly SourceRequest<GdeltFormat>[] => [
    {
      key: "list",
      url: `${FOLDER}masterfilelist.txt`,
      format: { kind: "text" },
      headers: { Range: `bytes=-${LIST_TAIL_BYTES}` },
      bytesMax: 1_048_576,
      newestAtMin: now - EXPORT_AGE_MS_MAX,
    },
    ...missed.map((at, index) => missedRequest(at, index, now)),
  ],
  row: Row,
  rows(document, { key }) {
    if (typeof document !== "string") return document;
    if (exportsIn(document).length === 0)
      throw new SourceFailure("changed", `expected size, MD5 and address in ${key}`);
    return [];
  },
  more(document, { newestAtMin = 0 }) {
    if (typeof document !== "string") return [];
    const newest = exportsIn(document).slice(-EXPORTS_LISTED);
    const last = newest.at(-1)?.stamp ?? "";
    if (instantOf(last) >= newestAtMin) return newest.map(exportRequest);
    throw new SourceFailure("unavailable", `the newest export is of ${last}; expected one of the last three hours`);
  },
  notes({ key, url }, failure) {
    const firstExportAt = instantOf(/(\d{14})\.export/.exec(url)?.[1] ?? "");
    const read = [{ firstExportAt, lastExportAt: firstExportAt }];
    if (failure === undefined) return key === "list" ? [] : read;
    if (key.startsWith(MISSED)) return failure.status === 404 ? read : [];
    return key.startsWith(LATE) ? [] : undefined;
  },
  recordsMin: 0,
  record: (row): GdeltRecord | undefined => eventOf(row),
  observedAt: (record) => (isEvent(record) ? record.occurredAt : undefined),
});

/** What is kept of the exports: their events, and which of them need not be read again. */
export type GdeltRecord = AlphaConflictEvent | ExportSpan;

export function isEvent(record: GdeltRecord): record is AlphaConflictEvent {
  return "id" in record;
}

/** An export that has not come out after so long never will. */
const LATE_MS_MAX = 6 * HOUR_MS;
const MISSED = "missed ";
const LATE = "late ";

/** One of an earlier time, numbered within its run: a name for each would fill what is kept of answers. */
function missedRequest(at: number, index: number, now: number): SourceRequest<GdeltFormat> {
  const stamp = new Date(at).toISOString().replace(/\.\d+Z$|\D/g, "");
  return {
    key: `${at < now - LATE_MS_MAX ? MISSED : LATE}${index + 1}`,
    url: `${FOLDER}${stamp}.export.CSV.zip`,
    format: { kind: "tsv", zipped: true },
  };
}

interface ListedExport {
  readonly stamp: string;
  readonly bytes: number;
  readonly md5: string;
}

/** `size md5 address`, oldest first; the first line of a tail is cut. The host is ours to choose, not the list's. */
const LINE = /^(\d+) ([0-9a-f]{32}) https?:\/\/data\.gdeltproject\.org\/gdeltv2\/(\d{14})\.export\.CSV\.zip$/gim;

function exportsIn(list: string): readonly ListedExport[] {
  return [...list.replaceAll("\r", "").matchAll(LINE)].map(([, bytes, md5 = "", stamp = ""]) => ({
    ...{ stamp, md5, bytes: Number(bytes) },
  }));
}

/** Named by its time of day, so that the next day's takes its place in what is kept of answers. */
function exportRequest({ stamp, bytes, md5 }: ListedExport): SourceRequest<GdeltFormat> {
  return {
    key: `export ${stamp.slice(8, 12)}`,
    url: `${FOLDER}${stamp}.export.CSV.zip`,
    format: { kind: "tsv", zipped: true },
    integrity: { bytes, md5: md5.toLowerCase() },
  };
}

/** Epoch ms of `yyyymmddHHMMSS`; NaN for none. */
function instantOf(stamp: string): number {
  return Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, "$1-$2-$3T$4:$5:$6Z"));
}

function eventOf(cells: Static<typeof Row>): AlphaConflictEvent | undefined {
  const [id = "", day = ""] = cells;
  const [root, quadClass, place, fips = ""] = [cells[28] ?? "", cells[29], cells[51] ?? "", cells[53]];
  const [eventType, code] = [memberOf(eventTypes, root), memberOf(countryOfFips, fips)];
  if (cells[25] !== "1" || quadClass !== "4" || eventType === undefined || code === undefined) return undefined;
  const location = precisePlaces.has(place) ? positionOf(cells[56], cells[57]) : undefined;
  if (location === undefined) return undefined;
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

/** "Bakhmut, Donets'ka Oblast', Ukraine": place, division, country; a division alone stands in front of its country. */
function admin1In(fullName: string): string | undefined {
  return fullName.split(",").at(-2)?.trim() || undefined;
}

function siteOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "news";
}
