/** The change of a row between the instant shown and now. */
export type RowChange = "gone since" | "changed since";

/** The differences between a list at an earlier instant and the current list. */
export interface RowChanges<Row> {
  /** The changes of the rows shown, by id; unchanged rows are left out. */
  readonly marks: ReadonlyMap<string, RowChange>;
  /** The rows added since the earlier instant. */
  readonly added: readonly Row[];
}

/** Compares the rows of an earlier instant with the current rows. */
export function rowChanges<Row>(
  then: readonly Row[],
  now: readonly Row[],
  idOf: (row: Row) => string,
): RowChanges<Row> {
  const current = new Map(now.map((row) => [idOf(row), JSON.stringify(row)]));
  const shown = new Set(then.map(idOf));
  const marks = new Map<string, RowChange>();
  for (const row of then) {
    const text = current.get(idOf(row));
    if (text === undefined) marks.set(idOf(row), "gone since");
    else if (text !== JSON.stringify(row)) marks.set(idOf(row), "changed since");
  }
  return { marks, added: now.filter((row) => !shown.has(idOf(row))) };
}
