import type { AnyDataset } from "../contract/product.js";
import type { ClockPace, Steps } from "../kit/loop-turns.js";
import { sharedRowSteps } from "../kit/shared-rows.js";
import type { PartRecords } from "./bodies/body.js";
import { DEFAULT_IDENTITY, identitiesOf, rowKey } from "./changes/row-changes.js";

/**
 * Returns the stored records of a generation, each replaced by the equal record of another generation if there is one,
 * so that both generations share that object.
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
