import { identityOf } from "../../identity/identity-of.js";
import type { Company } from "../../portfolio/company.js";
import { type Coverage, coverageOf } from "../../scan/coverage.js";
import type { CompanyDatabase } from "../tables.js";
import { activeCompanies } from "./active-companies.js";
import { coverageFacts } from "./coverage-facts.js";
import { replaceCompanies } from "./replace-companies.js";

/**
 * Computes the coverage of active companies. If a company's coverage state or observation differs from the stored one,
 * stores it and logs the change. Must be called after a change of windows, findings, impacts or claims. The transaction
 * of the caller must have locked the account. Returns the number of changes.
 */
export async function refreshCoverage(
  db: CompanyDatabase,
  accountId: string,
  companyIds: readonly string[],
  now: number,
): Promise<number> {
  if (companyIds.length === 0) return 0;
  const companies = await activeCompanies(db, accountId, companyIds);
  const factsOf = await coverageFacts(db, accountId, companyIds);
  const requested = await requestedAmong(db, accountId, companyIds);
  const changed = companies.flatMap((company) => {
    const facts = factsOf(company.companyId);
    // A company that waits for a requested scan and has no obligations is skipped. The next round determines its
    // obligations.
    if (facts.required.length === 0 && requested.has(company.companyId)) return [];
    const coverage = coverageOf({ ...facts, identity: identityOf(company.claims, facts.unverified, now), now });
    return isServed(company, coverage) ? [] : [{ ...company, ...servedPart(coverage), coverageChangedAt: now }];
  });
  if (changed.length === 0) return 0;
  await replaceCompanies(db, accountId, changed, now);
  return changed.length;
}

async function requestedAmong(
  db: CompanyDatabase,
  accountId: string,
  companyIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("company_scan")
    .select("company_id")
    .where("account_id", "=", accountId)
    .where("company_id", "in", companyIds)
    .execute();
  return new Set(rows.map(({ company_id }) => company_id));
}

function isServed(company: Company, { state, observation }: Coverage): boolean {
  return company.coverage === state && company.observation === observation;
}

function servedPart({ state, observation }: Coverage): Pick<Company, "coverage" | "observation"> {
  return { coverage: state, observation };
}
