import { type StoreParts, storeJob } from "../../../../database/service-store.js";
import { SECOND_MS } from "../../../../kit/clock.js";
import { type Evaluator, watchEvaluator } from "./evaluator.js";

/** The evaluator of each open store: jobs are declared once, but several stores can be open in one process. */
const evaluators = new WeakMap<StoreParts, Evaluator>();

/** Evaluates watches when datasets change and when quiet periods end. */
export const evaluationJob = storeJob({
  name: "watch evaluation",
  everyMs: SECOND_MS,
  reads: {},
  followsChanges: true,
  async run(parts, context) {
    const evaluate = evaluators.get(parts) ?? watchEvaluator(parts);
    evaluators.set(parts, evaluate);
    await evaluate(context);
  },
});
