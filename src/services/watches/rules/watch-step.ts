import { worstState } from "../../../contract/cache-policy.js";
import type { DatasetLogEntry } from "../../../contract/dataset-log.js";
import type { SnapshotState } from "../../../contract/snapshot.js";
import type { WatchDefinition } from "../records.js";
import { afterOutcome } from "./evaluation/after-outcome.js";
import { evaluateCondition } from "./evaluation/condition-rule.js";
import { datasetsAt, standingsOf, type WatchMemory } from "./evaluation/memory.js";
import type { Moment, StepResult, Watched } from "./evaluation/moment.js";
import { type Outcome, type Situation, WAITS } from "./evaluation/outcome.js";
import { evaluateRows } from "./evaluation/row-rule.js";
import { evaluateState } from "./evaluation/state-rule.js";

export { continueAfterGap } from "./evaluation/log-gap.js";
export {
  firstMemory,
  type LogPosition,
  readsTheSame,
  skipTo,
  type WatchMemory,
  withoutFailures,
} from "./evaluation/memory.js";
export type { Moment, StepResult, Watched } from "./evaluation/moment.js";
export type { NewFiring } from "./firing/new-firing.js";

/**
 * Evaluates a watch at a moment. The result depends only on the arguments, so that a live watch and a test over the
 * past agree, and a lost result can be recomputed.
 */
export async function watchStep(
  watch: WatchDefinition,
  memory: WatchMemory,
  moment: Moment,
  watched: Watched,
): Promise<StepResult> {
  const { position, at, standings, isWake } = moment;
  const placed = { ...memory, evaluatedPosition: position, current: standingsOf(standings) };
  const isQuiet = !isWake && memory.quietUntil !== null && at < memory.quietUntil;
  if (isQuiet) return unevaluated({ ...placed, hasWaited: true });
  const awake: WatchMemory = { ...placed, quietUntil: null, hasWaited: false };
  if (isWake && !memory.hasWaited) return unevaluated(awake);
  const situation = { watch, memory: awake, moment, state: worstState(standings), watched };
  return afterOutcome(situation, await outcomeOf(situation));
}

function unevaluated(memory: WatchMemory): StepResult {
  return { memory, firings: [], isEvaluated: false };
}

async function outcomeOf(situation: Situation): Promise<Outcome> {
  const { watch, state } = situation;
  if (watch.on === "WATCH_ON_STATE_CHANGES") return evaluateState(situation);
  if (!hasAnswer(state)) return WAITS;
  const comparesRows = watch.on === "WATCH_ON_NEW_ROWS" || watch.on === "WATCH_ON_CHANGED";
  return comparesRows ? evaluateRows(situation) : evaluateCondition(situation);
}

/** False if a dataset is absent or unreadable, because then no answer is conclusive. */
function hasAnswer(state: SnapshotState): boolean {
  return state !== "absent" && state !== "unreadable";
}

/**
 * Evaluates a watch in order at each entry of the log and at each wake-up (see `Moment`). A wake-up at `until` is
 * included. Live watches and tests over the past share this loop. The loop ends early if the watch becomes disabled.
 * Entries of other datasets, and entries up to the evaluated position, are ignored.
 */
export async function* play(
  watch: WatchDefinition,
  memory: WatchMemory,
  entries: Iterable<DatasetLogEntry> | AsyncIterable<DatasetLogEntry>,
  until: number,
  watched: Watched,
): AsyncGenerator<StepResult & { readonly moment: Moment }, void, undefined> {
  let now = memory;
  for await (const moment of momentsOf(() => now, entries, until)) {
    const result = await watchStep(watch, now, moment, watched);
    yield { ...result, moment };
    if (result.disabled !== undefined) return;
    now = result.memory;
  }
}

/** True if `play` would evaluate a watch with this memory at least once. */
export function hasMoments(memory: WatchMemory, entries: readonly DatasetLogEntry[], until: number): boolean {
  return wakeBy(memory, until) !== undefined || entries.some((entry) => isAhead(memory, entry));
}

/** True if a watch reads the dataset of an entry and has not passed the entry yet. */
function isAhead({ current, evaluatedPosition }: WatchMemory, { dataset, position }: DatasetLogEntry): boolean {
  return Object.hasOwn(current, dataset) && position > evaluatedPosition;
}

/** Yields the moments of a watch in order. Each moment depends on the memory after the previous moment. */
async function* momentsOf(
  memoryNow: () => WatchMemory,
  entries: Iterable<DatasetLogEntry> | AsyncIterable<DatasetLogEntry>,
  until: number,
): AsyncGenerator<Moment, void, undefined> {
  for await (const entry of entries) {
    if (!isAhead(memoryNow(), entry)) continue;
    yield* wakesBy(memoryNow, entry.at);
    yield momentOf(memoryNow(), entry);
  }
  yield* wakesBy(memoryNow, until);
}

/**
 * Yields the wake-ups up to and including an instant. If the watch fires at a wake-up, its next quiet period begins
 * there.
 */
function* wakesBy(memoryNow: () => WatchMemory, until: number): Generator<Moment, void, undefined> {
  for (let wake = wakeBy(memoryNow(), until); wake; wake = wakeBy(memoryNow(), until)) yield wake;
}

/** Returns the next wake-up; undefined if there is none up to the given instant. */
function wakeBy({ quietUntil, evaluatedPosition, current }: WatchMemory, until: number): Moment | undefined {
  if (quietUntil === null || quietUntil > until) return undefined;
  return { position: evaluatedPosition, at: quietUntil, standings: datasetsAt(current), isWake: true };
}

function momentOf({ current }: WatchMemory, { position, at, dataset, generation, state }: DatasetLogEntry): Moment {
  const standings = datasetsAt({ ...current, [dataset]: [generation, state] });
  return { position, at, standings, isWake: false };
}
