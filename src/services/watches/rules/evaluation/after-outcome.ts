import { SECOND_MS } from "../../../../kit/clock.js";
import { cutText } from "../../../../kit/cut-text.js";
import { newFiring } from "../firing/make-firing.js";
import type { NewFiring } from "../firing/new-firing.js";
import { FAILURES_MAX, MESSAGE_CHARACTERS_MAX } from "../limits.js";
import { type WatchMemory, withoutFailures } from "./memory.js";
import type { StepResult } from "./moment.js";
import type { Outcome, Situation } from "./outcome.js";

/** Applies the outcome of a rule to the memory of a watch, and returns the firings. */
export function afterOutcome(situation: Situation, outcome: Outcome): StepResult {
  const { memory } = situation;
  switch (outcome.kind) {
    case "waits":
      return { memory, firings: [], isEvaluated: true };
    case "gone":
      return { memory: { ...memory, skipped: memory.skipped + 1 }, firings: [], isEvaluated: true };
    case "failed":
      return afterFailure(situation, cutText(outcome.error, MESSAGE_CHARACTERS_MAX));
    case "evaluated":
      return afterEvaluation(situation, outcome);
  }
}

function afterEvaluation(
  { watch, memory, moment }: Situation,
  { memoryChanges, firings: contents }: Extract<Outcome, { kind: "evaluated" }>,
): StepResult {
  const next: WatchMemory = { ...withoutFailures(memory), ...memoryChanges };
  const firings = contents.map((content): NewFiring => newFiring(content, moment, next));
  if (firings.length === 0) return { memory: next, firings, isEvaluated: true };
  const hasFired = contents.some(({ kind }) => kind === "WATCH_FIRING_KIND_FIRED");
  const quietMs = hasFired ? watch.quietSeconds * SECOND_MS : 0;
  const quietUntil = quietMs > 0 ? moment.at + quietMs : null;
  return { memory: { ...next, skipped: 0, quietUntil }, firings, isEvaluated: true };
}

/** Reports the first failure of a series, and the failure that disables the watch. */
function afterFailure({ memory, moment }: Situation, error: string): StepResult {
  const failuresInRow = memory.failuresInRow + 1;
  const next: WatchMemory = { ...memory, failuresInRow, lastError: error };
  const tell = (message: string): readonly NewFiring[] => [
    newFiring({ kind: "WATCH_FIRING_KIND_FAILED", message }, moment, next),
  ];
  if (failuresInRow >= FAILURES_MAX) {
    const disabled = `Disabled after ${failuresInRow} failed evaluations in a row. ${error}`;
    return { memory: next, firings: tell(disabled), isEvaluated: true, disabled };
  }
  return { memory: next, firings: failuresInRow === 1 ? tell(error) : [], isEvaluated: true };
}
