import { generationsOf } from "../firing/generations.js";
import { standingsOf } from "./memory.js";
import { evaluated, type Outcome, type Situation } from "./outcome.js";

/** Fires when the state of the data changes, and resolves when the state is ok again. */
export async function evaluateState({ memory, moment, state }: Situation): Promise<Outcome> {
  const { told: lastState, baseline } = memory;
  const memoryChanges = { told: state, baseline: { standings: standingsOf(moment.standings), at: moment.at } };
  if (lastState === null || lastState === state) return evaluated(memoryChanges);
  return evaluated(memoryChanges, [
    {
      kind: state === "ok" ? "WATCH_FIRING_KIND_RESOLVED" : "WATCH_FIRING_KIND_FIRED",
      ...(baseline && { previousGenerations: generationsOf(baseline) }),
      before: lastState,
      after: state,
    },
  ]);
}
