import { OperatorError } from "../../kit/operator-error.js";
import { BodyDamaged } from "../../snapshots/bodies/body.js";
import type { Generation } from "../../snapshots/generation.js";
import type { SnapshotStore } from "../../snapshots/store.js";

/** Finds a generation by its number. Throws an `OperatorError` if it is not stored. */
export async function keptGeneration(store: SnapshotStore, dataset: string, number: number): Promise<Generation> {
  const generation = await store.generation(dataset, number);
  if (generation) return generation;
  const newest = await store.newest(dataset);
  const standing = newest ? `the newest is ${newest.generation}` : "none is stored";
  throw new OperatorError(
    `generation ${number} of ${dataset} is not kept (${standing}); vigil history ${dataset} lists the generations`,
  );
}

/** Rethrows `BodyDamaged` as an `OperatorError` with a remedy, and every other error unchanged. */
export function unreadableBody(error: unknown): never {
  if (error instanceof BodyDamaged) throw new OperatorError(`${error.message}; vigil verify checks the whole store`);
  throw error;
}
