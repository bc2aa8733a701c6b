import { type StoreParts, storeJob } from "../../../../database/service-store.js";
import { SECOND_MS } from "../../../../kit/clock.js";
import { type Evaluator, watchEvaluator } from "./evaluator.js";

/** One evaluator per open store. The job is declared once, but a process can have several stores open. */
const evaluators = new WeakMap<StoreParts, Evaluator>();

/** Evaluates watches when datasets change and when quiet periods end. */
export const evaluationJob = storeJob({
  name: "watch evaluation",
  everyMs: SECOND_MS,
  reads: {},
  followsChanges: true,
  onEachNode: true,
  async run(parts, context) {
    const evaluate = evaluators.get(parts) ?? watchEvaluator(parts);
    evaluators.set(parts, evaluate);
    await evaluate(context);
  },
});
