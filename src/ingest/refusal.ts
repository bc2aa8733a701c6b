import type { AnyDataset } from "../contract/product.js";
import { silentTally } from "../contract/row-tally.js";
import { ClockPace, isSteps, LoopTurns } from "../kit/loop-turns.js";
import type { PartRecords } from "../snapshots/bodies/body.js";
import { HELD } from "../snapshots/generation.js";

/** The reason why a run publishes nothing. */
export interface Refusal {
  readonly kind: "failed" | "unconfigured";
  readonly sentence: string;
}

export function gateRefusal(dataset: AnyDataset, records: PartRecords): Refusal | undefined {
  const held = dataset.gate(records);
  return held === undefined ? undefined : { kind: "failed", sentence: `${HELD}${held}` };
}

/**
 * Returns a refusal if the dataset's view cannot be built from these records. No process could serve such a build, so
 * the current build stays published.
 */
export async function viewRefusal(dataset: AnyDataset, records: PartRecords): Promise<Refusal | undefined> {
  const pace = new ClockPace();
  const turns = new LoopTurns();
  try {
    const view = dataset.view(records, pace, silentTally);
    if (isSteps(view)) await turns.run(view, pace);
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { kind: "failed", sentence: `the build cannot be served: ${why}` };
  }
}
