import type { Opened } from "../contract/dataset.js";
import type { AnyDataset } from "../contract/product.js";
import type { PartRecords } from "./bodies/body.js";

interface Openable {
  opened?(stored: readonly unknown[]): Opened<unknown, unknown>;
}

/** Converts the stored records of each part to the form that this version of the service uses. */
export function openedParts(
  dataset: Pick<AnyDataset, "parts">,
  stored: PartRecords,
): Readonly<Record<string, Opened<unknown, unknown>>> {
  const declared: Readonly<Record<string, Openable>> = dataset.parts;
  return Object.fromEntries(
    Object.entries(stored).map(([name, records]) => [name, declared[name]?.opened?.(records) ?? { records }]),
  );
}

export function recordsOf(opened: Readonly<Record<string, Opened<unknown, unknown>>>): PartRecords {
  return Object.fromEntries(Object.entries(opened).map(([name, { records }]) => [name, records]));
}
