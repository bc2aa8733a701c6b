import type { Generated, Insertable, Selectable } from "kysely";

/**
 * The tables, the same on SQLite and PostgreSQL. Instants are epoch milliseconds in bigint columns; structured columns
 * hold JSON text, because only whole values are ever read.
 */
export interface Database {
  store_mark: StoreMarkTable;
  snapshot: SnapshotTable;
  dataset_status: DatasetStatusTable;
  source_run: SourceRunTable;
  lease: LeaseTable;
  body: BodyTable;
  access_key: AccessKeyTable;
}

/** What this store is; written once at creation (`kind`: real or demo). */
interface StoreMarkTable {
  name: string;
  value: string;
}

/** One published generation of a dataset; rows are never changed. */
interface SnapshotTable {
  dataset: string;
  generation: number;
  /** SHA-256 of the uncompressed body, hex; also the body's key. */
  content_hash: string;
  body_bytes: number;
  built_at: number;
  newest_at: number | null;
  /** JSON: record count of each part. */
  record_counts: string;
  /** JSON: for each part and request key, the upstream answer its records came from. */
  provenance: string;
}
export type SnapshotRow = Selectable<SnapshotTable>;

/** How the newest run of a dataset went; one row each, replaced by every run. */
interface DatasetStatusTable {
  dataset: string;
  attempted_at: number;
  outcome: string;
  error: string | null;
  /** When a run last confirmed or published content. */
  checked_at: number | null;
  next_at: number | null;
  failures_in_row: number;
  /** JSON: state, confirmation time, error and conditional-request validators of each part. */
  parts: string;
}
export type DatasetStatusRow = Selectable<DatasetStatusTable>;

/** One upstream answer (or its absence) of one run; the log behind health and provenance. */
interface SourceRunTable {
  id: Generated<number>;
  run_id: string;
  dataset: string;
  part: string;
  source: string;
  request_key: string;
  url: string;
  fetched_at: number;
  outcome: string;
  http_status: number | null;
  bytes: number | null;
  sha256: string | null;
  newest_at: number | null;
  rows_read: number | null;
  rows_bad: number | null;
  error: string | null;
}
export type NewSourceRun = Insertable<SourceRunTable>;

/** Who is building what; a holder that died is overtaken after `expires_at`. */
interface LeaseTable {
  name: string;
  holder: string;
  expires_at: number;
}

/** Compressed snapshot bodies, where several machines share one PostgreSQL. */
interface BodyTable {
  content_hash: string;
  bytes: Buffer;
  stored_at: number;
}

/** Keys that open the service; the key itself is never stored. */
interface AccessKeyTable {
  /** SHA-256 of the key, hex. */
  key_hash: string;
  /** `owner` until accounts exist. */
  kind: string;
  created_at: number;
  revoked_at: number | null;
}
