import type { Claim } from "../../rules/claims.js";
import type { ScannedCompany } from "../../scan/provider.js";
import type { CompanyDatabase } from "../tables.js";

/** Identifies a company uniquely across all accounts. */
export function companyKeyOf(accountId: string, companyId: string): string {
  return `${accountId} ${companyId}`;
}

/** Returns the active companies of an account by id. If `companyIds` is set, returns only companies with these ids. */
export async function scannedCompanies(
  db: CompanyDatabase,
  accountId: string,
  companyIds?: readonly string[],
): Promise<ReadonlyMap<string, ScannedCompany>> {
  const rows = await db
    .selectFrom("company_version")
    .select(["company_id", "name", "domicile_country", "claims"])
    .where("account_id", "=", accountId)
    .$if(companyIds !== undefined, (query) => query.where("company_id", "in", companyIds ?? []))
    .where("visible_to", "is", null)
    .where("lifecycle", "=", "active")
    .execute();
  return new Map(
    rows.map(({ company_id, name, domicile_country, claims }) => [
      company_id,
      {
        companyKey: companyKeyOf(accountId, company_id),
        accountId,
        name,
        domicileCountry: domicile_country,
        // The cast is safe, because `versionOf` wrote the column.
        claims: JSON.parse(claims) as readonly Claim[],
      },
    ]),
  );
}
