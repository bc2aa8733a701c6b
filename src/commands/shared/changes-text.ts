import type { ChangedRows } from "../../snapshots/changes/row-changes.js";

/**
 * Formats the counts of added, changed and removed rows in each part, such as `usgs +2 ~1 -3, nrcan +1`. Empty if
 * nothing changed.
 */
export function changesText(changes: ChangedRows): string {
  return Object.entries(changes)
    .map(([part, { added, changed, removed }]) =>
      [part, ...signed("+", added), ...signed("~", changed), ...signed("-", removed)].join(" "),
    )
    .join(", ");
}

function signed(sign: string, count: number): readonly string[] {
  return count === 0 ? [] : [`${sign}${count}`];
}
