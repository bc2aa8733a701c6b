import { worstState } from "../../../../contract/cache-policy.js";
import type { LogPosition, WatchMemory } from "../evaluation/memory.js";
import { generationsAt } from "./generations.js";
import type { NewFiring, Told } from "./new-firing.js";

/** The firing that tells something at a moment, with what the memory notes besides. */
export function newFiring(
  told: Told,
  { at, standings }: Pick<LogPosition, "at" | "standings">,
  { collisions, skipped }: Pick<WatchMemory, "collisions" | "skipped">,
): NewFiring {
  return {
    ...told,
    firedAt: at,
    state: worstState(standings),
    generations: generationsAt(standings),
    ...(collisions > 0 && { collidingIdentities: collisions }),
    ...(skipped > 0 && { skippedGenerations: skipped }),
  };
}
