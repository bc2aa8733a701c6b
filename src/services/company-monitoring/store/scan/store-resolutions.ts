import { DAY_MS } from "../../../../kit/clock.js";
import { registrantNumbers } from "../../identity/registrant-numbers.js";
import type { Resolution } from "../../identity/resolve-identity.js";
import type { Company } from "../../portfolio/company.js";
import type { Claim } from "../../rules/claims.js";
import type { Finding } from "../../scan/finding.js";
import { withdrawFindings } from "../rematch/withdraw-findings.js";
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
  await withdrawForeignFilings(db, accountId, companies, resolutions);
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
 * Withdraws the filings under numbers that a company no longer has. Only the first lookup after a change of the company
 * does this, because only such a change deletes the state of the identity. A filing that was found under a number that
 * a register had confirmed must wait for this lookup, which may confirm the number again.
 */
async function withdrawForeignFilings(
  db: CompanyDatabase,
  accountId: string,
  companies: readonly Company[],
  resolutions: ReadonlyMap<string, Resolution>,
): Promise<void> {
  const rows = await db
    .selectFrom("company_identity")
    .select("company_id")
    .where("account_id", "=", accountId)
    .where("company_id", "in", [...resolutions.keys()])
    .execute();
  const settled = new Set(rows.map(({ company_id }) => company_id));
  for (const { companyId } of companies.filter((company) => !settled.has(company.companyId))) {
    const own = new Set(registrantNumbers(resolutions.get(companyId)?.claims ?? []).map((cik) => `CIK ${Number(cik)}`));
    const filings = await db
      .selectFrom("company_finding")
      .select(["source_id", "body"])
      .where("account_id", "=", accountId)
      .where("company_id", "=", companyId)
      .where("provider", "=", "filings")
      .where("withdrawn", "=", 0)
      .execute();
    // The cast is safe, because `storeFindings` writes the column from a value of this type.
    const foreign = filings.filter(({ body }) => !own.has((JSON.parse(body) as Finding).matchedBy));
    const keys = foreign.map(({ source_id }) => ({ provider: "filings", sourceId: source_id, isWithdrawn: false }));
    await withdrawFindings(db, { accountId, companyId }, keys);
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
