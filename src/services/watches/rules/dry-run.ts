import type { DatasetLogEntry, DatasetTimeline } from "../../../contract/dataset-log.js";
import type { StoredAnswers } from "../../../contract/stored-answers.js";
import { monotonicMs, SECOND_MS } from "../../../kit/clock.js";
import type { LoopTurns } from "../../../kit/loop-turns.js";
import type { CheckedDefinition } from "./checked-definition.js";
import { type FiringMembers, firingMembers } from "./firing/firing-members.js";
import { sharedWork } from "./shared-work.js";
import { firstMemory, play } from "./watch-step.js";

/** Most evaluations of one run. */
export const EVALUATIONS_MAX = 1_000;
export const FIRINGS_SHOWN_MAX = 100;
/** Characters of JSON of the shown firings. */
const SHOWN_CHARACTERS_MAX = 1_048_576;
/** Generations that one run may read from the store. Others are in memory. */
const READS_MAX = 200;
/** Time after which a run begins no further evaluation. */
const RUN_MS_MAX = 10 * SECOND_MS;
/** Entries of the log that are read at once. */
const ENTRIES_AT_ONCE = 500;

/** Instants, epoch ms. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A firing that was neither stored nor sent. */
export type DryFiring = Omit<FiringMembers, "watchId">;

/** The outcome of a run as it is served. */
export interface DryRun {
  readonly from: string;
  readonly to: string;
  readonly evaluations: number;
  readonly firingCount: number;
  readonly firings: readonly DryFiring[];
  readonly skippedGenerations: number;
  readonly truncated: boolean;
  readonly continueFrom?: string;
}

export interface DryRunParts {
  readonly answers: StoredAnswers;
  readonly timeline: DatasetTimeline;
  readonly turns: LoopTurns;
  /** For measuring the time of the run. */
  readonly monotonic?: () => number;
}

/** The run has read as many generations as it may. */
class ReadsUsedUp extends Error {
  override readonly name = "ReadsUsedUp";
}

/** Evaluates a watch at every change between two instants as if it had been created at the first. Changes nothing. */
export async function dryRun(
  { definition, question }: CheckedDefinition,
  { from, to }: Span,
  { answers, timeline, turns, monotonic = monotonicMs }: DryRunParts,
): Promise<DryRun> {
  const begin = await beginOf(timeline, question.datasets, from);
  const endsAt = monotonic() + RUN_MS_MAX;
  let reads = 0;
  const shared = sharedWork(answers, {
    turns,
    onRead() {
      reads += 1;
      if (reads > READS_MAX) throw new ReadsUsedUp();
    },
  });
  const firings: DryFiring[] = [];
  let [evaluations, firingCount, shownCharacters, skippedGenerations] = [0, 0, 0, 0];
  /** Everything up to this time was evaluated. */
  let reached = begin.at;
  let isTruncated = false;
  const standings = await timeline.standingsAt(begin.position, question.datasets);
  let memory = firstMemory(begin.position, begin.at, standings);
  try {
    const entries = entriesBetween(timeline, begin.position, to, question.datasets);
    for await (const step of play(definition, memory, entries, to, shared.watchedBy(question))) {
      if (step.isEvaluated) evaluations += 1;
      if (step.memory.skipped > memory.skipped) skippedGenerations += 1;
      memory = step.memory;
      for (const firing of step.firings) {
        firingCount += 1;
        const { watchId: _, ...shown } = firingMembers({ watchId: "", definition, question }, firing);
        shownCharacters += JSON.stringify(shown).length;
        if (firings.length < FIRINGS_SHOWN_MAX && shownCharacters <= SHOWN_CHARACTERS_MAX) firings.push(shown);
      }
      reached = Math.max(reached, step.moment.at);
      isTruncated = evaluations >= EVALUATIONS_MAX || monotonic() >= endsAt;
      if (isTruncated) break;
    }
  } catch (error) {
    if (!(error instanceof ReadsUsedUp)) throw error;
    isTruncated = true;
  }
  return {
    from: iso(begin.at),
    to: iso(isTruncated ? reached : to),
    evaluations,
    firingCount,
    firings,
    skippedGenerations,
    truncated: isTruncated,
    ...(isTruncated && { continueFrom: iso(reached) }),
  };
}

const iso = (at: number): string => new Date(at).toISOString();

/** The first position at or after an instant at which the log knows every dataset, with its time. */
async function beginOf(
  timeline: DatasetTimeline,
  datasets: readonly string[],
  from: number,
): Promise<{ readonly position: number; readonly at: number }> {
  const { oldest } = await timeline.extent();
  const position = await timeline.positionAt(from);
  if (position + 1 >= oldest) return { position, at: from };
  const kept = await timeline.after(oldest - 1, 1);
  let begin = kept[0] ?? { position, at: from };
  for (const { dataset, generation, state } of await timeline.standingsAt(begin.position, datasets)) {
    // Its earlier standings have left the log.
    const [first] = generation === null && state === "absent" ? await timeline.after(begin.position, 1, [dataset]) : [];
    if (first) begin = first;
  }
  return { position: begin.position, at: begin.at };
}

/** The entries of datasets after a position and up to an instant, in order. */
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
