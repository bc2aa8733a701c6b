import { port } from "../../../contract/port.js";
import type { CompanyEvidenceReference, CompanyMaterialImpact, MaterialEvent } from "../event-records.js";
import type { MonitoredCompany } from "../records.js";
import type { Boundary } from "./cursor-claims.js";
import type { CompanyCursors } from "./cursors.js";
import type { LogExtent } from "./poll-position.js";

/** The bounds of one page of a list. */
export interface PageBounds extends Boundary {
  /** Identifier of the last row before the page; absent for the first page. */
  readonly after?: string;
  /** Maximum number of rows to read. */
  readonly rowsMax: number;
}

/** Filters of the list of companies, with short enum names such as `active`. An empty filter admits every value. */
export interface CompanyFilters {
  readonly lifecycle: readonly string[];
  readonly coverage: readonly string[];
}

/** Filters of the list of impacts, with short enum names such as `negative`. An empty filter admits every value. */
export interface ImpactFilters {
  readonly companyId: readonly string[];
  readonly direction: readonly string[];
  readonly lifecycle: readonly string[];
}

/** A delivered change with its position in the log. */
export interface LoggedImpact {
  readonly position: number;
  readonly impact: CompanyMaterialImpact;
}

/** The extent of the log and some of its changes, read at one moment. */
export interface LogPage {
  readonly log: LogExtent;
  /** In order of their positions. */
  readonly changes: readonly LoggedImpact[];
}

/** An event with one of its impacts. */
export interface EventDetail {
  readonly event: MaterialEvent;
  readonly impact: CompanyMaterialImpact;
  /** The first `evidenceMax` references. */
  readonly evidence: readonly CompanyEvidenceReference[];
  readonly evidenceTotalCount: number;
}

/** Reads the lists, events and the change log of the caller's account. */
export interface CompanyReading {
  /** Returns the boundary for a list whose first page is about to be read. */
  boundary(): Promise<Boundary>;
  /** False for a boundary whose rows may have been removed, or that is beyond the end of the log. */
  isListable(boundary: Boundary): Promise<boolean>;
  /** Returns the companies as of the boundary, sorted by id. */
  companies(filters: CompanyFilters, page: PageBounds): Promise<readonly MonitoredCompany[]>;
  /** Returns the impacts as of the boundary, newest first. */
  impacts(filters: ImpactFilters, page: PageBounds): Promise<readonly CompanyMaterialImpact[]>;
  /** Returns the first changes after a position. */
  changesAfter(position: number, changesMax: number): Promise<LogPage>;
  /** Returns the event of an impact; undefined if the account has no such impact. */
  event(impactId: string, evidenceMax: number): Promise<EventDetail | undefined>;
}

export const companyReading = port<CompanyReading>("company reading");

export const cursorDesk = port<CompanyCursors>("company cursors");
