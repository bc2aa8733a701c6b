import { type StoreParts, storeJob } from "../../../../database/service-store.js";
import { SECOND_MS } from "../../../../kit/clock.js";
import { createDemoWatches } from "../demo.js";
import { type Evaluator, watchEvaluator } from "./evaluator.js";

/** The evaluator of each open store: jobs are declared once, but several stores can be open in one process. */
const evaluators = new WeakMap<StoreParts, Evaluator>();

/** The stores of demos whose watches were created. */
const demos = new WeakSet<StoreParts>();

/** Evaluates watches at new changes of datasets and at the ends of quiet periods. */
export const evaluationJob = storeJob({
  name: "watch evaluation",
  everyMs: SECOND_MS,
  reads: {},
  async run(parts, context) {
    if (parts.isSimulated && !demos.has(parts) && (await createDemoWatches(parts, context))) demos.add(parts);
    const evaluate = evaluators.get(parts) ?? watchEvaluator(parts);
    evaluators.set(parts, evaluate);
    await evaluate(context);
  },
});
