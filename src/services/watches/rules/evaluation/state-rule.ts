import { generationsOf } from "../firing/generations.js";
import { standingsOf } from "./memory.js";
import { evaluated, type Outcome, type Situation } from "./outcome.js";

/** Fires when the state of the data changes, and resolves when it is ok again. */
export async function evaluateState({ memory, moment, state }: Situation): Promise<Outcome> {
  const { told, baseline } = memory;
  const learned = { told: state, baseline: { standings: standingsOf(moment.standings), at: moment.at } };
  if (told === null || told === state) return evaluated(learned);
  return evaluated(learned, [
    {
      kind: state === "ok" ? "WATCH_FIRING_KIND_RESOLVED" : "WATCH_FIRING_KIND_FIRED",
      ...(baseline && { previousGenerations: generationsOf(baseline) }),
      before: told,
      after: state,
    },
  ]);
}
