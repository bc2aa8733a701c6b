import { Value } from "typebox/value";
import type { AnyPart, RunGiven } from "../contract/dataset.js";
import type { PartAfter, PartBefore } from "./read-part.js";

/** The memory with which a run begins: the stored one, else the one that was found among the records, else the first. */
export function memoryBefore({ memory }: AnyPart, stored: unknown, opened: unknown): unknown {
  if (!memory) return undefined;
  return [stored, opened].find((known) => known !== undefined && Value.Check(memory.schema, known)) ?? memory.initial;
}

/** The memory that a run leaves; undefined where there is none to keep. `isStored`: its records are those of the store. */
export function memoryAfter(
  { memory }: AnyPart,
  before: PartBefore,
  { status, isRead, progress }: PartAfter,
  given: RunGiven & { readonly isStored: boolean },
): unknown {
  if (!memory || status.state === "off") return undefined;
  if (memory.describes === "records") {
    if (given.isStored && status.state === "missing") return undefined;
    if (!given.isStored || !isRead) return before.memory;
  }
  return memory.after(before.memory, progress, given);
}
