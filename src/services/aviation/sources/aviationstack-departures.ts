import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { query } from "../../../contract/auth.js";
import { SourceFailure, source } from "../../../contract/source.js";
import { type Airport, localDay } from "../../../geography/airports.js";
import { memberOf } from "../../../kit/member-of.js";
import { type Departure, type DepartureSample, sampleOf } from "../rules/airports/departure-sample.js";

/** The sample of one airport; when it was taken is stamped by the dataset, since a page does not say. */
export interface AirportSample extends DepartureSample {
  readonly iata: string;
  readonly sampledAt?: number;
}

/** A flight of a page, and the mark that a page was read at all. */
interface PageRow {
  readonly page: string;
  readonly departure?: Departure;
}

export type DepartureRecord = PageRow | AirportSample;

/** Which airports are asked for, at what time. */
export interface DeparturePlan {
  readonly airports: readonly Airport[];
  readonly now: number;
}

const KEY = "AVIATIONSTACK_API";

const PAGE_ROWS = 100;

const Refusal = Type.Object({ error: Type.Object({ code: Type.Union([Type.String(), Type.Number()]) }) });
const Envelope = Type.Object({ data: Type.Array(Type.Unknown()) });
const Nullable = Type.Union([Type.String(), Type.Null()]);

const Row = Type.Object({
  page: Type.String(),
  flight: Type.Optional(
    Type.Object({
      flight_status: Nullable,
      departure: Type.Object({ delay: Type.Optional(Type.Union([Type.Number(), Type.Null()])) }),
      flight: Type.Optional(Type.Object({ codeshared: Type.Optional(Type.Unknown()) })),
    }),
  ),
});

/** Up to a hundred of today's departures of each airport, made one sample per airport. */
export const aviationstackDepartures = source({
  id: "aviationstack-departures",
  title: "aviationstack, today's departures",
  home: "https://aviationstack.com/documentation",
  seen: "recorded",
  unseen: "flights with a delay, cancelled flights",
  licence: {
    name: "Commercial; no redistribution of the rows",
    url: "https://aviationstack.com/terms",
    attribution: "aviationstack",
    open: false,
  },
  auth: query("access_key", {
    variable: KEY,
    description: "Access key of aviationstack, a paid plan; adds delays at fifty airports outside the United States",
  }),
  // Of the same account as the flights that requests read.
  budgets: ["aviationstack"],
  requests: ({ airports, now }: DeparturePlan) =>
    airports.map((airport) => ({
      key: airport.iata,
      // The upstream's flight date is the day at the airport.
      url: `https://api.aviationstack.com/v1/flights?dep_iata=${airport.iata}&flight_date=${localDay(airport, now)}&limit=${PAGE_ROWS}`,
      format: { kind: "json" },
    })),
  row: Row,
  *rows(document, { key: page }) {
    if (Value.Check(Refusal, document)) {
      const code = String(document.error.code).slice(0, 60);
      throw new SourceFailure("unavailable", `aviationstack answered "${code}"; check ${KEY}`);
    }
    if (!Value.Check(Envelope, document)) throw new SourceFailure("changed", `expected data[] for ${page}`);
    yield { page };
    for (const flight of document.data) yield { page, flight };
  },
  record({ page, flight }): DepartureRecord | undefined {
    if (!flight) return { page };
    // The same aircraft under a partner's number.
    if (flight.flight?.codeshared) return undefined;
    return { page, departure: departureOf(flight) };
  },
  observedAt: () => undefined,
  assemble(records) {
    const rows = records.filter((record) => "page" in record);
    // A night without departures is an answer; no departure anywhere is none.
    if (!rows.some(({ departure }) => departure)) {
      throw new SourceFailure("empty", "aviationstack answered without a single departure");
    }
    const pages = [...new Set(rows.map(({ page }) => page))];
    return pages.map((iata) => ({
      iata,
      ...sampleOf(rows.flatMap(({ page, departure }) => (page === iata && departure ? [departure] : []))),
    }));
  },
});

const outcomeOf: Readonly<Record<string, Departure["outcome"]>> = {
  active: "flown",
  landed: "flown",
  diverted: "flown",
  incident: "flown",
  cancelled: "cancelled",
};

function departureOf({ flight_status: status, departure }: NonNullable<Static<typeof Row>["flight"]>): Departure {
  const delayMinutes =
    departure.delay === null || departure.delay === undefined ? undefined : Math.max(0, departure.delay);
  return { outcome: memberOf(outcomeOf, status ?? "") ?? "open", delayMinutes };
}
