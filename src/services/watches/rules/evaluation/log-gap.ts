import { newFiring } from "../firing/make-firing.js";
import type { NewFiring } from "../firing/new-firing.js";
import { type LogPosition, skipTo, type WatchMemory } from "./memory.js";

/** Reports that the log of datasets no longer has all entries for a watch, and continues at the position of `place`. */
export function continueAfterGap(
  memory: WatchMemory,
  place: LogPosition,
): { readonly memory: WatchMemory; readonly notice: NewFiring } {
  const { evaluatedPosition } = memory;
  const positions = place.position - evaluatedPosition;
  const message = `The log of datasets no longer has all changes since position ${evaluatedPosition}. The watch continues at position ${place.position}, ${positions} positions later, and compares with its last report.`;
  return {
    memory: skipTo(memory, place, 0),
    notice: newFiring({ kind: "WATCH_FIRING_KIND_NOTICE", message }, place, memory),
  };
}
