import type { StoredRows } from "../../../../contract/stored-answers.js";
import { visitSteps } from "../../../../kit/list-steps.js";
import { ClockPace, type LoopTurns } from "../../../../kit/loop-turns.js";
import { sameJson } from "../../../../kit/same-json.js";

interface ListedRow {
  readonly id: string;
  readonly row: unknown;
}

/** The rows of a list by their fingerprints. */
type RowIndex = ReadonlyMap<string, readonly ListedRow[]>;

/** Maximum number of rows with the same fingerprint that are compared. */
const ALIKE_MAX = 64;

/** The cached index of each list. Several watches may have conditions on the same answer. */
const indexes = new WeakMap<StoredRows, RowIndex>();

/**
 * Returns a function that finds the identity of a row by its content; undefined for a row that the list does not
 * contain. The function returns no identity twice, so that equal rows get different identities.
 */
export async function declaredIds(
  declared: StoredRows,
  turns: LoopTurns,
): Promise<(row: unknown) => string | undefined> {
  const index = indexes.get(declared) ?? (await indexOf(declared, turns));
  indexes.set(declared, index);
  const used = new Set<string>();
  return (row) => {
    const alike = index.get(fingerprint(row))?.slice(0, ALIKE_MAX) ?? [];
    const listed = alike.find((candidate) => !used.has(candidate.id) && sameJson(candidate.row, row));
    if (listed) used.add(listed.id);
    return listed?.id;
  };
}

async function indexOf({ rows }: StoredRows, turns: LoopTurns): Promise<RowIndex> {
  const index = new Map<string, ListedRow[]>();
  const pace = new ClockPace();
  const steps = visitSteps(rows, pace, ({ id, row }) => {
    const own = ungrouped(row);
    const key = fingerprint(own);
    const alike = index.get(key);
    if (alike) alike.push({ id, row: own });
    else index.set(key, [{ id, row: own }]);
  });
  await turns.run(steps, pace);
  return index;
}

/** Returns a row without its group: a grouped list contains each row together with its group. */
function ungrouped(row: unknown): unknown {
  if (typeof row !== "object" || row === null || !("group" in row) || !("row" in row)) return row;
  return Object.keys(row).length === 2 ? row.row : row;
}

const SCALARS = 12;

/** Joins the first scalar members of a row. They are cheap to collect, and few rows of a list share all of them. */
function fingerprint(row: unknown): string {
  if (typeof row !== "object" || row === null) return String(row);
  const scalars: unknown[] = [];
  for (const name in row) {
    const value = (row as Readonly<Record<string, unknown>>)[name];
    if (typeof value === "object" || value === undefined) continue;
    if (scalars.push(value) === SCALARS) break;
  }
  return scalars.join("\n");
}
