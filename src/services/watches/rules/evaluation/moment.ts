import type { DatasetAt, Evaluation, EvaluationOptions, StoredAnswer } from "../../../../contract/stored-answers.js";
import type { LoopTurns } from "../../../../kit/loop-turns.js";
import type { NewFiring } from "../firing/new-firing.js";
import type { Content, Lacking } from "./answer-content.js";
import type { WatchMemory } from "./memory.js";

/**
 * A time at which a watch is evaluated: an entry of the log of datasets, or a wake-up. A watch wakes up at the end of a
 * quiet period. It also wakes up once when it is new, and once after it has skipped entries.
 */
export interface Moment {
  /** The position of the entry; for a wake-up, the last position that was evaluated or skipped before it. */
  readonly position: number;
  /** Epoch ms. */
  readonly at: number;
  /** The standing of each dataset that the watch reads. */
  readonly standings: readonly DatasetAt[];
  /** True for a wake-up. */
  readonly isWake: boolean;
}

/** The parts of the watched call that the evaluation needs. Equal arguments yield equal results. */
export interface Watched {
  /**
   * Returns the answer from the generations in `standings` at the time `at`, epoch ms; undefined if a generation is no
   * longer kept. If the operation rejects the call, `error` is the reason.
   */
  answer(standings: readonly DatasetAt[], at: number): Promise<StoredAnswer | { readonly error: string } | undefined>;
  /**
   * Returns the content that `expressions` yield on the answer from the generations in `standings`. If the content is
   * not cached, calls `compute`.
   */
  content(
    standings: readonly DatasetAt[],
    at: number,
    expressions: string,
    compute: () => Promise<Content | Lacking>,
  ): Promise<Content | Lacking>;
  evaluate(expression: string, value: unknown, options?: Pick<EvaluationOptions, "onWork">): Promise<Evaluation>;
  /** Lets long comparisons yield to the event loop. */
  readonly turns: LoopTurns;
}

/** The outcome of evaluating a watch at a moment. */
export interface StepResult {
  readonly memory: WatchMemory;
  readonly firings: readonly NewFiring[];
  /** False during a quiet period, and at its end if nothing waits to be evaluated (`WatchMemory.hasWaited`). */
  readonly isEvaluated: boolean;
  /** The reason why the watch becomes disabled. */
  readonly disabled?: string;
}
