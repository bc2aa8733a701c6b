import { generationsOf } from "../firing/generations.js";
import { standingsOf } from "./memory.js";
import { evaluated, type Outcome, type Situation } from "./outcome.js";

/** Tells that the state of the data has changed. Back to ok is the end of it. */
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
