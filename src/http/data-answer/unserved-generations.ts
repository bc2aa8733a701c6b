import { failure } from "../../contract/failures.js";
import type { Snapshot } from "../../contract/snapshot.js";
import type { Ingredients } from "./ingredients.js";

/** Reads the number of the newest stored generation of a dataset; 0 before the first. */
export type NewestStored = (dataset: string) => Promise<number>;

/**
 * Refuses generations that are newer than the served ones. The refusal is a 503 if the store has them, because another
 * node has published them and this node has not loaded them yet. Otherwise, it is a 400.
 */
export async function refuseUnserved(
  newestStored: NewestStored,
  { question, snapshots, past }: Ingredients,
  since: readonly number[],
): Promise<void> {
  const unserved = question.reads.flatMap(([name, { name: dataset }], index) => {
    const [newest, generation] = [newestGeneration(snapshots[name]), since[index] ?? 0];
    return generation > newest ? [{ dataset, generation, newest }] : [];
  });
  if (unserved.length === 0) return;
  // A read of the past does not query the store, because `newest` already comes from the stored history.
  const stored = past ? [] : await Promise.all(unserved.map(({ dataset }) => newestStored(dataset)));
  const violations = unserved.flatMap(({ dataset, generation, newest }, index) => {
    if (generation <= (stored[index] ?? 0)) return [];
    const then = past ? " at `as_of`" : "";
    const description = `must not be newer than generation ${newest} of ${dataset}${then}, got ${generation}`;
    return [{ field: "sinceGeneration", description }];
  });
  if (violations.length > 0) throw failure("validation", { violations });
  const [{ dataset, generation }] = unserved as [(typeof unserved)[number]];
  throw failure("generationNotLoaded", { dataset, generation });
}

/**
 * The newest stored generation that this node knows; 0 while it serves none. If an older generation is served because
 * the newest one is unreadable, this is the unreadable one.
 */
function newestGeneration(snapshot: Snapshot<unknown> | undefined): number {
  return snapshot?.available ? (snapshot.newerUnreadable?.generation ?? snapshot.generation) : 0;
}
