import type { Generated, Kysely, Selectable } from "kysely";
import type { Database } from "../../../database/schema.js";
import { serviceTables } from "../../../database/service-tables.js";
import type { CompanyDecisionTable, CompanyOccurrenceTable } from "./admission/admission-tables.js";
import type {
  CompanyFindingTable,
  CompanyIdentityTable,
  CompanyRematchTable,
  CompanyWindowTable,
} from "./scan/scan-tables.js";

/**
 * The tables of company monitoring. Instants are epoch ms; structured columns contain JSON. The changes of an account
 * are numbered with positions 1, 2, 3, … without gaps. A version of a company or impact is visible from its own
 * position until the position of the next version, so the list of the versions that are visible at a position never
 * changes.
 */
export type CompanyTables = {
  company_account: CompanyAccountTable;
  company_version: CompanyVersionTable;
  company_request: CompanyRequestTable;
  company_change: CompanyChangeTable;
  company_impact: CompanyImpactTable;
  company_event: CompanyEventTable;
  company_evidence: CompanyEvidenceTable;
  company_scan: CompanyScanTable;
  company_window: CompanyWindowTable;
  company_finding: CompanyFindingTable;
  company_rematch: CompanyRematchTable;
  company_occurrence: CompanyOccurrenceTable;
  company_decision: CompanyDecisionTable;
  company_identity: CompanyIdentityTable;
};

/** Counters of one account. Created by its first write. */
interface CompanyAccountTable {
  account_id: string;
  /** The last assigned position. */
  position: number;
  /** Snapshot generation: the number of changes to the portfolio. */
  generation: number;
  /** Number of companies that are not removed. */
  company_count: number;
  /** The first position still in the log. */
  oldest_position: number;
  /**
   * The oldest boundary (a position) at which all visible versions are still stored; lists at earlier boundaries have
   * expired.
   */
  lists_from: Generated<number>;
  /** Revision of the link to the account's feed, incremented by each new link; 0 without a link. */
  feed_revision: Generated<number>;
  updated_at: number;
}
export type CompanyAccountRow = Selectable<CompanyAccountTable>;

/** One version of a company. A removed company has a last version without claims. */
interface CompanyVersionTable {
  account_id: string;
  company_id: string;
  visible_from: number;
  /** Null for the current version. */
  visible_to: number | null;
  name: string;
  customer_reference: string | null;
  /** ISO 3166-1 alpha-2. */
  domicile_country: string;
  /** active, paused or removed. */
  lifecycle: string;
  /** awaiting_first_scan and the other coverage states. */
  coverage: string;
  /** events_observed, no_events_observed or unknown. */
  observation: string;
  /** Time at which coverage or observation last changed; null before the first scan. */
  coverage_changed_at: number | null;
  /** JSON: claims. */
  claims: string;
  created_at: number;
  updated_at: number;
  /** Null for the current version. */
  superseded_at: number | null;
}
export type CompanyVersionRow = Selectable<CompanyVersionTable>;

/** Requests that created companies, by the client's own id, so that repeated requests can be recognised. */
interface CompanyRequestTable {
  account_id: string;
  /** create or import. */
  kind: string;
  /** `clientRequestId` or `clientImportId`. */
  request_id: string;
  /** Row of an import; 0 for a create. */
  ordinal: number;
  /** SHA-256 of the normalised company, hex. */
  fingerprint: string;
  company_id: string;
  created_at: number;
}
export type CompanyRequestRow = Selectable<CompanyRequestTable>;

/** The change log: one row for each position. */
interface CompanyChangeTable {
  account_id: string;
  position: number;
  /**
   * company, coverage, impact or purge. Only `company` increments the snapshot generation. `purge` means that a company
   * removed long ago has left the lists.
   */
  kind: string;
  company_id: string;
  impact_id: string | null;
  changed_at: number;
}
export type CompanyChangeRow = Selectable<CompanyChangeTable>;

/** One version of an impact; `visible_from` is the position of its change. */
interface CompanyImpactTable {
  account_id: string;
  impact_id: string;
  visible_from: number;
  visible_to: number | null;
  company_id: string;
  event_id: string;
  /** positive, negative or mixed. */
  direction: string;
  /** admitted, corrected or retracted. */
  lifecycle: string;
  /** JSON: the served impact. */
  body: string;
  superseded_at: number | null;
}
export type CompanyImpactRow = Selectable<CompanyImpactTable>;

interface CompanyEventTable {
  account_id: string;
  event_id: string;
  /** JSON: the served event. */
  body: string;
}

/** Evidence of an event in the order in which it is served. */
interface CompanyEvidenceTable {
  account_id: string;
  event_id: string;
  ordinal: number;
  evidence_id: string;
  /** JSON: the served reference. */
  body: string;
}

/** Companies for which a scan has been requested. The next scan round makes their rows in `company_window` due. */
interface CompanyScanTable {
  account_id: string;
  company_id: string;
  requested_at: number;
}

/** A database with the tables that all services share and the tables of company monitoring. */
export type CompanyDatabase = Kysely<Database & CompanyTables>;

/** The database with the types of these tables. */
export const companiesIn = serviceTables<CompanyTables>;
