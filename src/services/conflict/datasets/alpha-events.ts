import { dataset, part, type RecordsOf } from "../../../contract/dataset.js";
import { DAY_MS, MINUTE_MS } from "../../../kit/clock.js";
import { eventIndex, newestFirst, type Span } from "../event-index.js";
import type { AlphaConflictEvent } from "../records.js";
import { acled } from "../sources/acled.js";
import { gdelt } from "../sources/gdelt.js";
import { windowStart } from "../window.js";

interface Plan {
  readonly now: number;
}

const spanOf = ({ occurredAt }: AlphaConflictEvent): Span => ({ first: occurredAt, last: occurredAt });

/** In one order, that of the view, whichever answer came first: equal events make an equal snapshot. */
const inWindow = (events: readonly AlphaConflictEvent[], now: number): readonly AlphaConflictEvent[] =>
  newestFirst(
    events.filter(({ occurredAt }) => occurredAt >= windowStart(now)),
    spanOf,
  );

const parts = {
  acled: part<AlphaConflictEvent, Plan>({
    sources: [acled],
    plan: ({ now }) => ({ now }),
    select: inWindow,
    optional: true,
    keptMaxMs: DAY_MS,
  }),
  // Read whether it is served or not: a fallback that began only when it is needed would hold two hours, not 30 days.
  gdelt: part<AlphaConflictEvent, Plan>({
    sources: [gdelt],
    plan: ({ now }) => ({ now }),
    merge: (kept, fresh) => [...new Map([...kept, ...fresh].map((event) => [event.id, event])).values()],
    select: inWindow,
    optional: true,
  }),
};

/** ACLED's events; GDELT's where there are none of ACLED, as the two would count the same events twice. */
function servedOf(records: RecordsOf<typeof parts>): readonly AlphaConflictEvent[] {
  return records.acled.length > 0 ? records.acled : records.gdelt;
}

/** Political violence of the last 30 days with its places. */
export const alphaEvents = dataset({
  name: "alpha-events",
  title: "Conflict events of the last 30 days",
  description:
    "Battles, explosions and violence against civilians from ACLED, with an account there; without one, violent events in countries at war that GDELT reads out of the world's news.",
  cadenceMs: 15 * MINUTE_MS,
  staleAfterMs: 38 * MINUTE_MS,
  contentAgeMaxMs: 14 * DAY_MS,
  gaps: [
    "Events without a position are left out, and so are GDELT's that it places in a country as a whole.",
    "GDELT's events are a machine's reading of the news in 25 countries: several may tell of one event, and deaths are not counted (`fatalitiesKnown: false`).",
    "GDELT's events are collected as they are published; a new installation holds 30 days of them after 30 days.",
    "ACLED publishes weekly and revises what it published; the whole window is read anew each time.",
    "GDELT's are served while ACLED has not been read for a day.",
  ],
  parts,
  gateRule: "at least one event",
  gate: (records) => (servedOf(records).length === 0 ? "no source has an event" : undefined),
  view: (records: RecordsOf<typeof parts>, pace) => eventIndex(servedOf(records), spanOf, pace),
  newestAt: (records) =>
    servedOf(records).reduce<number | null>(
      (newest, { occurredAt }) => Math.max(newest ?? occurredAt, occurredAt),
      null,
    ),
});
