import type { PartRecords } from "../snapshots/bodies/body.js";
import type { Expected } from "./check.js";

/**
 * Counts by part how many rows were added, changed and removed. `identities` names the members that identify a row of
 * each part; default `id`. A part without a difference has the value undefined.
 */
export function changedRows(
  before: PartRecords,
  after: PartRecords,
  identities: Readonly<Record<string, readonly string[]>>,
): Expected {
  const parts = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...parts].map((part) => [part, changesOf(before[part] ?? [], after[part] ?? [], identities[part] ?? ["id"])]),
  );
}

/** Compares the rows of a part. Rows with the same key are compared in their order. */
function changesOf(before: readonly unknown[], after: readonly unknown[], identity: readonly string[]): Expected {
  const rest = new Map<string, string[]>();
  for (const row of before) {
    const key = keyOf(row, identity);
    const same = rest.get(key);
    if (same) same.push(JSON.stringify(row));
    else rest.set(key, [JSON.stringify(row)]);
  }
  let [added, changed] = [0, 0];
  for (const row of after) {
    const former = rest.get(keyOf(row, identity))?.shift();
    if (former === undefined) added += 1;
    else if (former !== JSON.stringify(row)) changed += 1;
  }
  const removed = before.length + added - after.length;
  return added + changed + removed === 0 ? undefined : { added, changed, removed };
}

/**
 * Returns the key of a row: its identifying members as text; the whole row as text if it lacks all of them; empty if no
 * member identifies rows.
 */
function keyOf(row: unknown, identity: readonly string[]): string {
  if (identity.length === 0) return "";
  if (typeof row !== "object" || row === null) return JSON.stringify(row);
  const members = new Map(Object.entries(row));
  const values = identity.map((member) => members.get(member));
  return values.every((value) => value === undefined)
    ? JSON.stringify(row)
    : values.map((value) => JSON.stringify(value)).join();
}
