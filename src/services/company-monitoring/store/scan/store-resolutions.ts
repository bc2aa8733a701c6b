import { DAY_MS } from "../../../../kit/clock.js";
import type { Resolution } from "../../identity/resolve-identity.js";
import type { Company } from "../../portfolio/company.js";
import type { Claim } from "../../rules/claims.js";
import type { CompanyDatabase } from "../tables.js";
import { activeCompanies } from "./active-companies.js";
import { replaceCompanies } from "./replace-companies.js";

/**
 * If a repeated lookup finds the same evidence, the stored evidence is kept for this long, because each replacement
 * adds an entry to the change log.
 */
const EVIDENCE_KEPT_MS = 30 * DAY_MS;

/** Stores the outcome of lookups: the evidence for claims, and the state of each company's identity. */
export async function storeResolutions(
  db: CompanyDatabase,
  accountId: string,
  resolutions: ReadonlyMap<string, Resolution>,
  now: number,
): Promise<void> {
  const companyIds = [...resolutions.keys()];
  if (companyIds.length === 0) return;
  const companies = await activeCompanies(db, accountId, companyIds);
  const changed = companies.flatMap((company): Company[] => {
    const resolution = resolutions.get(company.companyId);
    if (!resolution || isKept(company.claims, resolution.claims)) return [];
    return [{ ...company, claims: resolution.claims }];
  });
  if (changed.length > 0) {
    await replaceCompanies(db, accountId, changed, now);
    // A scan is requested, because a register may have confirmed a CIK, which the provider of filings needs.
    const requests = changed.map(({ companyId }) => ({
      account_id: accountId,
      company_id: companyId,
      requested_at: now,
    }));
    await db
      .insertInto("company_scan")
      .values(requests)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  for (const [company_id, { state }] of resolutions) {
    await db
      .insertInto("company_identity")
      .values({ account_id: accountId, company_id, state, checked_at: now })
      .onConflict((conflict) => conflict.columns(["account_id", "company_id"]).doUpdateSet({ state, checked_at: now }))
      .execute();
  }
}

/**
 * True if the stored claims stay in use: the new claims have the same evidence, looked up less than 30 days later.
 */
function isKept(before: readonly Claim[], after: readonly Claim[]): boolean {
  return (
    before.length === after.length &&
    before.every((claim, at) => {
      const [earlier, later] = [claim.evidence, after[at]?.evidence];
      if (!earlier || !later) return earlier === later;
      const isSame = earlier.recordId === later.recordId && earlier.recordName === later.recordName;
      return isSame && later.checkedAt - earlier.checkedAt < EVIDENCE_KEPT_MS;
    })
  );
}
