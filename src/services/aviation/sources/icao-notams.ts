import { Type } from "typebox";
import { BadRow, type Credential, SourceFailure, source } from "../../../contract/source.js";
import { type Airport, airportByIcao } from "../../../geography/airports.js";
import { type NoticeKind, noticeKind } from "../notice-kind.js";

/** A NOTAM of one of our airports. */
export interface AirportNotice {
  readonly iata: string;
  readonly kind: NoticeKind;
  /** Its words; only of what closes or restricts. */
  readonly text?: string;
  /** Its hours, where it holds only for some. */
  readonly hours?: string;
  /** Epoch ms; absent for one that holds until it is taken back. */
  readonly endsAt?: number;
  /** Stamped by the dataset, since the answer does not say. */
  readonly readAt?: number;
}

const icaoKey: Credential = {
  variable: "ICAO_API_KEY",
  description: "Key of ICAO's data services, a paid plan; adds closures and restrictions outside the United States",
};

const TEXT_CHARACTERS_MAX = 200;
const Nullable = Type.Optional(Type.Union([Type.String(), Type.Null()]));

/** NOTAMs in force at airports, each for what it means to them. */
export const icaoNotams = source({
  id: "icao-notams",
  title: "ICAO data services, NOTAMs",
  home: "https://dataservices.icao.int/",
  seen: "recorded",
  unseen: "a whole answer; two records were seen",
  licence: { name: "Commercial; no redistribution", attribution: "ICAO", open: false },
  credentials: [icaoKey],
  requests: ({ airports }: { readonly airports: readonly Airport[] }, credentials) => [
    {
      key: "notams",
      url: `https://dataservices.icao.int/api/notams-realtime-list?format=json&locations=${airports.map(({ icao }) => icao).join(",")}`,
      format: { kind: "json" },
      secretQuery: { api_key: credentials[icaoKey.variable] ?? "" },
      timeoutMs: 60_000,
    },
  ],
  row: Type.Object({
    ...{ itema: Nullable, location: Nullable, itemd: Nullable, iteme: Nullable, code23: Nullable, code45: Nullable },
    endvalidity: Type.Optional(Type.Union([Type.Number(), Type.String(), Type.Null()])),
  }),
  *rows(document) {
    if (!Array.isArray(document)) {
      throw new SourceFailure("changed", `expected a list of NOTAMs; if it is a refusal, check ${icaoKey.variable}`);
    }
    yield* document;
  },
  record({ itema, location, itemd, iteme, code23, code45, endvalidity }): AirportNotice | undefined {
    const place = itema || location || "";
    if (place === "") throw new BadRow("a NOTAM without its place");
    const airport = airportByIcao(place);
    if (!airport) return undefined;
    const words = (iteme ?? "").replace(/\s+/g, " ").trim();
    const kind = noticeKind({ code23: letters(code23), code45: letters(code45), text: words });
    const endsAt = endOf(endvalidity ?? null);
    return {
      iata: airport.iata,
      kind,
      ...(kind !== "other" && { text: cut(words) }),
      ...(kind !== "other" && itemd && { hours: cut(itemd) }),
      ...(endsAt !== undefined && { endsAt }),
    };
  },
  observedAt: () => undefined,
  assemble: (records) => once(records),
});

function letters(code: string | null | undefined): string {
  return (code ?? "").trim().toUpperCase();
}

function cut(text: string): string {
  return Array.from(text).slice(0, TEXT_CHARACTERS_MAX).join("").trimEnd();
}

/** Unix seconds, as a number or a text; nothing or 0 is no end. */
function endOf(given: number | string | null): number | undefined {
  if (given === null || given === "" || given === 0) return undefined;
  const seconds = Number(given);
  if (!Number.isSafeInteger(seconds) || seconds < 0) throw new BadRow(`"${String(given).slice(0, 20)}" is no end`);
  return seconds * 1_000;
}

/** Of the notices that mean nothing more, the one that holds longest at each airport; all others in their order. */
function once(records: readonly AirportNotice[]): readonly AirportNotice[] {
  const longest = new Map<string, AirportNotice>();
  const end = ({ endsAt }: AirportNotice): number => endsAt ?? Number.POSITIVE_INFINITY;
  for (const notice of records.filter(({ kind }) => kind === "other")) {
    const known = longest.get(notice.iata);
    if (!known || end(notice) > end(known)) longest.set(notice.iata, notice);
  }
  return [...records.filter(({ kind }) => kind !== "other"), ...longest.values()];
}
