import { setImmediate as nextTurn } from "node:timers/promises";
import { isPlanActive } from "../../../../database/active-plan.js";
import type { StoreParts } from "../../../../database/service-store.js";
import { SECOND_MS } from "../../../../kit/clock.js";
import type { ContentMemory } from "../../rules/evaluation/content-memory.js";
import { evaluationCounter } from "../../rules/evaluation-counter.js";
import { inTurns } from "../../rules/in-turns.js";
import { sharedWork } from "../../rules/shared-work.js";
import { definitionOf } from "../watch-rows.js";
import {
  type Advance,
  advance,
  charactersOf,
  FIRING_CHARACTERS_AT_ONCE,
  type Pace,
  type StretchOf,
} from "./advance.js";
import type { EvaluatorContext } from "./evaluator-context.js";
import type { RestingWatches } from "./resting-watches.js";
import { type Outcome, storeOutcomes, type Tenure } from "./store-outcomes.js";
import { together } from "./together.js";
import type { WorkBudget } from "./work-budget.js";
import type { DueWatch } from "./work-rows.js";

/**
 * Maximum number of outcomes per transaction. A transaction on SQLite blocks the event loop, for about 10 ms at this
 * size.
 */
const OUTCOMES_AT_ONCE = { sqlite: 25, postgres: 200 } as const;
/**
 * Time after which outcomes are stored even if they are few, also in the middle of a stretch. Each transaction renews
 * the lease of the evaluating node, so this time must be far shorter than the lease.
 */
const STORED_AFTER_MS = 2 * SECOND_MS;
/** Time after which evaluation yields to the event loop before the next watch. */
const TURN_MS = 5;

export interface DeskTools {
  readonly parts: StoreParts;
  readonly context: EvaluatorContext;
  readonly tenure: Tenure;
  readonly budget: WorkBudget;
  readonly resting: RestingWatches;
  /** Cached contents from earlier runs. */
  readonly contents: ContentMemory;
  readonly monotonic: () => number;
}

export interface Evaluated {
  readonly count: number;
  /** The ids of the watches that a later run must evaluate, or continue to evaluate. */
  readonly left: readonly string[];
}

type EvaluatedWatch =
  | { readonly end: "finished" | "unfinished" | "changed" }
  | { readonly end: "fault"; readonly fault: unknown };

/** Evaluates watches and stores their outcomes. */
export interface EvaluationDesk {
  /** Evaluates each watch at the changes that `stretchOf` returns for the watch. Accounts take turns. */
  evaluate(rows: readonly DueWatch[], stretchOf: StretchOf): Promise<Evaluated>;
  /** Stores outcomes that do not come from an evaluation. */
  store(outcomes: readonly Outcome[]): Promise<void>;
  /** Throws an `AggregateError` if faults of the service occurred during the evaluation of single watches. */
  finish(): void;
}

export function evaluationDesk(tools: DeskTools): EvaluationDesk {
  const { parts, context, tenure, budget, resting, contents, monotonic } = tools;
  const { answers, turns, signal } = context;
  const shared = sharedWork(answers, { turns, signal, contents });
  const faults: unknown[] = [];
  let turnEndsAt = monotonic() + TURN_MS;
  let batch: Outcome[] = [];
  let batchCharacters = 0;
  let storedAt = monotonic();

  const isStoreDue = (): boolean => monotonic() - storedAt >= STORED_AFTER_MS;

  /**
   * Stores the collected outcomes and renews the lease. Returns the outcomes that were stored, without those of changed
   * watches.
   */
  async function flush(): Promise<readonly Outcome[]> {
    const outcomes = batch;
    batch = [];
    batchCharacters = 0;
    if (outcomes.length === 0 && !isStoreDue()) return [];
    storedAt = monotonic();
    const options = { now: parts.clock.now(), randomBytes: parts.randomBytes };
    const stored = await tenure.transaction((db) => storeOutcomes(db, outcomes, options));
    for (const outcome of stored) parts.count(evaluationCounter, labelOf(outcome));
    return stored;
  }

  function collect(outcome: Outcome): void {
    batch.push(outcome);
    batchCharacters += charactersOf(outcome.firings);
  }

  async function add(outcome: Outcome): Promise<void> {
    collect(outcome);
    const isFull =
      batch.length >= OUTCOMES_AT_ONCE[parts.database.dialect] || batchCharacters >= FIRING_CHARACTERS_AT_ONCE;
    if (isFull) await flush();
  }

  /**
   * Evaluates a watch. Returns the fault of its evaluation, if any. A fault in storing is thrown instead, because it
   * concerns other watches too. The evaluation ends early if the watch was changed in the meantime (`changed`), or if
   * the time of the account is used up (`unfinished`).
   */
  async function evaluateOne(row: DueWatch, stretchOf: StretchOf): Promise<EvaluatedWatch> {
    let chargedAt = monotonic();
    const charge = (): void => {
      const now = monotonic();
      budget.add(row.account_id, now - chargedAt);
      chargedAt = now;
    };
    const pace = (): Pace => {
      charge();
      if (budget.isUsedUp(row.account_id)) return "stop";
      return isStoreDue() ? "store" : "go on";
    };
    const outcomes = advance(row, stretchOf, { answers, shared, now: parts.clock.now(), pace });
    try {
      for (;;) {
        let next: IteratorResult<Advance, void>;
        try {
          next = await outcomes.next();
        } catch (fault) {
          return { end: "fault", fault };
        }
        if (next.done) return { end: "finished" };
        const { outcome, followedBy } = next.value;
        if (followedBy !== "more") {
          await add(outcome);
          return { end: followedBy === "nothing" ? "finished" : "unfinished" };
        }
        collect(outcome);
        if (!(await flush()).includes(outcome)) return { end: "changed" };
      }
    } finally {
      charge();
      await outcomes.return();
    }
  }

  async function takeTurn(): Promise<void> {
    signal.throwIfAborted();
    if (isStoreDue()) await flush();
    if (monotonic() < turnEndsAt) return;
    await nextTurn();
    turnEndsAt = monotonic() + TURN_MS;
  }

  return {
    async evaluate(rows, stretchOf) {
      const left: string[] = [];
      let count = 0;
      for (const row of inOrder(rows)) {
        await takeTurn();
        if (!isPlanActive(row.plan_state) || budget.isUsedUp(row.account_id)) {
          left.push(row.watch_id);
          parts.count(evaluationCounter, "deferred");
          continue;
        }
        const evaluated = await evaluateOne(row, stretchOf);
        if (evaluated.end !== "fault") {
          count += 1;
          if (evaluated.end === "unfinished") left.push(row.watch_id);
          continue;
        }
        const { fault } = evaluated;
        if (signal.aborted) throw fault;
        resting.add(row.watch_id, fault);
        faults.push(fault);
        left.push(row.watch_id);
      }
      await flush();
      return { count, left };
    },
    async store(outcomes) {
      for (const outcome of outcomes) await add(outcome);
      await flush();
    },
    finish() {
      if (faults.length > 0) throw new AggregateError(faults, `watches that could not be evaluated: ${faults.length}`);
    },
  };
}

/**
 * Orders watches for evaluation. Accounts take turns, and watches of the same call are evaluated one after another, so
 * that the answers of the call are computed once.
 */
function inOrder(rows: readonly DueWatch[]): readonly DueWatch[] {
  const calls = new Map(rows.map((row) => [row, definitionOf(row).call]));
  return together(
    inTurns(rows, ({ account_id }) => account_id),
    (row) => calls.get(row),
  );
}

function labelOf({ firings }: Outcome): string {
  if (firings.length === 0) return "quiet";
  return firings.some(({ kind }) => kind === "failed") ? "failed" : "fired";
}
