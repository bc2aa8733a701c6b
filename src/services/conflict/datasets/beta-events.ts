import { dataset, part, type RecordsOf } from "../../../contract/dataset.js";
import type { RowTally } from "../../../contract/row-tally.js";
import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";
import { visitSteps } from "../../../kit/list-steps.js";
import type { ClockPace, Steps } from "../../../kit/loop-turns.js";
import type { BetaViolenceEvent } from "../records.js";
import { contentAges } from "../rules/content-ages.js";
import { type EventIndex, eventIndex, newestFirst, type Span } from "../rules/event-index.js";
import { gedAnnualApi, gedCandidateApi } from "../sources/ucdp-api.js";
import { gedAnnualFile, gedCandidateFiles } from "../sources/ucdp-files.js";
import { reachStart } from "../sources/ucdp-row.js";

const WINDOW_DAYS = 365;
const EVENTS_MIN = 100;

interface Plan {
  readonly now: number;
}

/** Spans are in whole days. */
const spanOf = ({ dateStart, dateEnd }: BetaViolenceEvent): Span => ({
  first: dateStart / DAY_MS,
  last: dateEnd / DAY_MS,
});

/**
 * Selects the events that can be in the served year and sorts them in the order of the view, so that the same events
 * always give the same snapshot. The selection is needed because files also contain older events.
 */
const inReach = (events: readonly BetaViolenceEvent[], now: number, tally: RowTally): readonly BetaViolenceEvent[] =>
  newestFirst(
    tally.filter(events, { "too old for the served year": ({ dateEnd }) => dateEnd >= reachStart(now) }),
    spanOf,
  );

const parts = {
  annual: part<BetaViolenceEvent, Plan>({
    sources: [gedAnnualApi, gedAnnualFile],
    plan: ({ now }) => ({ now }),
    select: inReach,
    optional: true,
  }),
  candidate: part<BetaViolenceEvent, Plan>({
    sources: [gedCandidateApi, gedCandidateFiles],
    plan: ({ now }) => ({ now }),
    select: inReach,
    optional: true,
  }),
};

type Records = RecordsOf<typeof parts>;

/** Organised violence of the year that ends with the newest known event. */
export const betaEvents = dataset({
  name: "beta-events",
  title: "Events of organised violence, one year",
  description:
    "Events from UCDP's Georeferenced Event Dataset: the annual release and the monthly candidate releases after it. Each event caused at least one death. If UCDP_ACCESS_TOKEN is set, the events come from UCDP's API; otherwise, they come from its published files.",
  cadenceMs: 6 * HOUR_MS,
  staleAfterMs: 7 * HOUR_MS,
  contentAgeMaxMs: contentAges.betaEvents.wholeMs,
  partAges: contentAges.betaEvents.parts,
  gaps: [
    "The window ends with the newest event, which is a few weeks old, because candidate releases are monthly.",
    "A side is absent if UCDP has a placeholder for it (`XXX` and a number).",
    "Candidate events are preliminary. If the annual release and a candidate release contain the same event, the candidate's version is served.",
    "An event may last several days. A query with `start` and `end` returns it if at least one of its days is in the requested range.",
  ],
  parts,
  gateRule: `at least ${EVENTS_MIN} events`,
  gate(records) {
    const count = records.annual.length + records.candidate.length;
    return count < EVENTS_MIN ? `${count} events, needed ${EVENTS_MIN}` : undefined;
  },
  view: betaView,
  viewHoldsRecords: true,
  newestAt: (records) =>
    Object.values(records)
      .flat()
      .reduce<number | null>((newest, { dateEnd }) => Math.max(newest ?? dateEnd, dateEnd), null),
});

/**
 * Merges the annual and the candidate releases and keeps the year that ends with the newest event. Candidate rows
 * replace annual rows.
 */
function* betaView(
  { annual, candidate }: Records,
  pace: ClockPace,
  tally: RowTally,
): Steps<EventIndex<BetaViolenceEvent>> {
  const byId = new Map<string, BetaViolenceEvent>();
  let newest = Number.NEGATIVE_INFINITY;
  const take = (event: BetaViolenceEvent): void => {
    const earlier = byId.get(event.id);
    if (earlier) tally.leftOut("replaced by a later release", earlier);
    byId.set(event.id, event);
  };
  yield* visitSteps(annual, pace, take);
  yield* visitSteps(candidate, pace, take);
  yield* visitSteps(byId.values(), pace, ({ dateEnd }) => {
    newest = Math.max(newest, dateEnd);
  });
  const events: BetaViolenceEvent[] = [];
  yield* visitSteps(byId.values(), pace, (event) => {
    if (event.dateEnd > newest - WINDOW_DAYS * DAY_MS) events.push(event);
    else tally.leftOut("more than a year before the newest", event);
  });
  return yield* eventIndex(events, { spanOf, hasUniqueIds: true }, pace);
}
