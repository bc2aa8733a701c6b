import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { oauth } from "../../../contract/auth.js";
import { BadRow, LeftOut, SourceFailure, source, step } from "../../../contract/source.js";
import { DAY_MS } from "../../../kit/clock.js";
import type { AlphaConflictEvent } from "../records.js";
import { countOf, dayOf, isoDay, positionOf } from "./cells.js";
import { eventRanges } from "./event-ranges.js";

const READ = "https://acleddata.com/api/acled/read";
const WINDOW_DAYS = 30;
const PAGE_ROWS = 5_000;
const PAGES_MAX = 20;
const eventTypes = ["Battles", "Explosions/Remote violence", "Violence against civilians"] as const;

const Event = Type.Object({
  event_id_cnty: Type.String({ minLength: 1 }),
  event_date: Type.String(),
  event_type: Type.String({ minLength: 1 }),
  actor1: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  actor2: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  country: Type.String({ minLength: 1 }),
  admin1: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  // Seen 2024-01: all scalars are strings. Seen 2026-05: fatalities are numbers and coordinates strings.
  latitude: Type.Union([Type.String(), Type.Number(), Type.Null()]),
  longitude: Type.Union([Type.String(), Type.Number(), Type.Null()]),
  source: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  fatalities: Type.Union([Type.String(), Type.Number(), Type.Null()]),
});

const Refusal = Type.Object({ success: Type.Literal(false) });
const Denial = Type.Object({
  status: Type.Optional(Type.Unknown()),
  message: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Unknown()),
});
const Envelope = Type.Object({ data: Type.Array(Type.Unknown()) });

/** A page of the events of one type. */
interface TypePage {
  readonly type: (typeof eventTypes)[number];
  /** Time of the run, at which the requested window ends; epoch ms. */
  readonly now: number;
  /** From 1. */
  readonly page: number;
}

/** Battles, explosions and violence against civilians of the last 30 days, all countries. */
export const acled = source({
  id: "acled",
  title: "ACLED, political violence of the last 30 days",
  home: "https://acleddata.com/",
  seen: "recorded",
  unseen: "the answer that grants a token",
  licence: {
    name: "ACLED terms of use; commercial use needs a licence",
    url: "https://acleddata.com/terms-of-use/",
    attribution: "Armed Conflict Location & Event Data (ACLED), acleddata.com",
    open: false,
  },
  // ACLED grants a token to an account that signs in with its password. The token is valid for a day.
  auth: oauth({
    url: "https://acleddata.com/oauth/token",
    form: { grant_type: "password", client_id: "acled" },
    secretForm: {
      username: {
        variable: "ACLED_EMAIL",
        description: "Email address of an ACLED account; ACLED's events then replace those of GDELT",
      },
      password: { variable: "ACLED_PASSWORD", description: "Password of the ACLED account" },
    },
  }),
  steps: {
    page: step({
      ask: ({ now }: { readonly now: number }): readonly TypePage[] =>
        eventTypes.map((type) => ({ type, now, page: 1 })),
      request({ type, now, page }) {
        const query = new URLSearchParams({
          event_type: type,
          event_date: `${isoDay(now - WINDOW_DAYS * DAY_MS)}|${isoDay(now)}`,
          event_date_where: "BETWEEN",
          fields: Object.keys(Event.properties).join("|"),
          limit: String(PAGE_ROWS),
          page: String(page),
          _format: "json",
        });
        return { key: `${type} ${page}`, url: `${READ}?${query}`, timeoutMs: 60_000 };
      },
      format: { kind: "json" },
      row: Event,
      rows: dataOf,
      more(document, context) {
        const { type, now, page } = context;
        if (dataOf(document, context).length < PAGE_ROWS) return [];
        if (page < PAGES_MAX) return [{ type, now, page: page + 1 }];
        throw new SourceFailure("changed", `page ${page} of ${type} is full; expected at most ${PAGES_MAX} pages`);
      },
      record: eventOf,
    }),
  },
  ranges: eventRanges,
  observedAt: ({ occurredAt }) => occurredAt,
});

/**
 * Extracts the rows of an answer. Some answers with status 200 are refusals. ACLED grants a token even to an account
 * without access to events, and refuses such an account only when it requests events.
 */
function dataOf(document: unknown, { type }: TypePage): readonly unknown[] {
  if (isDenial(document)) {
    throw new SourceFailure("unconfigured", `ACLED denies ${type}; the account of ACLED_EMAIL has no access to events`);
  }
  if (Value.Check(Refusal, document)) {
    throw new SourceFailure("unavailable", `ACLED refused ${type}; check ACLED_EMAIL and ACLED_PASSWORD`);
  }
  if (!Value.Check(Envelope, document)) throw new SourceFailure("changed", `expected data[] of ${type}`);
  return document.data;
}

const DENIED = /access denied|no access|not have access|not authori[sz]ed|forbidden|permission/i;

function isDenial(document: unknown): boolean {
  if (!Value.Check(Denial, document) || Value.Check(Envelope, document)) return false;
  return document.status === 403 || DENIED.test(JSON.stringify([document.message, document.error]).slice(0, 2_000));
}

function isViolence(type: string): boolean {
  return eventTypes.some((name) => name === type);
}

function eventOf(row: Static<typeof Event>): AlphaConflictEvent | LeftOut {
  const location = positionOf(row.latitude, row.longitude);
  if (location === undefined) return new LeftOut("no position");
  if (!isViolence(row.event_type)) return new LeftOut("not political violence");
  const fatalities = countOf(row.fatalities);
  const id = row.event_id_cnty.trim();
  if (id === "") throw new BadRow("an event without an id");
  return {
    id: `acled-${id}`,
    country: row.country,
    ...(row.admin1 && { admin1: row.admin1 }),
    actors: [row.actor1, row.actor2].flatMap((actor) => actor?.trim() || []),
    eventType: row.event_type,
    fatalities: fatalities ?? 0,
    ...(fatalities === undefined && { fatalitiesKnown: false }),
    location,
    occurredAt: dayOf(row.event_date),
    source: row.source || "ACLED",
  };
}
