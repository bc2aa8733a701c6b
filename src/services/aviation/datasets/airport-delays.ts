import { Type } from "typebox";
import { dataset, part, type RecordsOf } from "../../../contract/dataset.js";
import { among, type RowTally } from "../../../contract/row-tally.js";
import { HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import type { AirportDelayAlert } from "../records/airport-records.js";
import { airportsDue, noticedAirports, SAMPLE_MS_MAX, sampledAirports } from "../rules/airports/airport-coverage.js";
import { type AirportStatus, airportStatuses } from "../rules/airports/airport-status.js";
import { isWithinHours } from "../rules/airports/closure-notice.js";
import { alertOf } from "../rules/airports/delay-alert.js";
import { contentAges } from "../rules/content-ages.js";
import {
  type AirportRequest,
  type AirportSample,
  aviationstackDepartures,
  type DeparturePlan,
} from "../sources/aviationstack-departures.js";
import { type FaaRecord, faaStatus } from "../sources/faa-status.js";
import { type AirportNotice, icaoNotams } from "../sources/icao-notams.js";

const STALE_AFTER_MS = 90 * MINUTE_MS;
/** Age at which the FAA's records are dropped. */
const BULLETIN_MS_MAX = 2 * HOUR_MS;

/** The time of the last request for each airport, epoch ms. */
const RequestTimes = Type.Object({ askedAt: Type.Record(Type.String(), Type.Number()) });
interface RequestTimes {
  readonly askedAt: Readonly<Record<string, number>>;
}

/** Settings of parts whose records are dropped when their source has been unreadable for too long. */
const replaceable = { optional: true, keptMaxMs: STALE_AFTER_MS } as const;

const parts = {
  faa: part<FaaRecord, object>({
    identity: ["kind", "iata", "type"],
    ...replaceable,
    sources: [faaStatus],
    plan: () => ({}),
    select: (records, now, tally) =>
      tally.filter(records, { "older than two hours": ({ updatedAt }) => now - updatedAt < BULLETIN_MS_MAX }),
  }),
  departures: part<AirportSample, DeparturePlan, RequestTimes, AirportRequest>({
    identity: ["iata"],
    ...replaceable,
    sources: [aviationstackDepartures],
    plan({ kept, now, memory: { askedAt } }) {
      const airports = airportsDue(kept, now, askedAt);
      return airports.length === 0 ? undefined : { airports, now };
    },
    fillsUp: true,
    memory: {
      schema: RequestTimes,
      initial: { askedAt: {} },
      describes: "requests",
      after: ({ askedAt }, airports) => ({
        askedAt: { ...askedAt, ...Object.fromEntries(airports.map((airport) => [airport.iata, airport.askedAt])) },
      }),
    },
    merge(kept, fresh, { tally }) {
      const all = [...kept, ...fresh];
      const byAirport = new Map(all.map((sample) => [sample.iata, sample]));
      const merged = sampledAirports.flatMap(({ iata }) => byAirport.get(iata) ?? []);
      return tally.narrowed("replaced by a newer sample", all, merged, among(merged));
    },
    // A sample has no `sampledAt` until it is stored for the first time.
    select(samples, now, tally) {
      const dated = samples.map((sample) => ({ ...sample, sampledAt: sample.sampledAt ?? now }));
      return tally.filter(dated, { "older than three hours": ({ sampledAt }) => now - sampledAt < SAMPLE_MS_MAX });
    },
  }),
  notams: part<AirportNotice, { readonly airports: typeof noticedAirports }>({
    identity: ["iata", "kind", "text", "startsAt"],
    ...replaceable,
    sources: [icaoNotams],
    plan: () => ({ airports: noticedAirports }),
    // Future notices are kept, because they may be in force when the upstream next answers "not modified".
    select: (notices, now, tally) =>
      tally
        .filter(notices, { ended: ({ endsAt }) => endsAt === undefined || endsAt > now })
        .map((notice) => ({ ...notice, readAt: notice.readAt ?? now, isInForce: isInForce(notice, now) })),
  }),
};

function isInForce({ startsAt, hours = "", text = "" }: AirportNotice, now: number): boolean {
  return (startsAt === undefined || startsAt <= now) && isWithinHours(`${hours} ${text}`, now);
}

type Records = RecordsOf<typeof parts>;

/** The status of each airport by its code, and the row of each airport. */
interface Delays {
  readonly statuses: ReadonlyMap<string, AirportStatus>;
  readonly alerts: readonly AirportDelayAlert[];
}

function delaysOf({ faa, departures, notams }: Records, _pace: unknown, tally: RowTally): Delays {
  const statuses = airportStatuses({ faa, samples: departures, notices: notams });
  tally.joined("reports of an airport", faa.length + departures.length + notams.length);
  tally.made("monitored airport", statuses.size);
  return { statuses, alerts: [...statuses.values()].map(alertOf) };
}

/** Delays, sampled departures and notices of every monitored airport. */
export const airportDelays = dataset({
  name: "airport-delays",
  title: "Delays at monitored airports",
  description:
    "Ground stops, ground delay programmes, delays and closures that the FAA announces for 30 airports of the United States. Two more sources are read if their keys are set: aviationstack, for samples of today's departures at 50 other airports, and ICAO's NOTAMs, for closures and restrictions.",
  cadenceMs: 30 * MINUTE_MS,
  staleAfterMs: STALE_AFTER_MS,
  partAges: contentAges.airportDelays.parts,
  gaps: [
    "An airport without a report from any source is unknown, never normal.",
    "A sample has at most a hundred of the day's departures at the airport; a flight and its codeshares count once.",
    "Each sampled airport is requested about once an hour; a build uses only samples that are less than three hours old.",
    "Closures that apply to some aircraft only, and daily closures outside their hours, are not served as closures.",
    "A NOTAM with an estimated end is in force until it is cancelled. An airport with an unreadable NOTAM is never reported as open.",
    "A NOTAM with one daily period is in force during that period; one with several periods counts as always in force.",
  ],
  parts,
  gateRule: "at least one source has records",
  gate: (records) => (Object.values(records).flat().length === 0 ? "no source has records" : undefined),
  view: delaysOf,
  newestAt({ faa, departures, notams }) {
    const times = [
      ...faa.map(({ updatedAt }) => updatedAt),
      ...departures.map(({ sampledAt }) => sampledAt ?? 0),
      ...notams.map(({ readAt }) => readAt ?? 0),
    ];
    return times.length > 0 ? Math.max(...times) : null;
  },
});
