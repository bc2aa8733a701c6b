import type { Finding } from "../../scan/finding.js";
import { type CompanyPlace, chunksOf, ROWS_MAX } from "../scan/obligations.js";
import type { CompanyDatabase } from "../tables.js";

/** Identifies a stored finding of a company by its columns. */
export interface FindingKey {
  readonly provider: string;
  readonly sourceId: string;
  readonly isWithdrawn: boolean;
}

/**
 * Withdraws findings that are not about the company any more. They wait for an assessment, which retracts or corrects
 * the impacts that depend on them.
 */
export async function withdrawFindings(
  db: CompanyDatabase,
  { accountId, companyId }: CompanyPlace,
  keys: readonly FindingKey[],
): Promise<void> {
  for (const provider of new Set(keys.map((key) => key.provider))) {
    const sources = keys.filter((key) => key.provider === provider).map(({ sourceId }) => sourceId);
    for (const chunk of chunksOf(sources, ROWS_MAX)) {
      await db
        .updateTable("company_finding")
        .set({ withdrawn: 1, judged: 0 })
        .where("account_id", "=", accountId)
        .where("company_id", "=", companyId)
        .where("provider", "=", provider)
        .where("source_id", "in", chunk)
        .execute();
    }
  }
}

/** Stores the new attribution of a finding, which then waits for an assessment. */
export async function replaceFinding(
  db: CompanyDatabase,
  { accountId, companyId }: CompanyPlace,
  { provider, sourceId }: FindingKey,
  finding: Finding,
): Promise<void> {
  await db
    .updateTable("company_finding")
    .set({ body: JSON.stringify(finding), withdrawn: 0, judged: 0 })
    .where("account_id", "=", accountId)
    .where("company_id", "=", companyId)
    .where("provider", "=", provider)
    .where("source_id", "=", sourceId)
    .execute();
}
