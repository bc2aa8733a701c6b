import type { StoredRows } from "../../../../contract/stored-answers.js";
import { visitSteps } from "../../../../kit/list-steps.js";
import { ClockPace, type LoopTurns, type Steps } from "../../../../kit/loop-turns.js";
import { sameJson } from "../../../../kit/same-json.js";
import { type RowsById, rowsById } from "./known-rows.js";

/** A row that differs between two lists. */
export type RowChange =
  | { readonly change: "added"; readonly id: string; readonly after: unknown }
  | { readonly change: "changed"; readonly id: string; readonly before: unknown; readonly after: unknown }
  | { readonly change: "removed"; readonly id: string; readonly before: unknown };

/** The kinds of change that a watch reports in addition to new rows. */
export interface ReportedChanges {
  readonly changed: boolean;
  readonly removed: boolean;
}

/** The cached changes between rows and lists. Several watches compare the same rows with the same list. */
const comparisons = new WeakMap<RowsById, WeakMap<StoredRows, Map<string, readonly RowChange[]>>>();

/**
 * Returns the changes since the earlier rows: first the added rows, then the changed rows, then the removed rows. Added
 * and changed rows are in list order.
 */
export async function rowChanges(
  earlierRows: RowsById,
  list: StoredRows,
  reported: ReportedChanges,
  turns: LoopTurns,
): Promise<readonly RowChange[]> {
  const ofEarlier = comparisons.get(earlierRows) ?? new WeakMap<StoredRows, Map<string, readonly RowChange[]>>();
  const ofList = ofEarlier.get(list) ?? new Map<string, readonly RowChange[]>();
  const key = `${reported.changed} ${reported.removed}`;
  const changes = ofList.get(key) ?? (await computedChanges(earlierRows, list, reported, turns));
  comparisons.set(earlierRows, ofEarlier.set(list, ofList.set(key, changes)));
  return changes;
}

async function computedChanges(
  earlierRows: RowsById,
  list: StoredRows,
  reported: ReportedChanges,
  turns: LoopTurns,
): Promise<readonly RowChange[]> {
  const present = reported.removed ? await rowsById(list, turns) : undefined;
  const pace = new ClockPace();
  return turns.run(changeSteps(earlierRows, list, { reported, present, pace }), pace);
}

interface Comparison {
  readonly reported: ReportedChanges;
  /** The rows of the list; undefined if removed rows are not reported. */
  readonly present: RowsById | undefined;
  readonly pace: ClockPace;
}

function* changeSteps(
  earlierRows: RowsById,
  list: StoredRows,
  { reported, present, pace }: Comparison,
): Steps<readonly RowChange[]> {
  const added: RowChange[] = [];
  const changed: RowChange[] = [];
  const removed: RowChange[] = [];
  yield* visitSteps(list.rows, pace, ({ id, row }) => {
    const before = earlierRows.get(id);
    // Here, undefined means that no row has this identity, because a JSON row is never undefined.
    if (before === undefined) added.push({ change: "added", id, after: row });
    else if (reported.changed && !sameJson(before, row)) changed.push({ change: "changed", id, before, after: row });
  });
  if (present) {
    yield* visitSteps(earlierRows, pace, ([id, before]) => {
      if (!present.has(id)) removed.push({ change: "removed", id, before });
    });
  }
  return [...added, ...changed, ...removed];
}
