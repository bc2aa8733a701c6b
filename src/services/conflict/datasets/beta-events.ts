import { dataset, part, type RecordsOf } from "../../../contract/dataset.js";
import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";
import { type EventIndex, eventIndex } from "../event-index.js";
import type { BetaViolenceEvent } from "../records.js";
import { gedAnnual, gedAnnualWithToken, gedCandidate, gedCandidateWithToken } from "../sources/ucdp.js";

const WINDOW_DAYS = 365;
const EVENTS_MIN = 100;

interface Plan {
  readonly now: number;
}

/** In one order, whichever page came first: equal events make an equal snapshot. */
const ordered = (events: readonly BetaViolenceEvent[]): readonly BetaViolenceEvent[] =>
  events.toSorted((a, b) => (a.id < b.id ? -1 : 1));

const parts = {
  annual: part<BetaViolenceEvent, Plan>({
    sources: [gedAnnualWithToken, gedAnnual],
    plan: ({ now }) => ({ now }),
    select: ordered,
    optional: true,
  }),
  candidate: part<BetaViolenceEvent, Plan>({
    sources: [gedCandidateWithToken, gedCandidate],
    plan: ({ now }) => ({ now }),
    select: ordered,
    optional: true,
  }),
};

type Records = RecordsOf<typeof parts>;

/** Organised violence of the year before the newest event that is known. */
export const betaEvents = dataset({
  name: "beta-events",
  title: "Events of organised violence, one year",
  description:
    "Events with at least one death from UCDP's Georeferenced Event Dataset: the annual release and the monthly candidate releases after it.",
  cadenceMs: 6 * HOUR_MS,
  staleAfterMs: 7 * HOUR_MS,
  contentAgeMaxMs: 90 * DAY_MS,
  gaps: [
    "The window ends with the newest event, which is some weeks old: candidate releases come out monthly.",
    "Candidate events are preliminary; where both releases hold an event, the candidate's is served.",
    "An event may last several days; `start` and `end` find it by any of them.",
  ],
  parts,
  gateRule: `at least ${EVENTS_MIN} events`,
  gate(records) {
    const count = records.annual.length + records.candidate.length;
    return count < EVENTS_MIN ? `${count} events, needed ${EVENTS_MIN}` : undefined;
  },
  view: betaView,
  newestAt: (records) =>
    Object.values(records)
      .flat()
      .reduce<number | null>((newest, { dateEnd }) => Math.max(newest ?? dateEnd, dateEnd), null),
});

/** Both releases as one, the candidate's rows before the annual's, of the last year that they know; spans are whole days. */
export function betaView({ annual, candidate }: Records): EventIndex<BetaViolenceEvent> {
  const byId = new Map<string, BetaViolenceEvent>();
  for (const event of annual) byId.set(event.id, event);
  for (const event of candidate) byId.set(event.id, event);
  let newest = Number.NEGATIVE_INFINITY;
  for (const { dateEnd } of byId.values()) newest = Math.max(newest, dateEnd);
  const events: BetaViolenceEvent[] = [];
  for (const event of byId.values()) if (event.dateEnd > newest - WINDOW_DAYS * DAY_MS) events.push(event);
  return eventIndex(events, ({ dateStart, dateEnd }) => ({ first: dateStart / DAY_MS, last: dateEnd / DAY_MS }));
}
