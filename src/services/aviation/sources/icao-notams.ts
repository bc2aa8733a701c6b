import { type Static, Type } from "typebox";
import { query } from "../../../contract/auth.js";
import type { RowTally } from "../../../contract/row-tally.js";
import { BadRow, LeftOut, SourceFailure, source, step } from "../../../contract/source.js";
import { type Airport, airportByIcao } from "../../../geography/airports.js";
import { onOneLine, validityIn } from "../rules/airports/closure-notice.js";
import { notamText } from "../rules/airports/notam-text.js";
import { type NoticeKind, noticeKind } from "../rules/airports/notice-kind.js";

/** A NOTAM of a monitored airport. */
export interface AirportNotice {
  readonly iata: string;
  readonly kind: NoticeKind;
  /** The message; only for a closure or restriction. */
  readonly text?: string;
  /**
   * The daily hours in which the NOTAM is in force; only for a closure or restriction, and absent if it is in force all
   * day.
   */
  readonly hours?: string;
  /** Epoch ms; absent for a NOTAM that is in force as soon as it is listed. */
  readonly startsAt?: number;
  /** Epoch ms; absent for a NOTAM without an end. */
  readonly endsAt?: number;
  /** Time of the read, epoch ms. Set by the dataset, because the answer does not contain it. */
  readonly readAt?: number;
  /** Set by the dataset: false before the NOTAM's start and outside its hours. */
  readonly isInForce?: boolean;
}

const KEY = "ICAO_API_KEY";

const TEXT_CHARACTERS_MAX = 200;

/**
 * A path under which ICAO serves the list of NOTAMs. `name` is the last part of the path, and `key` identifies the
 * request.
 */
interface ListPath {
  readonly key: string;
  readonly name: string;
}

/** The first path is the documented one. The second is from a user's script of 2026. */
const PATHS: readonly [ListPath, ListPath] = [
  { key: "notams", name: "notams-realtime-list" },
  { key: "notams by the newer path", name: "realtime-notams" },
];

/** The airports of a request, its path, and the path to try next. */
interface NotamList {
  readonly airports: readonly Airport[];
  readonly paths: readonly [ListPath, ListPath?];
}

/**
 * Accepts members of any type: otherwise, a record with a member of the wrong type would be skipped, and it could be the
 * closure of an airport.
 */
const NotamRow = Type.Object({
  location: Type.Optional(Type.Unknown()),
  all: Type.Optional(Type.Unknown()),
  Qcode: Type.Optional(Type.Unknown()),
  entity: Type.Optional(Type.Unknown()),
  status: Type.Optional(Type.Unknown()),
  message: Type.Optional(Type.Unknown()),
  startdate: Type.Optional(Type.Unknown()),
  enddate: Type.Optional(Type.Unknown()),
});

/**
 * The NOTAMs that ICAO lists for airports, each with its meaning for the airport. Some may have ended or not yet be
 * in force. A record either has its Q code decoded (`Qcode`) or has only its whole text in `all`. In ICAO's format,
 * that text has a Q) line. In the FAA's domestic format, it has no Q) line.
 */
export const icaoNotams = source({
  id: "icao-notams",
  title: "ICAO data services, NOTAMs",
  home: "https://dataservices.icao.int/",
  seen: "recorded",
  unseen: "a whole answer (only two records were seen)",
  licence: { name: "Commercial; no redistribution", attribution: "ICAO", open: false },
  auth: query("api_key", {
    variable: KEY,
    description: "Key for ICAO's data services (paid plan); adds closures and restrictions outside the United States",
  }),
  steps: {
    notams: step({
      ask: ({ airports }: { readonly airports: readonly Airport[] }): readonly NotamList[] => [
        { airports, paths: PATHS },
      ],
      request({ airports, paths: [path] }) {
        const locations = airports.map(({ icao }) => icao).join(",");
        return {
          key: path.key,
          url: `https://dataservices.icao.int/api/${path.name}?format=json&locations=${locations}`,
          timeoutMs: 60_000,
        };
      },
      instead: ({ status }, { airports, paths: [, newer] }) =>
        status === 404 && newer ? [{ airports, paths: [newer] as const }] : undefined,
      format: { kind: "json" },
      row: NotamRow,
      *rows(document) {
        if (!Array.isArray(document)) {
          throw new SourceFailure("changed", `expected a list of NOTAMs; if the answer is a refusal, check ${KEY}`);
        }
        for (const row of document) yield* byPlace(row);
      },
      record(row): AirportNotice | LeftOut {
        const notam = notamOf(row);
        if (notam === undefined) return new LeftOut("cancellation or other message");
        const airport = airportByIcao(notam.place.toUpperCase());
        if (!airport) return new LeftOut("airport not monitored");
        return noticeOf(airport, notam);
      },
    }),
  },
  combine: ({ notams }, tally) => withoutRepetition(notams.records, tally),
  observedAt: () => undefined,
});

/** Maximum number of places in one NOTAM: item A) lists at most seven (Annex 15). */
const PLACES_MAX = 7;

/** Splits a record that names several aerodromes into one record for each aerodrome. */
function byPlace(row: unknown): readonly unknown[] {
  if (typeof row !== "object" || row === null) return [row];
  const { location, all } = row as Readonly<Record<string, unknown>>;
  const places = (textOf(location) || (notamText(textOf(all))?.place ?? "")).split(/[\s,]+/);
  if (places.length === 1 || !places.every((place) => /^[A-Za-z]{4}$/.test(place))) return [row];
  return places.slice(0, PLACES_MAX).map((place) => ({ ...row, location: place }));
}

/** The content of a record, whether it has a Q code or only its whole text. */
interface Notam {
  readonly place: string;
  /** Subject and condition, as in `FALC`; undefined if the code cannot be read. */
  readonly code: string | undefined;
  readonly isCoded: boolean;
  readonly message: string;
  readonly hours: string;
  readonly startsAt: number | undefined;
  readonly endsAt: number | undefined;
}

/**
 * Reads a record; undefined for cancellations and for messages other than NOTAMs. Throws "changed" for a record that
 * has neither a Q code nor a text in ICAO's or the FAA's format.
 */
function notamOf(row: Static<typeof NotamRow>): Notam | undefined {
  const whole = textOf(row.all);
  const isDomestic = whole.startsWith("!");
  const items = notamText(whole);
  const codes = [textOf(row.Qcode), textOf(row.entity) + textOf(row.status), items?.code ?? ""].filter(Boolean);
  if (!isDomestic && OTHER_MESSAGE.test(headerOf(whole))) return undefined;
  if (codes.length === 0 && !items && !isDomestic) {
    throw new SourceFailure("changed", "a NOTAM has neither a Qcode nor a text with its items; expected one of them");
  }
  const place = textOf(row.location) || items?.place || "";
  if (place === "") throw new BadRow("a NOTAM without its place");
  const domestic = isDomestic ? domesticText(whole) : undefined;
  return {
    place,
    code: codes.map(codeOf).find((code) => code !== undefined),
    // False if the record has no code and its text is in the FAA's domestic format, which has no codes. The kind of
    // such a NOTAM is read from its text alone.
    isCoded: codes.length > 0 || !DOMESTIC.test(whole),
    message: onOneLine(textOf(row.message)) || (items?.message ?? domestic?.message ?? ""),
    hours: items?.hours ?? "",
    ...validTimes(
      items?.startsAt ?? domestic?.startsAt ?? instantOf(row.startdate),
      items?.endsAt ?? domestic?.endsAt ?? instantOf(row.enddate),
    ),
  };
}

/** Words that mark a message as a cancellation, or as a report of runway conditions, volcanic ash or birds. */
const OTHER_MESSAGE = /\b(?:NOTAMC|SNOWTAM|ASHTAM|BIRDTAM)\b/;

/**
 * Returns the first line of a text, up to its first item. The rest is not searched for `OTHER_MESSAGE`, because a NOTAM
 * may mention a SNOWTAM there.
 */
function headerOf(whole: string): string {
  const end = whole.search(/\n|(?:^|[\s(])[QA-E]\)/);
  return end < 0 ? whole : whole.slice(0, end);
}

/** Returns the last four letters of a code such as `FALC` or `QFALC`, in upper case. Undefined for other texts. */
function codeOf(text: string): string | undefined {
  return /^Q?([A-Z]{4})$/.exec(text.toUpperCase())?.[1];
}

/** The start of a NOTAM in the domestic format: the accountable office, the number and the place. */
const DOMESTIC = /^![A-Z0-9]{2,5} \d{1,2}\/\d{1,4} [A-Z0-9]{2,5} \S/;

/**
 * Parses a NOTAM in the domestic format, such as `!EWR 01/136 EWR AD AP CLSD 2401160716-2401160800`. Ignores the lines
 * that ICAO's list adds.
 */
function domesticText(whole: string): Pick<Notam, "message" | "startsAt" | "endsAt"> {
  const message = onOneLine(whole.split(/\n[ \t]*(?:CREATED|SOURCE):/, 1)[0] ?? "");
  const { startAt: startsAt, endAt } = validityIn(message) ?? {};
  return { message, startsAt, endsAt: message.endsWith("EST") ? Number.POSITIVE_INFINITY : endAt };
}

/** Returns both times, or neither if the end is not after the start, because at least one of them is then wrong. */
function validTimes(startsAt: number | undefined, endsAt: number | undefined): Pick<Notam, "startsAt" | "endsAt"> {
  const isContradictory = startsAt !== undefined && endsAt !== undefined && endsAt <= startsAt;
  return isContradictory ? { startsAt: undefined, endsAt: undefined } : { startsAt, endsAt };
}

/** Parses an ISO 8601 instant to epoch ms; undefined for any other value. An instant without an offset is in UTC. */
function instantOf(written: unknown): number | undefined {
  const text = textOf(written);
  const hasNoOffset = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?$/.test(text);
  const at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) ? Date.parse(hasNoOffset ? `${text}Z` : text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

function textOf(member: unknown): string {
  return typeof member === "string" ? member.trim() : "";
}

function noticeOf({ iata }: Airport, notam: Notam): AirportNotice {
  const { code = "", isCoded, message, hours, startsAt, endsAt } = notam;
  const readable = noticeKind({ code23: code.slice(0, 2), code45: code.slice(2), text: message });
  const kind = readable === "other" && isCoded && code === "" ? "unread" : readable;
  const isShown = kind === "closure" || kind === "restriction";
  return {
    iata,
    kind,
    ...(isShown && { text: cut(message) }),
    ...(isShown && hours !== "" && { hours: cut(hours) }),
    ...(startsAt !== undefined && { startsAt }),
    ...(endsAt !== undefined && endsAt !== Number.POSITIVE_INFINITY && { endsAt }),
  };
}

function cut(text: string): string {
  // A character has at most two code units, so no character beyond this part of a long text is needed.
  const start = Array.from(text.slice(0, 2 * TEXT_CHARACTERS_MAX));
  return start.slice(0, TEXT_CHARACTERS_MAX).join("").trimEnd();
}

/**
 * Returns closures and restrictions unchanged, then the other notices. The service's answers only state whether an
 * airport has other notices, so such a notice is dropped if others of the same airport and kind already cover its time.
 */
function withoutRepetition(records: readonly AirportNotice[], tally: RowTally): readonly AirportNotice[] {
  const isShown = ({ kind }: AirportNotice): boolean => kind === "closure" || kind === "restriction";
  const begin = ({ startsAt }: AirportNotice): number => startsAt ?? Number.NEGATIVE_INFINITY;
  const end = ({ endsAt }: AirportNotice): number => endsAt ?? Number.POSITIVE_INFINITY;
  const coveredUntil = new Map<string, number>();
  const others = records
    .filter((notice) => !isShown(notice))
    .toSorted((a, b) => compared(begin(a), begin(b)) || compared(end(b), end(a)));
  const covering = tally.filter(others, {
    "covered by a notice of the same kind"(notice) {
      const key = `${notice.iata} ${notice.kind}`;
      const reaches = end(notice) > (coveredUntil.get(key) ?? Number.NEGATIVE_INFINITY);
      if (reaches) coveredUntil.set(key, end(notice));
      return reaches;
    },
  });
  return [...records.filter(isShown), ...covering];
}

/** Compares two times, which may be infinite and so cannot be subtracted. */
function compared(a: number, b: number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
