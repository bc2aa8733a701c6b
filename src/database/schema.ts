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
  account: AccountTable;
  api_key: ApiKeyTable;
  session: SessionTable;
  sign_in_link: SignInLinkTable;
  token_key: TokenKeyTable;
  idempotency_claim: IdempotencyClaimTable;
  audit_event: AuditEventTable;
  budget: BudgetTable;
  dataset_asked: DatasetAskedTable;
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

/** Who owns keys, and what they pay for. */
interface AccountTable {
  /** `operator` for the one that is always there. */
  id: string;
  name: string;
  plan: string;
  /** active, lapsed or renewal-pending. */
  plan_state: string;
  created_at: number;
  updated_at: number;
}
export type AccountRow = Selectable<AccountTable>;

/** Keys that open the service; the key itself is never stored. */
interface ApiKeyTable {
  id: string;
  /** SHA-256 of the key, hex. */
  key_hash: string;
  account_id: string;
  name: string;
  /** How the key begins, so that people recognise it. */
  hint: string;
  /** Scopes separated by spaces; `*` for all there are. */
  scopes: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}
export type ApiKeyRow = Selectable<ApiKeyTable>;

/** Browser sessions; each ends with the key it was opened with. */
interface SessionTable {
  /** SHA-256 of the session token, hex. */
  session_hash: string;
  key_id: string;
  created_at: number;
  expires_at: number;
}

/** Links that open one session; removed when used. */
interface SignInLinkTable {
  /** SHA-256 of the link's secret, hex. */
  link_hash: string;
  key_id: string;
  expires_at: number;
}

/** Keys that sign access tokens. */
interface TokenKeyTable {
  kid: string;
  private_jwk: string;
  public_jwk: string;
  created_at: number;
}

/** Writes that carried an Idempotency-Key: claimed while they run, then with the answer they gave. */
interface IdempotencyClaimTable {
  /** SHA-256 over caller, path and key, hex. */
  claim: string;
  /** SHA-256 of the request body, hex. */
  body_hash: string;
  /** The process that runs it. */
  holder: string;
  claimed_at: number;
  /** Null while it runs. */
  status: number | null;
  content_type: string | null;
  body: string | null;
  expires_at: number;
  /** The account or address and the path whose kept answers this one counts among. */
  owner: string;
  /** Space that the answer takes; 0 while there is none. */
  kept_bytes: number;
}
export type IdempotencyClaimRow = Selectable<IdempotencyClaimTable>;

/** What was done to accounts and keys, and by whom; never a secret. */
interface AuditEventTable {
  id: Generated<number>;
  at: number;
  action: string;
  /** The key, account or command line that did it. */
  actor: string;
  account_id: string | null;
  subject: string | null;
  address: string | null;
  /** JSON. */
  detail: string;
}
export type AuditEventRow = Selectable<AuditEventTable>;

/** When somebody newly asked for a dataset that is built only while somebody does; to the minutes. */
interface DatasetAskedTable {
  dataset: string;
  asked_at: number;
}

/** Paid upstream calls made in a billing cycle. */
interface BudgetTable {
  /** The day on which the cycle began, YYYY-MM-DD. */
  cycle: string;
  name: string;
  used: number;
}
