import { Type } from "typebox";
import { Value } from "typebox/value";
import { dataset, type Opened, part, type RecordsOf } from "../../../contract/dataset.js";
import { among, type RowTally, silentTally } from "../../../contract/row-tally.js";
import { DAY_MS, MINUTE_MS } from "../../../kit/clock.js";
import type { AlphaConflictEvent } from "../records.js";
import { contentAges } from "../rules/content-ages.js";
import { eventIndex, newestFirst, type Span } from "../rules/event-index.js";
import { EXPORT_MS, ExportSpan, joinedSpans, missingExports } from "../rules/export-spans.js";
import { windowStart } from "../rules/window.js";
import { acled } from "../sources/acled.js";
import { EXPORTS_LISTED, type GdeltPlan, gdelt } from "../sources/gdelt.js";

interface Plan {
  readonly now: number;
}

const spanOf = ({ occurredAt }: AlphaConflictEvent): Span => ({ first: occurredAt, last: occurredAt });

/** The GDELT exports of the last 30 days that need no further request, because they were read or never published. */
const ReadExports = Type.Object({ spans: Type.Array(ExportSpan) });
interface ReadExports {
  readonly spans: readonly ExportSpan[];
}

/**
 * Maximum number of missed exports read per run: the exports of one day. The newest are read first, because their
 * events are requested most often and stay in the window longest.
 */
const MISSED_EXPORTS_MAX = 96;

/**
 * Selects the events of the last 30 days and sorts them in the order of the view, so that the same events always give
 * the same snapshot.
 */
const inWindow = (events: readonly AlphaConflictEvent[], now: number, tally: RowTally): readonly AlphaConflictEvent[] =>
  newestFirst(
    tally.filter(events, { "older than 30 days": ({ occurredAt }) => occurredAt >= windowStart(now) }),
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
  // GDELT is always read, even while it is not served. If it were read only after a failure of ACLED, it would start
  // with two hours of events instead of 30 days.
  gdelt: part<AlphaConflictEvent, GdeltPlan, ReadExports, ExportSpan>({
    sources: [gdelt],
    plan({ memory: { spans }, now }) {
      const range = { from: windowStart(now), to: now - EXPORTS_LISTED * EXPORT_MS, max: MISSED_EXPORTS_MAX };
      // The first run reads no missed exports, so that it stays short.
      return { now, missed: spans.length === 0 ? [] : missingExports(spans, range) };
    },
    memory: {
      schema: ReadExports,
      initial: { spans: [] },
      describes: "records",
      after: ({ spans }, read, { now }) => ({ spans: joinedSpans([...spans, ...read], windowStart(now)) }),
    },
    merge(kept, fresh, { tally }) {
      const all = [...kept, ...fresh];
      const merged = [...new Map(all.map((event) => [event.id, event])).values()];
      return tally.narrowed("read again", all, merged, among(merged));
    },
    select: inWindow,
    opened: withoutSpans,
    optional: true,
  }),
};

/**
 * Separates the spans of exports from the events, because an earlier version of Vigil stored both in one list. The
 * spans become the part's `memory`.
 */
function withoutSpans(stored: readonly unknown[]): Opened<AlphaConflictEvent, ReadExports> {
  const isSpan = (record: unknown): record is ExportSpan => Value.Check(ExportSpan, record);
  const spans = stored.filter(isSpan);
  // The cast is safe, because this part stores only spans and events.
  const records = stored.filter((record) => !isSpan(record)) as readonly AlphaConflictEvent[];
  return spans.length === 0 ? { records } : { records, memory: { spans } };
}

/** Returns ACLED's events, or GDELT's if ACLED has none. Both together would contain many events twice. */
function servedOf({ acled, gdelt }: RecordsOf<typeof parts>, tally = silentTally): readonly AlphaConflictEvent[] {
  if (acled.length === 0) return gdelt;
  if (gdelt.length > 0) tally.leftOut("events of ACLED are served", gdelt[0], gdelt.length);
  return acled;
}

/** Political violence of the last 30 days, with positions. */
export const alphaEvents = dataset({
  name: "alpha-events",
  title: "Conflict events of the last 30 days",
  description:
    "Battles, explosions and violence against civilians from ACLED; if ACLED has none or no ACLED account is configured, violent events in countries at war, as extracted by GDELT from the world's news.",
  cadenceMs: 15 * MINUTE_MS,
  staleAfterMs: 38 * MINUTE_MS,
  contentAgeMaxMs: contentAges.alphaEvents.wholeMs,
  partAges: contentAges.alphaEvents.parts,
  gaps: [
    "Events without a position are left out, as are GDELT events whose place is only a country.",
    "GDELT's events are extracted by machine from news on 25 countries. Several of these events may describe one real event, and deaths are not counted (`fatalitiesKnown: false`).",
    "GDELT's events are collected as they are published. Missed exports are read later, one day's worth per run; a new installation has all 30 days after some eight hours.",
    "ACLED publishes weekly and revises earlier events, so the whole window is read each time.",
    "GDELT's events are served once reads of ACLED have failed for a day.",
  ],
  parts,
  gateRule: "at least one event",
  gate: (records) => (servedOf(records).length === 0 ? "no source has an event" : undefined),
  view: (records: RecordsOf<typeof parts>, pace, tally) => eventIndex(servedOf(records, tally), { spanOf }, pace),
  viewHoldsRecords: true,
  newestAt: (records) =>
    servedOf(records).reduce<number | null>(
      (newest, { occurredAt }) => Math.max(newest ?? occurredAt, occurredAt),
      null,
    ),
});
