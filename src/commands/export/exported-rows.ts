import type { Generation } from "../../snapshots/generation.js";
import type { SnapshotStore } from "../../snapshots/store.js";

/** An exported row with the name of its part. */
export interface ExportedRow {
  readonly part: string;
  readonly row: unknown;
}

/** The rows of a generation, which can be read repeatedly. */
export interface ExportedRows {
  /**
   * Reads the rows in stored order, in bounded memory. Throws `BodyDamaged` for damaged content, in some cases only
   * after the last row.
   */
  batches(): AsyncIterable<readonly ExportedRow[]>;
  readonly count: number;
  /** The exported parts in order. */
  readonly parts: readonly string[];
}

/**
 * Provides the rows of one part, or of all parts if `part` is omitted. If several parts are exported, each row names
 * its part in the member `part`.
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
