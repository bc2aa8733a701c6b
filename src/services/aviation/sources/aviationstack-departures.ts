import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { query } from "../../../contract/auth.js";
import { LeftOut, SourceFailure, source, step } from "../../../contract/source.js";
import { type Airport, localDay } from "../../../geography/airports.js";
import { memberOf } from "../../../kit/member-of.js";
import { type Departure, type DepartureSample, sampleOf } from "../rules/airports/departure-sample.js";
import { flightRanges } from "./flight-ranges.js";

/** The sample of one airport. The dataset sets `sampledAt`, because the upstream states no time. */
export interface AirportSample extends DepartureSample {
  readonly iata: string;
  readonly sampledAt?: number;
}

/** An airport with the time of its last request, epoch ms. */
export interface AirportRequest {
  readonly iata: string;
  readonly askedAt: number;
}

/** The airports to request, and the time of the request. */
export interface DeparturePlan {
  readonly airports: readonly Airport[];
  readonly now: number;
}

const KEY = "AVIATIONSTACK_API";

const PAGE_ROWS = 100;

const Refusal = Type.Object({ error: Type.Object({ code: Type.Union([Type.String(), Type.Number()]) }) });
const Envelope = Type.Object({ data: Type.Array(Type.Unknown()) });
const Nullable = Type.Union([Type.String(), Type.Null()]);

const Flight = Type.Object({
  flight_status: Nullable,
  departure: Type.Object({ delay: Type.Optional(Type.Union([Type.Number(), Type.Null()])) }),
  flight: Type.Optional(Type.Object({ codeshared: Type.Optional(Type.Unknown()) })),
});

/** One sample per airport, from up to a hundred of today's departures. */
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
    description: "Access key for aviationstack (paid plan); adds delays at fifty airports outside the United States",
  }),
  // On-demand reads of flights use the same account and budget.
  budgets: ["aviationstack"],
  steps: {
    page: step({
      ask: ({ airports, now }: DeparturePlan) => airports.map((airport) => ({ airport, now })),
      request: ({ airport, now }) => ({
        key: airport.iata,
        // The upstream's flight date is the day at the airport.
        url: `https://api.aviationstack.com/v1/flights?dep_iata=${airport.iata}&flight_date=${localDay(airport, now)}&limit=${PAGE_ROWS}`,
      }),
      format: { kind: "json" },
      row: Flight,
      rows(document, { airport }) {
        if (Value.Check(Refusal, document)) {
          const code = String(document.error.code).slice(0, 60);
          throw new SourceFailure("unavailable", `aviationstack answered "${code}"; check ${KEY}`);
        }
        if (!Value.Check(Envelope, document)) throw new SourceFailure("changed", `expected data[] for ${airport.iata}`);
        return document.data;
      },
      // A row that repeats a flight under a partner's number is left out.
      record: (row): Departure | LeftOut =>
        row.flight?.codeshared ? new LeftOut("codeshare of another flight") : departureOf(row),
      // A night without departures is a valid answer.
      rowsMin: 0,
    }),
  },
  combine({ page: { answers, records } }, tally): readonly AirportSample[] {
    if (records.length === 0) throw new SourceFailure("empty", "aviationstack answered without a single departure");
    tally.joined("departures of one airport", records.length);
    tally.made("sample of one airport", answers.length);
    return answers.map(({ context: { airport }, records: departures }) => ({
      iata: airport.iata,
      ...sampleOf(departures),
    }));
  },
  // Failed calls are included: they are charged too, so they must not be repeated early.
  progress: ({ page }): readonly AirportRequest[] =>
    page.map(({ context: { airport }, sentAt }) => ({ iata: airport.iata, askedAt: sentAt })),
  ranges: flightRanges,
  observedAt: () => undefined,
});

const outcomeOf: Readonly<Record<string, Departure["outcome"]>> = {
  active: "flown",
  landed: "flown",
  diverted: "flown",
  incident: "flown",
  cancelled: "cancelled",
};

function departureOf({ flight_status: status, departure }: Static<typeof Flight>): Departure {
  const delayMinutes =
    departure.delay === null || departure.delay === undefined ? undefined : Math.max(0, departure.delay);
  return { outcome: memberOf(outcomeOf, status ?? "") ?? "open", delayMinutes };
}
