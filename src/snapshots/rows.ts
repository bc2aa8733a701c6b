import { packedText, plainText } from "../database/packed-text.js";
import type { DatasetStatusRow, NewSourceRun, SnapshotRow } from "../database/schema.js";
import type { BuildAccount } from "./builds/build-account.js";
import type { ChangedRows } from "./changes/row-changes.js";
import type { DatasetStatus, FinishedRun, Generation, RunOutcome } from "./generation.js";
import type { IngredientProvenance, SourceRunReport } from "./provenance.js";

export function rowOf(generation: Generation, changes: ChangedRows | undefined): SnapshotRow {
  return {
    dataset: generation.dataset,
    generation: generation.generation,
    content_hash: generation.contentHash,
    body_bytes: generation.bodyBytes,
    built_at: generation.builtAt,
    newest_at: generation.newestAt,
    record_counts: JSON.stringify(generation.recordCounts),
    provenance: packedText(JSON.stringify(originOf(generation))),
    changes: changes ? JSON.stringify(changes) : null,
    build_account: generation.account ? packedText(JSON.stringify(generation.account)) : null,
  };
}

/** The stored form of the origin: the ingredients of a product, or the provenance of a collection. */
type Origin = Generation["provenance"] | { readonly ingredients: readonly IngredientProvenance[] };

function originOf({ provenance, ingredients }: Generation): Origin {
  return ingredients ? { ingredients } : provenance;
}

/**
 * True for the origin of a product. A collection may have a part called `ingredients`, but the provenance of a part is
 * never a list.
 */
function isOfProduct(origin: Origin): origin is { readonly ingredients: readonly IngredientProvenance[] } {
  return Array.isArray(origin["ingredients"]);
}

/**
 * Reads a generation from its row. If its record counts or its origin cannot be read, they are empty, and the
 * generation is marked as damaged. Its records are not affected, because they are stored elsewhere.
 */
export function generationOf(row: SnapshotRow): Generation {
  const recordCounts = parsed<Generation["recordCounts"]>(() => row.record_counts);
  const origin = parsed<Origin>(() => plainText(row.provenance));
  const account = parsed<BuildAccount>(() => plainText(row.build_account ?? "null"));
  const isDamaged = recordCounts === undefined || origin === undefined;
  return {
    dataset: row.dataset,
    generation: row.generation,
    contentHash: row.content_hash,
    bodyBytes: row.body_bytes,
    builtAt: row.built_at,
    newestAt: row.newest_at,
    recordCounts: recordCounts ?? {},
    ...(origin && isOfProduct(origin) ? { provenance: {}, ...origin } : { provenance: origin ?? {} }),
    ...(isDamaged && { isDamaged }),
    ...(account && { account }),
  };
}

export function statusRowOf(status: DatasetStatus): DatasetStatusRow {
  return {
    dataset: status.dataset,
    attempted_at: status.attemptedAt,
    outcome: status.outcome,
    error: status.error,
    checked_at: status.checkedAt,
    next_at: status.nextAt,
    failures_in_row: status.failuresInRow,
    parts: JSON.stringify(status.parts),
    ingredients: status.ingredients ? JSON.stringify(status.ingredients) : null,
    account: status.account === undefined ? null : JSON.stringify(status.account),
  };
}

/**
 * Reads a status from its row. If its parts cannot be read, the status is that of a failed run. The next run is due at
 * once and replaces it.
 */
export function statusOf(row: DatasetStatusRow): DatasetStatus {
  const parts = parsed<DatasetStatus["parts"]>(() => row.parts);
  // If `account` or `ingredients` cannot be read, the product is built again.
  const account = parsed<object>(() => row.account ?? "null");
  const ingredients = parsed<NonNullable<DatasetStatus["ingredients"]>>(() => row.ingredients ?? "null");
  if (parts === undefined) {
    return {
      dataset: row.dataset,
      attemptedAt: row.attempted_at,
      outcome: "failed",
      error: "the stored status of this dataset cannot be read",
      checkedAt: row.checked_at,
      nextAt: null,
      failuresInRow: row.failures_in_row + 1,
      parts: {},
    };
  }
  return {
    dataset: row.dataset,
    attemptedAt: row.attempted_at,
    // The cast is safe, because only values of `RunOutcome` are stored.
    outcome: row.outcome as RunOutcome,
    error: row.error,
    checkedAt: row.checked_at,
    nextAt: row.next_at,
    failuresInRow: row.failures_in_row,
    parts,
    ...(ingredients && { ingredients }),
    ...(account && { account }),
  };
}

/** Parses a stored JSON object; undefined if it is damaged. */
function parsed<T extends object>(text: () => string): T | undefined {
  try {
    const value: unknown = JSON.parse(text());
    // The cast is safe, because the functions above wrote the column.
    return typeof value === "object" && value !== null ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}

export function runRowOf(run: FinishedRun, report: SourceRunReport): NewSourceRun {
  return {
    run_id: run.runId,
    dataset: run.status.dataset,
    part: report.part,
    source: report.source,
    request_key: report.requestKey,
    url: report.url,
    fetched_at: report.fetchedAt,
    outcome: report.outcome,
    http_status: report.status,
    bytes: report.bytes,
    sha256: report.sha256,
    newest_at: report.newestAt,
    rows_read: report.rowsRead,
    rows_bad: report.rowsBad,
    error: report.error,
  };
}
