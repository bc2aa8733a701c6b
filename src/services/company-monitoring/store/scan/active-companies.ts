import type { Company } from "../../portfolio/company.js";
import { companyOf } from "../company-row.js";
import type { CompanyDatabase } from "../tables.js";

/** Reads the given companies in their current versions, sorted by id. Omits companies that are not active. */
export async function activeCompanies(
  db: CompanyDatabase,
  accountId: string,
  companyIds: readonly string[],
): Promise<readonly Company[]> {
  const rows = await db
    .selectFrom("company_version")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("company_id", "in", companyIds)
    .where("visible_to", "is", null)
    .where("lifecycle", "=", "active")
    .orderBy("company_id")
    .execute();
  return rows.map(companyOf);
}
