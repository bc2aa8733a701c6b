import type { AnyDataset } from "../../contract/product.js";
import { ClockPace, type LoopTurns } from "../../kit/loop-turns.js";
import type { Generation } from "../generation.js";
import type { SnapshotStore } from "../store.js";
import { type ChangedRows, identitiesOf, type RowChange, rowChangeSteps } from "./row-changes.js";

/** The rows that differ between two generations. */
export interface GenerationDiff {
  readonly counts: ChangedRows;
  /** The first rows that differ, at most `rowsMax`. */
  readonly rows: readonly RowDiff[];
  /** Number of further rows that differ. */
  readonly hiddenRows: number;
}

/** A row that differs, with its changed members. */
export interface RowDiff extends RowChange {
  /** Empty for an added or removed row. */
  readonly members: readonly MemberDiff[];
}

export interface MemberDiff {
  readonly name: string;
  /** Undefined for a member that was added. */
  readonly before: unknown;
  /** Undefined for a member that was removed. */
  readonly after: unknown;
}

/** Compares two kept generations of a dataset. Throws `BodyDamaged` if the records of either cannot be read. */
export async function generationDiff(
  store: Pick<SnapshotStore, "records">,
  dataset: AnyDataset,
  { from, to }: { readonly from: Generation; readonly to: Generation },
  { rowsMax, turns }: { readonly rowsMax: number; readonly turns: LoopTurns },
): Promise<GenerationDiff> {
  const before = await store.records(from);
  const after = await store.records(to);
  const rows: RowDiff[] = [];
  let hiddenRows = 0;
  const pace = new ClockPace();
  const steps = rowChangeSteps({ before, after, identities: identitiesOf(dataset) }, pace, (change) => {
    if (rows.length < rowsMax) rows.push({ ...change, members: changedMembers(change) });
    else hiddenRows += 1;
  });
  const counts = await turns.run(steps, pace);
  return { counts, rows, hiddenRows };
}

function changedMembers({ kind, before, after }: RowChange): readonly MemberDiff[] {
  if (kind !== "changed" || !isRecord(before) || !isRecord(after)) return [];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .map((name) => ({ name, before: before[name], after: after[name] }))
    .filter((member) => JSON.stringify(member.before) !== JSON.stringify(member.after));
}

function isRecord(row: unknown): row is Readonly<Record<string, unknown>> {
  return typeof row === "object" && row !== null && !Array.isArray(row);
}
