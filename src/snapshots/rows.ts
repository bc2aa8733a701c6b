import { gunzipSync, gzipSync } from "node:zlib";
import type { DatasetStatusRow, NewSourceRun, SnapshotRow } from "../database/schema.js";
import type { DatasetStatus, FinishedRun, Generation, RunOutcome } from "./generation.js";
import type { SourceRunReport } from "./provenance.js";

/** A text longer than this is stored compressed: what hundreds of requests gave repeats itself. */
const PLAIN_LENGTH_MAX = 16_384;
const PACKED = "gzip:";

function packedText(text: string): string {
  return text.length <= PLAIN_LENGTH_MAX ? text : PACKED + gzipSync(text).toString("base64");
}

function plainText(stored: string): string {
  if (!stored.startsWith(PACKED)) return stored;
  return gunzipSync(Buffer.from(stored.slice(PACKED.length), "base64")).toString("utf8");
}

export function rowOf(generation: Generation): SnapshotRow {
  return {
    dataset: generation.dataset,
    generation: generation.generation,
    content_hash: generation.contentHash,
    body_bytes: generation.bodyBytes,
    built_at: generation.builtAt,
    newest_at: generation.newestAt,
    record_counts: JSON.stringify(generation.recordCounts),
    provenance: packedText(JSON.stringify(generation.provenance)),
  };
}

export function generationOf(row: SnapshotRow): Generation {
  return {
    dataset: row.dataset,
    generation: row.generation,
    contentHash: row.content_hash,
    bodyBytes: row.body_bytes,
    builtAt: row.built_at,
    newestAt: row.newest_at,
    recordCounts: JSON.parse(row.record_counts),
    provenance: JSON.parse(plainText(row.provenance)),
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
  };
}

export function statusOf(row: DatasetStatusRow): DatasetStatus {
  return {
    dataset: row.dataset,
    attemptedAt: row.attempted_at,
    // Only RunOutcome values are ever written.
    outcome: row.outcome as RunOutcome,
    error: row.error,
    checkedAt: row.checked_at,
    nextAt: row.next_at,
    failuresInRow: row.failures_in_row,
    parts: JSON.parse(row.parts),
  };
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
