import type { Selectable } from "kysely";

/** An occurrence of a company as it was last judged. The occurrence and its event have the same id. */
export interface CompanyOccurrenceTable {
  account_id: string;
  company_id: string;
  occurrence_id: string;
  /** publish, hold, reject or expire. */
  outcome: string;
  /** Null unless the occurrence was published. */
  impact_id: string | null;
  /** admitted, corrected or retracted. Null unless the occurrence was published. */
  lifecycle: string | null;
  /** The published statement, as `statementOf` writes it. Null unless the occurrence was published. */
  statement: string | null;
  /** JSON: keys of its evidence. */
  members: string;
  /** Time at which its newest evidence was published. */
  newest_at: number;
  /** Time of the next assessment; null unless the occurrence is held. */
  next_at: number | null;
  /** JSON: the newest decision; equal strings mean that nothing has changed. */
  decision: string;
  judged_at: number;
}

export type CompanyOccurrenceRow = Selectable<CompanyOccurrenceTable>;

/** The decisions on each occurrence. A decision equal to the previous decision on the occurrence is not stored. */
export interface CompanyDecisionTable {
  account_id: string;
  occurrence_id: string;
  ordinal: number;
  company_id: string;
  decided_at: number;
  /** JSON: the decision as `decisionText` writes it, or the id of the occurrence into which this one was merged. */
  body: string;
}
