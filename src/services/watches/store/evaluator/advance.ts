import type { DatasetLogEntry } from "../../../../contract/dataset-log.js";
import type { StoredAnswers, StoredQuestion } from "../../../../contract/stored-answers.js";
import { shortKind } from "../../firing-log.js";
import type { WatchDefinition } from "../../records.js";
import { datasetsAt } from "../../rules/evaluation/memory.js";
import { planIncludes } from "../../rules/evaluation/plan-includes.js";
import { callNotInPlan } from "../../rules/failures.js";
import { firingMembers } from "../../rules/firing/firing-members.js";
import { newFiring } from "../../rules/firing/make-firing.js";
import type { SharedWork } from "../../rules/shared-work.js";
import { hasMoments, type NewFiring, play, type WatchMemory } from "../../rules/watch-step.js";
import type { UnstoredFiring } from "../insert-firings.js";
import type { WatchRow } from "../tables.js";
import { definitionOf, memoryOf } from "../watch-rows.js";
import type { Ending, Outcome } from "./store-outcomes.js";
import type { DueWatch } from "./work-rows.js";

/** A watch with its parsed columns. */
export interface OpenWatch {
  readonly row: WatchRow;
  readonly definition: WatchDefinition;
  readonly memory: WatchMemory;
  readonly question: StoredQuestion;
}

/** Consecutive changes at which a watch is evaluated, and the memory from which the evaluation starts. */
export interface Stretch {
  /** The memory at the start of the stretch. */
  readonly memory: WatchMemory;
  /** Firings to report at the start of the stretch, such as the notice that the log no longer has all changes. */
  readonly firings: readonly NewFiring[];
  readonly entries: readonly DatasetLogEntry[];
  /** The watch is also evaluated at the end of each quiet period up to this time, epoch ms. */
  readonly until: number;
  /** True if nothing is left to evaluate after these changes. */
  readonly catchesUp: boolean;
}

export type StretchOf = (watch: OpenWatch) => Stretch | Promise<Stretch>;

/** `go on`: evaluate the next moment. `store`: first store the outcome so far. `stop`: leave the rest to a later run. */
export type Pace = "go on" | "store" | "stop";

export interface AdvanceParts {
  readonly answers: Pick<StoredAnswers, "reopen">;
  readonly shared: SharedWork;
  /** Epoch ms. */
  readonly now: number;
  /** Decides, after each moment but the last, how a stretch continues. */
  readonly pace: () => Pace;
}

/** An outcome of a stretch. */
export interface Advance {
  readonly outcome: Outcome;
  /**
   * `more`: the next outcome starts from the memory in this one, so it is valid only if this one is stored. `nothing`:
   * the stretch has been evaluated to its end. `later run`: the rest of the stretch was not evaluated.
   */
  readonly followedBy: "more" | "nothing" | "later run";
}

/** Size of the accumulated firings, in JSON characters, at which they are stored. */
export const FIRING_CHARACTERS_AT_ONCE = 1_048_576;

const GONE = "The service no longer answers this call from stored data. Change the call, or delete the watch.";

/**
 * Evaluates a watch at the changes of a stretch, and yields at least one outcome. The caller stores each outcome before
 * it asks for the next one.
 */
export async function* advance(
  row: DueWatch,
  stretchOf: StretchOf,
  { answers, shared, now, pace }: AdvanceParts,
): AsyncGenerator<Advance, void, undefined> {
  const [definition, stored] = [definitionOf(row), memoryOf(row)];
  const question = answers.reopen(definition.call);
  if (question === undefined) {
    yield { outcome: endedOutcome(row, { state: "disabled", reason: GONE }, now), followedBy: "nothing" };
    return;
  }
  if (!planIncludes(row, question.tier)) {
    yield { outcome: endedOutcome(row, { state: "paused", reason: callNotInPlan }, now), followedBy: "nothing" };
    return;
  }
  const watch: OpenWatch = { row, definition, memory: stored, question };
  const { memory: begin, firings: firedBefore, entries, until, catchesUp } = await stretchOf(watch);
  const served = (firing: NewFiring): UnstoredFiring => unstored(watch, firing);
  let revision = row.revision;
  let memory = begin;
  let firings = firedBefore.map(served);
  let firedAt = firedBefore.at(-1)?.firedAt;
  let ending: Ending | undefined;
  for await (const step of play(definition, begin, entries, until, shared.watchedBy(question))) {
    memory = step.memory;
    if (step.disabled !== undefined) ending = { state: "disabled", reason: step.disabled };
    firings.push(...step.firings.map(served));
    firedAt = step.firings.at(-1)?.firedAt ?? firedAt;
    if (ending !== undefined || !hasMoments(memory, entries, until)) continue;
    const next = pace();
    const outcome = { row: { ...row, revision }, memory, firings, firedAt, ending, isUpToDate: false };
    if (next === "stop") {
      yield { outcome, followedBy: "later run" };
      return;
    }
    if (next === "store" || charactersOf(firings) >= FIRING_CHARACTERS_AT_ONCE) {
      yield { outcome, followedBy: "more" };
      // The caller has stored the outcome, which raised the revision by exactly one.
      revision += 1;
      firings = [];
    }
  }
  const outcome = { row: { ...row, revision }, memory, firings, firedAt, ending, isUpToDate: catchesUp };
  yield { outcome, followedBy: "nothing" };
}

/** Makes the outcome for a watch that the service disables or pauses. Its firing tells the watch's owner the reason. */
export function endedOutcome(row: WatchRow, ending: Ending, now: number): Outcome {
  const [definition, memory] = [definitionOf(row), memoryOf(row)];
  const standings = datasetsAt(memory.current);
  const question = { datasets: standings.map(({ dataset }) => dataset), isList: false, sources: [] };
  const firing = newFiring(
    { kind: "WATCH_FIRING_KIND_FAILED", message: ending.reason },
    { at: now, standings },
    memory,
  );
  return {
    row,
    // A paused watch keeps its quiet period.
    memory: ending.state === "paused" ? memory : { ...memory, quietUntil: null },
    firings: [unstored({ row, definition, question }, firing)],
    firedAt: now,
    ending,
    isUpToDate: false,
  };
}

function unstored(
  {
    row,
    definition,
    question,
  }: Pick<OpenWatch, "row" | "definition"> & {
    readonly question: Pick<StoredQuestion, "datasets" | "isList" | "sources">;
  },
  firing: NewFiring,
): UnstoredFiring {
  const members = firingMembers({ watchId: row.watch_id, definition, question }, firing);
  const body = JSON.stringify(members);
  return { accountId: row.account_id, watchId: row.watch_id, kind: shortKind(firing.kind), body };
}

/** Returns the size of firings in JSON characters. */
export function charactersOf(firings: readonly UnstoredFiring[]): number {
  return firings.reduce((characters, { body }) => characters + body.length, 0);
}
