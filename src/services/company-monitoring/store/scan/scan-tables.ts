import type { Generated, Selectable } from "kysely";

/**
 * The recurring scan of one company with one provider (an `Obligation`), and its newest window. A window is the period
 * that one scan covers. Deleted with the company.
 */
export interface CompanyWindowTable {
  account_id: string;
  company_id: string;
  /** The stored name of the provider, such as news or filings. */
  provider: string;
  /** complete, partial or failed; null before the first attempt. */
  state: string | null;
  reason: string | null;
  /**
   * 1 if the provider had more findings than it returned, or if there is a gap between this complete window and the
   * previous one.
   */
  capped: number;
  window_start: number | null;
  window_end: number | null;
  /** Start of the unbroken run of complete windows; null if the run has no lower bound or there is no run. */
  complete_since: number | null;
  complete_until: number | null;
  fresh_until: number;
  /** Number of windows that have ended. */
  ended_count: number;
  /** Consecutive failures. */
  failure_count: number;
  /** Null while the company is paused. */
  due_at: number | null;
  /** Identifies the content that was last searched for findings; null if the content must be searched again. */
  content: string | null;
  /** The lease under which the company is being scanned; null between scans. */
  lease: string | null;
  lease_until: number | null;
}
export type CompanyWindowRow = Selectable<CompanyWindowTable>;

/** The outcome of the newest lookup of a company in public registers. */
export interface CompanyIdentityTable {
  account_id: string;
  company_id: string;
  /** verified, ambiguous or unresolved. */
  state: string;
  checked_at: number;
}

/** Evidence that a provider found on a company. */
export interface CompanyFindingTable {
  account_id: string;
  company_id: string;
  provider: string;
  source_id: string;
  published_at: number;
  /** JSON: Finding. */
  body: string;
  found_at: number;
  /** 1 once the finding has been assessed. */
  judged: number;
  /** 1 if the finding is not about the company any more, because the company's names or numbers have changed. */
  withdrawn: Generated<number>;
}

/** Companies whose names, country or claims have changed, so that their stored findings must be matched again. */
export interface CompanyRematchTable {
  account_id: string;
  company_id: string;
  requested_at: number;
}
