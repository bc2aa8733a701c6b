import type { DatasetTimeline } from "../../../../contract/dataset-log.js";
import type { StoredAnswers } from "../../../../contract/stored-answers.js";
import type { LoopTurns } from "../../../../kit/loop-turns.js";

/** The parts of the running service, besides the store, that an evaluation uses. */
export interface EvaluatorContext {
  readonly answers: StoredAnswers;
  readonly timeline: DatasetTimeline;
  readonly turns: LoopTurns;
  readonly signal: AbortSignal;
}
