import type { FiredRow, WatchDefinition } from "../../records.js";
import type { RowChange } from "../evaluation/row-changes.js";
import { FIRED_ROWS_MAX } from "../limits.js";
import { boundedValues } from "./bounded-value.js";
import type { FiredRows } from "./new-firing.js";

/**
 * Divides the changed rows of an evaluation among its firings: a single firing, or one firing per row. The counts of a
 * single firing cover all rows. With one firing per row, only the first `FIRED_ROWS_MAX` rows get a firing. The last of
 * these firings also counts the rows without one.
 */
export function firedRows(changes: readonly RowChange[], grouping: WatchDefinition["grouping"]): readonly FiredRows[] {
  if (changes.length === 0) return [];
  const rows = changes.slice(0, FIRED_ROWS_MAX).map(firedRow);
  if (grouping === "WATCH_GROUPING_EVALUATION") return [{ rows, ...countsOf(changes) }];
  return rows.map((row, index) => {
    const isLast = index === FIRED_ROWS_MAX - 1;
    return { rows: [row], ...countsOf(changes.slice(index, isLast ? undefined : index + 1)) };
  });
}

function firedRow(change: RowChange): FiredRow {
  const before = "before" in change ? change.before : undefined;
  const after = "after" in change ? change.after : undefined;
  return { change: change.change, id: change.id, ...boundedValues(before, after) };
}

function countsOf(changes: readonly RowChange[]): Omit<FiredRows, "rows"> {
  const counts = { added: 0, changed: 0, removed: 0 };
  for (const { change } of changes) counts[change] += 1;
  return { addedCount: counts.added, changedCount: counts.changed, removedCount: counts.removed };
}
