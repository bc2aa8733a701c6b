import type { DatasetLogEntry, DatasetTimeline } from "../../../contract/dataset-log.js";
import type { StoredAnswers } from "../../../contract/stored-answers.js";
import { monotonicMs, SECOND_MS } from "../../../kit/clock.js";
import type { LoopTurns } from "../../../kit/loop-turns.js";
import type { CheckedDefinition } from "./checked-definition.js";
import { type FiringMembers, firingMembers } from "./firing/firing-members.js";
import { sharedWork } from "./shared-work.js";
import { firstMemory, type NewFiring, play, type WatchMemory } from "./watch-step.js";

/** Maximum number of evaluations in one run. */
export const EVALUATIONS_MAX = 1_000;
export const FIRINGS_SHOWN_MAX = 100;
/** Maximum number of JSON characters of the firings shown. */
const SHOWN_CHARACTERS_MAX = 1_048_576;
/** Maximum number of generations that one run may read from the store. Generations in memory do not count. */
const READS_MAX = 200;
/** Time after which a run starts no further evaluation. */
const RUN_MS_MAX = 10 * SECOND_MS;
/** Number of log entries per read. */
const ENTRIES_AT_ONCE = 500;

/**
 * A past state of a watch, which can be written as JSON. If a run starts in the state in which an earlier run ended,
 * the two runs together have the result of a single run over both periods.
 */
export interface DryPlace {
  /** Everything up to this time has been evaluated, epoch ms. */
  readonly at: number;
  readonly memory: WatchMemory;
}

export interface Span {
  /** An instant, epoch ms, or the state in which an earlier run of the same definition ended. */
  readonly from: number | DryPlace;
  /** Epoch ms. */
  readonly to: number;
}

/** A firing that was neither stored nor sent. */
export type DryFiring = Omit<FiringMembers, "watchId">;

/** The outcome of a run. */
export interface DryRun {
  readonly from: string;
  readonly to: string;
  readonly evaluations: number;
  readonly firingCount: number;
  readonly firings: readonly DryFiring[];
  readonly skippedGenerations: number;
  /** True if the run was cut off by a limit before the end of the period. */
  readonly truncated: boolean;
  /** If truncated: the state in which the run ended. */
  readonly cutAt?: DryPlace;
}

export interface DryRunParts {
  readonly answers: StoredAnswers;
  readonly timeline: DatasetTimeline;
  readonly turns: LoopTurns;
  /** The clock that measures the duration of the run. */
  readonly monotonic?: () => number;
}

/** Thrown when a run hits its read limit. */
class ReadsUsedUp extends Error {
  override readonly name = "ReadsUsedUp";
}

/**
 * Evaluates a watch at every change in a period, as if the watch had been created at the start of the period. If `from`
 * is the state in which an earlier run ended, continues that run instead. Stores and sends nothing.
 */
export async function dryRun(checked: CheckedDefinition, { from, to }: Span, parts: DryRunParts): Promise<DryRun> {
  const { definition, question } = checked;
  const { answers, timeline, turns, monotonic = monotonicMs } = parts;
  const begin = typeof from === "number" ? await placeAt(timeline, question.datasets, from) : from;
  const endsAt = monotonic() + RUN_MS_MAX;
  const shared = sharedWork(answers, { turns, onRead: readLimit() });
  const report = firingReport(checked);
  let [evaluations, skippedGenerations] = [0, 0];
  let reached = begin;
  let isCut = false;
  try {
    const entries = entriesBetween(timeline, begin.memory.evaluatedPosition, to, question.datasets);
    for await (const step of play(definition, begin.memory, entries, to, shared.watchedBy(question))) {
      if (step.isEvaluated) evaluations += 1;
      if (step.memory.skipped > reached.memory.skipped) skippedGenerations += 1;
      for (const firing of step.firings) report.add(firing);
      reached = { at: Math.max(reached.at, step.moment.at), memory: step.memory };
      // Once the watch is disabled, nothing is left to evaluate, so there is no run to continue.
      isCut = step.disabled === undefined && (evaluations >= EVALUATIONS_MAX || monotonic() >= endsAt);
      if (isCut) break;
    }
  } catch (error) {
    if (!(error instanceof ReadsUsedUp)) throw error;
    isCut = true;
  }
  return {
    from: iso(begin.at),
    to: iso(isCut ? reached.at : to),
    evaluations,
    ...report.firings(),
    skippedGenerations,
    truncated: isCut,
    ...(isCut && { cutAt: reached }),
  };
}

/** Returns a function to call before each read. The function throws `ReadsUsedUp` beyond the read limit. */
function readLimit(): () => void {
  let reads = 0;
  return () => {
    reads += 1;
    if (reads > READS_MAX) throw new ReadsUsedUp();
  };
}

interface FiringReport {
  add(firing: NewFiring): void;
  /** The firings to show, and the total number of firings. */
  firings(): Pick<DryRun, "firingCount" | "firings">;
}

function firingReport(checked: CheckedDefinition): FiringReport {
  const firings: DryFiring[] = [];
  let [firingCount, shownCharacters] = [0, 0];
  return {
    add(firing) {
      firingCount += 1;
      const { watchId: _, ...shown } = firingMembers({ watchId: "", ...checked }, firing);
      shownCharacters += JSON.stringify(shown).length;
      if (firings.length < FIRINGS_SHOWN_MAX && shownCharacters <= SHOWN_CHARACTERS_MAX) firings.push(shown);
    },
    firings: () => ({ firingCount, firings }),
  };
}

const iso = (at: number): string => new Date(at).toISOString();

/**
 * Returns the state in which a run starts. The run starts at `from`. If the log no longer reaches back that far, the
 * run starts at a later position, by which the log has an entry for every dataset.
 */
async function placeAt(timeline: DatasetTimeline, datasets: readonly string[], from: number): Promise<DryPlace> {
  const { position, at } = await beginOf(timeline, datasets, from);
  return { at, memory: firstMemory(position, at, await timeline.standingsAt(position, datasets)) };
}

/** Returns the starting position of a run, with its time. */
async function beginOf(
  timeline: DatasetTimeline,
  datasets: readonly string[],
  from: number,
): Promise<{ readonly position: number; readonly at: number }> {
  const { oldest } = await timeline.extent();
  const position = await timeline.positionAt(from);
  if (position + 1 >= oldest) return { position, at: from };
  const kept = await timeline.after(oldest - 1, 1);
  const start = kept[0] ?? { position, at: from };
  let begin = start;
  for (const { dataset, generation, state } of await timeline.standingsAt(start.position, datasets)) {
    // Earlier entries of this dataset may have left the log, so the run begins at the first one that remains.
    const [first] = generation === null && state === "absent" ? await timeline.after(start.position, 1, [dataset]) : [];
    if (first && first.position > begin.position) begin = first;
  }
  return { position: begin.position, at: begin.at };
}

/** Yields the entries of datasets after a position and up to an instant, in order. */
async function* entriesBetween(
  timeline: DatasetTimeline,
  position: number,
  to: number,
  datasets: readonly string[],
): AsyncGenerator<DatasetLogEntry, void, undefined> {
  for (let after = position; ; ) {
    const page = await timeline.after(after, ENTRIES_AT_ONCE, datasets);
    for (const entry of page) {
      if (entry.at > to) return;
      yield entry;
    }
    const last = page.at(-1);
    if (!last || page.length < ENTRIES_AT_ONCE) return;
    after = last.position;
  }
}
