import { Type } from "typebox";
import { operation } from "../../../contract/operation.js";
import { Pagination, pageFields } from "../../../contract/paging.js";
import { country, instant } from "../../../contract/query-field.js";
import { countryCode } from "../../../geography/country-key.js";
import { DAY_MS } from "../../../kit/clock.js";
import { betaEvents } from "../datasets/beta-events.js";
import { BetaViolenceEvent } from "../records.js";
import { countedMatches } from "../rules/counted-matches.js";
import { eventId } from "../rules/event-index.js";

const PAGE_ROWS_MAX = 2_000;

/** Events of organised violence, newest first. Source: UCDP. */
export const listBetaEvents = operation({
  rpc: "list-beta-events",
  summary: "Deadly events of organised violence of one year, with estimates of deaths",
  description:
    "Events of the year that ends with the newest known event, in pages, sorted by the last day of each event, newest first. `start` and `end` select the events that overlap the time between them. An empty list with `X-Vigil-State: absent` means that there is no data.",
  cache: "daily",
  reads: { beta: betaEvents },
  query: {
    start: instant("Earliest instant, included; epoch milliseconds"),
    end: instant("Latest instant, included; epoch milliseconds"),
    ...pageFields(PAGE_ROWS_MAX),
    country: country("ISO 3166-1 alpha-2 code or English name (case-insensitive)", countryCode),
  },
  ranges: [["start", "end"]],
  response: Type.Object(
    { events: Type.Array(BetaViolenceEvent, { description: "Newest first" }), pagination: Pagination },
    { title: "ListBetaEventsResponse" },
  ),
  list: { rows: "events", identity: eventId, location: "location" },
  examples: [{}, { country: "SD", page_size: "100" }, { jmespath: "events[?deathsBest>`10`].[country, deathsBest]" }],
  run({ start, end, country }, { beta }, { paginate, tally }) {
    const first = start === undefined ? Number.NEGATIVE_INFINITY : Math.floor(start / DAY_MS);
    const last = end === undefined ? Number.POSITIVE_INFINITY : Math.floor(end / DAY_MS);
    // Compares unrounded instants. After rounding to days, an inverted range within one day would look valid.
    const isInverted = start !== undefined && end !== undefined && start > end;
    const span = isInverted ? { first, last: Number.NEGATIVE_INFINITY } : { first, last };
    const matches = beta.available ? countedMatches(beta.view, { country, ...span }, tally) : [];
    const { rows, pagination } = paginate(matches);
    return { events: rows, pagination };
  },
});
