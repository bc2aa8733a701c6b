import type { Generated, Insertable, Selectable } from "kysely";

/**
 * The tables, the same on SQLite and PostgreSQL. Instants are epoch milliseconds in bigint columns; structured columns
 * hold JSON text, because only whole values are ever read.
 */
export interface Database {
  store_mark: StoreMarkTable;
  snapshot: SnapshotTable;
  dataset_status: DatasetStatusTable;
  dataset_run: DatasetRunTable;
  row_revision: RowRevisionTable;
  source_run: SourceRunTable;
  lease: LeaseTable;
  body: BodyTable;
  body_base: BodyBaseTable;
  account: AccountTable;
  api_key: ApiKeyTable;
  session: SessionTable;
  sign_in_link: SignInLinkTable;
  token_key: TokenKeyTable;
  idempotency_claim: IdempotencyClaimTable;
  plan_event: PlanEventTable;
  audit_event: AuditEventTable;
  budget: BudgetTable;
  dataset_asked: DatasetRequestTable;
  proof_log: ProofLogTable;
  proof_leaf: ProofLeafTable;
  proof_key: ProofKeyTable;
}

/**
 * Named values of this store: its kind (real or demo), its signing keys, and the access version, which every change of
 * accounts, keys or sessions increments. The kind never changes.
 */
interface StoreMarkTable {
  name: string;
  value: string;
}

/** One published generation of a dataset. Rows of this table never change. */
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
  /**
   * JSON: for each part and request key, the upstream response that its records came from. A product is built from
   * other datasets; in its provenance, `ingredients` lists the generations of these datasets that the build read.
   */
  provenance: string;
  /**
   * JSON: by part, the number of rows that differ from the previous generation; null if it is unknown, or if there is
   * no previous generation.
   */
  changes: string | null;
  /** JSON, packed: by part, the numbers of rows that the build read, left out and stored; null if unknown. */
  build_account: string | null;
}
export type SnapshotRow = Selectable<SnapshotTable>;

/** The latest run of each dataset; one row per dataset, replaced by every run. */
interface DatasetStatusTable {
  dataset: string;
  attempted_at: number;
  outcome: string;
  error: string | null;
  /** Time of the last run that confirmed or published content. */
  checked_at: number | null;
  next_at: number | null;
  failures_in_row: number;
  /** JSON: state, confirmation time, error and conditional-request validators of each part. */
  parts: string;
  /** JSON: for a product, the generation of each ingredient that the run read. */
  ingredients: string | null;
  /** JSON: for a product whose answers report its latest attempt, the summary of the latest build. */
  account: string | null;
}
export type DatasetStatusRow = Selectable<DatasetStatusTable>;

/** The finished runs of each dataset, from which past states are read. Rows of this table never change. */
interface DatasetRunTable {
  dataset: string;
  /** Number of the run: 1, 2, 3, … in order. Runs whose numbers are missing were removed by retention. */
  run: number;
  /** Time of the run, epoch ms. */
  at: number;
  /** Newest generation after the run; 0 before the first. */
  generation: number;
  outcome: string;
  /** Time of the last run, up to this one, that confirmed or published content; null if there was none. */
  checked_at: number | null;
  /** JSON: the result of the run and the states of the parts after it. */
  status: string;
}
export type DatasetRunRow = Selectable<DatasetRunTable>;

/**
 * The record of former rows, for datasets that keep one. Each entry describes the rows that a generation changed or
 * removed. It outlives that generation and never changes.
 */
interface RowRevisionTable {
  dataset: string;
  generation: number;
  /** Build time of the generation, epoch ms. */
  at: number;
  /**
   * JSON, packed: for each part, the keys of added rows and the former rows by key. Empty for the generation with which
   * the record begins.
   */
  rows: string;
}

/** One upstream response, or its absence, in one run; the log behind health and provenance. */
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

/**
 * Leases of named work, such as builds, and one lease for each running process of a service. A lease expires at
 * `expires_at` unless its holder renews it.
 */
interface LeaseTable {
  name: string;
  holder: string;
  expires_at: number;
}

/** Compressed snapshot bodies in PostgreSQL. Empty with SQLite, which keeps bodies in files. */
interface BodyTable {
  content_hash: string;
  bytes: Buffer;
  stored_at: number;
}

/** For each body that is stored as a difference, the bodies that are needed to read it. */
interface BodyBaseTable {
  content_hash: string;
  base_hash: string;
  /** Time of the latest write of the body, epoch ms; 0 in rows of earlier versions. */
  named_at: number;
}

/** Accounts with their plans. Every key belongs to an account. */
interface AccountTable {
  /** `operator` for the built-in account. */
  id: string;
  name: string;
  plan: string;
  /** active, lapsed or renewal-pending. */
  plan_state: string;
  created_at: number;
  updated_at: number;
}
export type AccountRow = Selectable<AccountTable>;

/** API keys; the key itself is never stored. */
interface ApiKeyTable {
  id: string;
  /** SHA-256 of the key, hex. */
  key_hash: string;
  account_id: string;
  name: string;
  /** The beginning of the key, by which people recognise the key. */
  hint: string;
  /** Scopes separated by spaces; `*` for all scopes. */
  scopes: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}
export type ApiKeyRow = Selectable<ApiKeyTable>;

/** Browser sessions; each ends with the key that opened it. */
interface SessionTable {
  /** SHA-256 of the session token, hex. */
  session_hash: string;
  key_id: string;
  created_at: number;
  expires_at: number;
  /** Address of the browser; null for sessions from before addresses were stored. */
  address: string | null;
}

/** Sign-in links. Each link opens one session and is removed after use. */
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

/**
 * Writes with an Idempotency-Key. While a write runs, its row is a claim; afterwards, the row also contains the answer.
 */
interface IdempotencyClaimTable {
  /** SHA-256 over caller, path and key, hex. */
  claim: string;
  /** SHA-256 of the request body, hex. */
  body_hash: string;
  /** The process that runs the write. */
  holder: string;
  claimed_at: number;
  /** Null while the write runs. */
  status: number | null;
  content_type: string | null;
  body: string | null;
  expires_at: number;
  /** The owner of the answer: an account or address, and a path. The total size of an owner's answers is limited. */
  owner: string;
  /** Stored size of the answer; 0 before there is one. */
  kept_bytes: number;
}
export type IdempotencyClaimRow = Selectable<IdempotencyClaimTable>;

/** The plan events that were applied. The newest events of each account are kept. */
interface PlanEventTable {
  /** SHA-256 over the id of the event, hex. */
  event_hash: string;
  /** SHA-256 of the request body, hex. */
  body_hash: string;
  account_id: string;
  /** JSON: the served account after the event. */
  account: string;
  applied_at: number;
}
export type PlanEventRow = Selectable<PlanEventTable>;

/** The audit log of accounts and keys; never contains a secret. */
interface AuditEventTable {
  id: Generated<number>;
  at: number;
  action: string;
  /** The author, such as a key, an account or the command line. */
  actor: string;
  account_id: string | null;
  subject: string | null;
  address: string | null;
  /** JSON. */
  detail: string;
}
export type AuditEventRow = Selectable<AuditEventTable>;

/** For each dataset that is built only on request, the time of the last request; accurate to within minutes. */
interface DatasetRequestTable {
  dataset: string;
  asked_at: number;
}

/** Paid upstream calls of a billing cycle. */
interface BudgetTable {
  /** The first day of the cycle, YYYY-MM-DD. */
  cycle: string;
  name: string;
  used: number;
}

/** The number of leaves of the Merkle log, in a single row. */
interface ProofLogTable {
  name: string;
  size: number;
}

/** A leaf of the Merkle log: one published generation. Leaves are 0, 1, 2, … without gaps, and rows never change. */
interface ProofLeafTable {
  leaf_index: number;
  dataset: string;
  generation: number;
  /** The hashed text: canonical JSON. */
  entry: string;
  /** The hashes of the subtrees that this leaf completes, smallest first, in hex; the first is the hash of the leaf. */
  hashes: string;
}
export type ProofLeafRow = Selectable<ProofLeafTable>;

/** The keys that sign answers and heads of the Merkle log. Public keys are never removed. */
interface ProofKeyTable {
  key_id: string;
  /** The 32 bytes of the public key, base64url. */
  public_key: string;
  /** The 32 bytes of the private key, hex; encrypted if the nodes share a key vault. */
  private_key: string;
  created_at: number;
}
export type ProofKeyRow = Selectable<ProofKeyTable>;
