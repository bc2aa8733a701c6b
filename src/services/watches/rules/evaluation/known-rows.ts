import type { StoredRows } from "../../../../contract/stored-answers.js";
import { visitSteps } from "../../../../kit/list-steps.js";
import { ClockPace, type LoopTurns, type Steps } from "../../../../kit/loop-turns.js";
import { sameJson } from "../../../../kit/same-json.js";

/** Rows by identity, in the order of their list. */
export type RowsById = ReadonlyMap<string, unknown>;

/** The cached rows of each list by identity. Many watches compare the same lists. */
const byId = new WeakMap<StoredRows, RowsById>();

/** Returns the rows of a list by their identities. */
export async function rowsById(list: StoredRows, turns: LoopTurns): Promise<RowsById> {
  const indexed = byId.get(list);
  if (indexed) return indexed;
  const index = new Map<string, unknown>();
  const pace = new ClockPace();
  await turns.run(
    visitSteps(list.rows, pace, ({ id, row }) => index.set(id, row)),
    pace,
  );
  byId.set(list, index);
  return index;
}

/** The rows that a watch has already seen, collected from several lists. */
export interface KnownRows {
  /** Each row once. A row that occurs in several lists has its newest or its oldest content here (see `knownRows`). */
  readonly rows: RowsById;
  /** The indexes of the lists from which `rows` contains at least one row. */
  readonly needed: ReadonlySet<number>;
}

/**
 * Collects the rows of lists; the oldest list must come first. With `comparesContent`, keeps the newest content of a
 * row; otherwise, keeps its oldest content.
 */
export async function knownRows(
  lists: readonly StoredRows[],
  comparesContent: boolean,
  turns: LoopTurns,
): Promise<KnownRows> {
  const [only] = lists;
  if (only && lists.length === 1) return { rows: await rowsById(only, turns), needed: new Set([0]) };
  const pace = new ClockPace();
  return turns.run(collectSteps(lists, comparesContent, pace), pace);
}

function* collectSteps(lists: readonly StoredRows[], comparesContent: boolean, pace: ClockPace): Steps<KnownRows> {
  const rows = new Map<string, unknown>();
  const listOf = new Map<string, number>();
  for (const [index, list] of lists.entries()) {
    yield* visitSteps(list.rows, pace, ({ id, row }) => {
      if (rows.has(id) && !(comparesContent && !sameJson(rows.get(id), row))) return;
      rows.set(id, row);
      listOf.set(id, index);
    });
  }
  const needed = new Set<number>();
  yield* visitSteps(listOf.values(), pace, (index) => needed.add(index));
  return { rows, needed };
}
