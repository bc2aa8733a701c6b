import type { Generation } from "../../snapshots/generation.js";
import type { SnapshotStore } from "../../snapshots/store.js";

/** A row as it is exported, with its part. */
export interface ExportedRow {
  readonly part: string;
  readonly row: unknown;
}

/** The rows of a generation, which can be read repeatedly. */
export interface ExportedRows {
  /** In their stored order, in bounded memory. Throws `BodyDamaged` after the last one at the latest. */
  batches(): AsyncIterable<readonly ExportedRow[]>;
  readonly count: number;
  /** The exported parts in their order. */
  readonly parts: readonly string[];
}

/**
 * The rows of one part or, without `part`, of all parts. Rows of several parts have the name of theirs in the member
 * `part`, like the rows of a list in groups.
 */
export function exportedRows(
  store: SnapshotStore,
  generation: Pick<Generation, "contentHash" | "recordCounts">,
  part: string | undefined,
): ExportedRows {
  const { recordCounts } = generation;
  const parts = part === undefined ? Object.keys(recordCounts) : [part];
  const isLabelled = parts.length > 1;
  return {
    parts,
    count: parts.reduce((sum, name) => sum + (recordCounts[name] ?? 0), 0),
    async *batches() {
      for await (const { part: name, records } of store.batches(generation)) {
        if (!parts.includes(name)) continue;
        yield records.map((record) => ({
          part: name,
          row: isLabelled ? { part: name, ...(record as object) } : record,
        }));
      }
    },
  };
}
