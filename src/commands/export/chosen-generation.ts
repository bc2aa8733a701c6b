import type { AnyDataset } from "../../contract/product.js";
import { suggestion } from "../../kit/nearest.js";
import { OperatorError } from "../../kit/operator-error.js";
import type { Generation } from "../../snapshots/generation.js";
import type { SnapshotStore } from "../../snapshots/store.js";
import { keptGeneration } from "../shared/kept-generation.js";
import { note } from "../shared/output.js";
import type { ExportOptions } from "./export-options.js";

/**
 * Finds the generation that the options select: by number, by instant, or the newest. Throws an `OperatorError` if that
 * generation is not stored.
 */
export async function chosenGeneration(
  store: SnapshotStore,
  { name }: AnyDataset,
  { generation: number, asOf }: ExportOptions,
): Promise<Generation> {
  if (number !== undefined) return keptGeneration(store, name, number);
  if (asOf === undefined) {
    const newest = await store.newest(name);
    if (newest) return newest;
    throw new OperatorError(`${name} was never built; vigil ingest ${name} builds it`);
  }
  const { run, isThinned, keptFrom } = await store.runAt(name, asOf);
  const at = new Date(asOf).toISOString();
  if (run !== undefined && run.generation > 0) {
    if (isThinned)
      note(`some runs before ${at} are no longer kept; the latest kept one is from ${new Date(run.at).toISOString()}`);
    return keptGeneration(store, name, run.generation);
  }
  const since = keptFrom === undefined ? "" : `; its history begins at ${new Date(keptFrom).toISOString()}`;
  throw new OperatorError(`${name} has no kept generation from before ${at}${since}`);
}

/** The name of the selected part, if any. Throws an `OperatorError` if the generation has no such part. */
export function partNamed(
  dataset: AnyDataset,
  { recordCounts }: Generation,
  part: string | undefined,
): string | undefined {
  if (part === undefined || Object.hasOwn(recordCounts, part)) return part;
  const names = Object.keys(recordCounts);
  const hint = suggestion(part, names) || `; its parts are ${names.join(", ")}`;
  throw new OperatorError(`${dataset.name} has no part ${part}${hint}`);
}
