import { Value } from "typebox/value";
import type { AnyPart, DatasetContext } from "../contract/dataset.js";
import type { PartAfter, PartBefore } from "./read-part.js";

/**
 * Returns the memory at the start of a run: the stored memory, else the memory that an earlier version stored among the
 * records (`opened`), else the initial memory.
 */
export function memoryBefore({ memory }: AnyPart, stored: unknown, opened: unknown): unknown {
  if (!memory) return undefined;
  return (
    [stored, opened].find((candidate) => candidate !== undefined && Value.Check(memory.schema, candidate)) ??
    memory.initial
  );
}

/**
 * Returns the memory after a run; undefined if there is nothing to keep. `isStored` is true if the run's records were
 * stored. A memory that describes the records stays unchanged if no new records were stored.
 */
export function memoryAfter(
  { memory }: AnyPart,
  before: PartBefore,
  { status, isRead, progress }: PartAfter,
  context: DatasetContext & { readonly isStored: boolean },
): unknown {
  if (!memory || status.state === "off") return undefined;
  if (memory.describes === "records") {
    if (context.isStored && status.state === "missing") return undefined;
    if (!context.isStored || !isRead) return before.memory;
  }
  return memory.after(before.memory, progress, context);
}
