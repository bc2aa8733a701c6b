import type { PortfolioTurn } from "../ports.js";
import type { ImportOutcome } from "../records.js";
import type { NormalImport } from "../rules/normal/normal-import.js";
import { type Creation, createCompanies } from "./create-company.js";

/** The result of one row. */
export interface RowResult {
  readonly ordinal: number;
  readonly companyId?: string;
  readonly outcome: ImportOutcome;
  readonly reasonCode: string;
}

/** The results of all rows by ordinal. The three counts add up to the number of rows. */
export interface ImportReport {
  readonly createdCount: number;
  readonly replayedCount: number;
  readonly rejectedCount: number;
  readonly results: readonly RowResult[];
}

/** Creates the companies of an import in the order of their ordinals. */
export async function importCompanies(turn: PortfolioTurn, batch: NormalImport): Promise<ImportReport> {
  const creations = await createCompanies(turn, batch.companies, { kind: "import", requestId: batch.importId });
  const results = creations.map((creation, ordinal) => rowResult(ordinal, creation));
  const count = (...outcomes: readonly ImportOutcome[]): number =>
    results.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return {
    createdCount: count("COMPANY_IMPORT_ROW_OUTCOME_CREATED"),
    replayedCount: count("COMPANY_IMPORT_ROW_OUTCOME_REPLAYED", "COMPANY_IMPORT_ROW_OUTCOME_NO_OP"),
    rejectedCount: count("COMPANY_IMPORT_ROW_OUTCOME_REJECTED", "COMPANY_IMPORT_ROW_OUTCOME_CONFLICT"),
    results,
  };
}

function rowResult(ordinal: number, creation: Creation): RowResult {
  switch (creation.outcome) {
    case "created":
      return {
        ordinal,
        companyId: creation.company.companyId,
        outcome: "COMPANY_IMPORT_ROW_OUTCOME_CREATED",
        reasonCode: "",
      };
    case "replayed":
      return {
        ordinal,
        companyId: creation.company.companyId,
        outcome: "COMPANY_IMPORT_ROW_OUTCOME_REPLAYED",
        reasonCode: "",
      };
    case "no-op":
      return {
        ordinal,
        companyId: creation.company.companyId,
        outcome: "COMPANY_IMPORT_ROW_OUTCOME_NO_OP",
        reasonCode: "CUSTOMER_REFERENCE_EXISTS",
      };
    case "conflict":
      return {
        ordinal,
        companyId: creation.companyId,
        outcome: "COMPANY_IMPORT_ROW_OUTCOME_CONFLICT",
        reasonCode: "REPLAY_CONFLICT",
      };
    case "limit":
      return { ordinal, outcome: "COMPANY_IMPORT_ROW_OUTCOME_REJECTED", reasonCode: "COMPANY_LIMIT_REACHED" };
  }
}
