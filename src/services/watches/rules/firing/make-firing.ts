import { worstState } from "../../../../contract/cache-policy.js";
import type { LogPosition, WatchMemory } from "../evaluation/memory.js";
import { generationsAt } from "./generations.js";
import type { FiringContent, NewFiring } from "./new-firing.js";

/**
 * Completes the content of a firing. Adds its time, the state and generations of the data, and two counts from the
 * memory of the watch.
 */
export function newFiring(
  content: FiringContent,
  { at, standings }: Pick<LogPosition, "at" | "standings">,
  { collisions, skipped }: Pick<WatchMemory, "collisions" | "skipped">,
): NewFiring {
  return {
    ...content,
    firedAt: at,
    state: worstState(standings),
    generations: generationsAt(standings),
    ...(collisions > 0 && { collidingIdentities: collisions }),
    ...(skipped > 0 && { skippedGenerations: skipped }),
  };
}
