import { Type } from "typebox";
import { operation } from "../../../contract/operation.js";
import { Pagination, type Rows } from "../../../contract/paging.js";
import { country, ignoredInt32, ignoredText, instant } from "../../../contract/query-field.js";
import { whole } from "../../../contract/setting.js";
import type { Snapshot } from "../../../contract/snapshot.js";
import { countryCode } from "../../../geography/country-key.js";
import { alphaEvents } from "../datasets/alpha-events.js";
import { AlphaConflictEvent } from "../records.js";
import { allTime, countedMatches } from "../rules/counted-matches.js";
import type { EventIndex } from "../rules/event-index.js";
import { windowMovesAt, windowStart } from "../rules/window.js";

const eventsMax = whole(
  "VIGIL_ALPHA_EVENTS_MAX",
  20_000,
  { min: 1, max: 1_000_000, unit: "events" },
  "Maximum number of events in one answer of list-alpha-events; `pagination` counts all matching events.",
);

interface Query {
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly country: string;
}

/** Conflict events of the last 30 days, newest first. Source: ACLED, or GDELT if ACLED has none. */
export const listAlphaEvents = operation({
  rpc: "list-alpha-events",
  summary: "Battles, explosions and attacks on civilians of the last 30 days",
  description:
    "Newest first, from the stored snapshot of the last 30 days. Without a filter the whole snapshot is returned; with one, `start` defaults to midnight UTC 30 days ago and `end` to now. Events without a position are left out. An empty list with `X-Vigil-State: absent` or `unreadable` means that there is no data.",
  cache: "slow",
  keyAlways: true,
  settings: [eventsMax],
  reads: { alpha: alphaEvents },
  query: {
    start: instant("Earliest instant, included; epoch milliseconds"),
    end: instant("Latest instant, included; epoch milliseconds"),
    pageSize: ignoredInt32("Accepted and ignored"),
    cursor: ignoredText("Accepted and ignored"),
    country: country("ISO 3166-1 alpha-2 code or English name (case-insensitive)", countryCode),
  },
  ranges: [["start", "end"]],
  response: Type.Object(
    { events: Type.Array(AlphaConflictEvent, { description: "Newest first" }), pagination: Pagination },
    { title: "ListAlphaEventsResponse" },
  ),
  list: { rows: "events", identity: ({ id }) => id, location: "location" },
  examples: [{}, { country: "UA" }, { country: "Sudan", jmespath: "events[?fatalities>`10`].[admin1, fatalities]" }],
  validUntil(query, { alpha }, now) {
    if (isUnfiltered(query)) return Number.POSITIVE_INFINITY;
    const windowMoves = query.start === undefined ? windowMovesAt(now) : Number.POSITIVE_INFINITY;
    return query.end === undefined ? Math.min(windowMoves, firstAfter(alpha, query, now)) : windowMoves;
  },
  run(query, { alpha }, { now, settingOf, tally }) {
    if (!alpha.available) return { events: [], pagination: { nextCursor: "", totalCount: 0 } };
    const span = isUnfiltered(query) ? allTime : { first: query.start ?? windowStart(now()), last: query.end ?? now() };
    const matches = countedMatches(alpha.view, { country: query.country, ...span }, tally);
    if (query.start === undefined && !isUnfiltered(query)) tally.defaulted("start", () => String(span.first));
    if (query.end === undefined && !isUnfiltered(query)) tally.defaulted("end", () => String(span.last));
    return {
      events: tally.first(eventsMax.name, matches, settingOf(eventsMax)),
      pagination: { nextCursor: "", totalCount: matches.length },
    };
  },
});

function isUnfiltered({ start, end, country }: Query): boolean {
  return start === undefined && end === undefined && country.trim() === "";
}

/**
 * Returns the time at which the next future event begins to match a filter that ends now; infinity if there is none.
 */
function firstAfter(alpha: Snapshot<EventIndex<AlphaConflictEvent>>, { country }: Query, now: number): number {
  if (!alpha.available) return Number.POSITIVE_INFINITY;
  const later: Rows<AlphaConflictEvent> = alpha.view.find(country, { first: now + 1, last: Number.POSITIVE_INFINITY });
  return later.slice(later.length - 1, later.length)[0]?.occurredAt ?? Number.POSITIVE_INFINITY;
}
