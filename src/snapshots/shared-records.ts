import type { AnyDataset } from "../contract/product.js";
import type { ClockPace, Steps } from "../kit/loop-turns.js";
import { sharedRowSteps } from "../kit/shared-rows.js";
import type { PartRecords } from "./bodies/body.js";
import { DEFAULT_IDENTITY, identitiesOf, rowKey } from "./changes/row-changes.js";

/**
 * Returns the records of a generation. If another generation (`others`) has an equal record, that record replaces the
 * one in `records`, so that both generations share one object in memory.
 */
export function* sharedRecordSteps(
  dataset: AnyDataset,
  records: PartRecords,
  others: PartRecords,
  pace: ClockPace,
): Steps<PartRecords> {
  const identities = identitiesOf(dataset);
  const shared: [string, readonly unknown[]][] = [];
  for (const [part, rows] of Object.entries(records)) {
    const identity = identities[part] ?? DEFAULT_IDENTITY;
    const keyOf = (row: unknown): string => rowKey(row, identity);
    shared.push([part, yield* sharedRowSteps(rows, others[part] ?? [], keyOf, pace)]);
  }
  return Object.fromEntries(shared);
}
