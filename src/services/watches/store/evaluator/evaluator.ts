import { newHolder } from "../../../../database/leases.js";
import type { StoreParts } from "../../../../database/service-store.js";
import { monotonicMs } from "../../../../kit/clock.js";
import { contentMemory } from "../../rules/evaluation/content-memory.js";
import { workMsPerMinute } from "../../settings.js";
import { watchesIn } from "../tables.js";
import { evaluationRun } from "./evaluation-run.js";
import type { EvaluatorContext } from "./evaluator-context.js";
import { restingWatches } from "./resting-watches.js";
import { SETTLED_AFTER_MS } from "./settled.js";
import { evaluatorTenure, TenureLost } from "./store-outcomes.js";
import { workBudget } from "./work-budget.js";
import { waitingWork } from "./work-rows.js";

/** Evaluates all watches that have unevaluated changes or an ended quiet period. */
export type Evaluator = (context: EvaluatorContext) => Promise<void>;

/**
 * Creates the evaluator of one node. Only the node that holds the lease `watches` in the database evaluates, so that
 * nodes do not repeat each other's work. A node tries to take the lease only when there is work, so a round without
 * work costs at most two reads.
 */
export function watchEvaluator(parts: StoreParts, monotonic: () => number = monotonicMs): Evaluator {
  const { database, clock, settingOf } = parts;
  const tenure = evaluatorTenure(parts, newHolder());
  const budget = workBudget(clock, settingOf(workMsPerMinute));
  const resting = restingWatches(clock);
  const contents = contentMemory();

  async function hasWork({ timeline }: EvaluatorContext): Promise<boolean> {
    const waiting = await waitingWork(watchesIn(database.db), clock.now() - SETTLED_AFTER_MS);
    if (!waiting.hasWatches) return false;
    if (waiting.hasDue || waiting.hasBehind) return true;
    return (await timeline.extent()).newest > waiting.progress;
  }

  return async (context) => {
    if (!(await hasWork(context)) || !(await tenure.take())) return;
    try {
      await evaluationRun({ parts, context, tenure, budget, resting, contents, monotonic });
    } catch (fault) {
      // A lost lease and a stopping process are not faults: another node continues after the last stored outcome.
      const isEnded = fault instanceof TenureLost || context.signal.aborted;
      if (!isEnded) throw fault;
    }
  };
}
