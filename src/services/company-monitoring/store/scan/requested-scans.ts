import { inTransaction } from "../../../../database/transaction.js";
import type { MonitoringProvider } from "../../records.js";
import type { ScannedCompany } from "../../scan/provider.js";
import { takeTurn } from "../account-turn.js";
import type { CompanyDatabase } from "../tables.js";
import { keepObligations, makeDue } from "./obligations.js";
import { refreshCoverage } from "./refresh-coverage.js";
import { scannedCompanies } from "./scanned-companies.js";

const ACCOUNTS_MAX = 100;

/** Returns the configured providers that apply to a company. */
export type RequiredProviders = (company: ScannedCompany) => readonly MonitoringProvider[];

/**
 * Turns requested scans into due obligations (see `Obligation`), one account at a time. Takes the requests of at most
 * `ACCOUNTS_MAX` accounts; the rest wait for the next call.
 */
export async function takeRequests(db: CompanyDatabase, required: RequiredProviders, now: number): Promise<void> {
  const rows = await db
    .selectFrom("company_scan")
    .select("account_id")
    .distinct()
    .orderBy("account_id")
    .limit(ACCOUNTS_MAX)
    .execute();
  for (const { account_id } of rows) await takeRequestsOf(db, account_id, required, now);
}

async function takeRequestsOf(db: CompanyDatabase, accountId: string, required: RequiredProviders, now: number) {
  await inTransaction(db, async (on) => {
    await takeTurn(on, accountId);
    const requests = await on
      .deleteFrom("company_scan")
      .where("account_id", "=", accountId)
      .returning("company_id")
      .execute();
    const companyIds = requests.map(({ company_id }) => company_id);
    if (companyIds.length === 0) return;
    await makeDue(on, accountId, companyIds, now);
    const companies = await scannedCompanies(on, accountId, companyIds);
    const providersOf = new Map([...companies].map(([id, company]) => [id, required(company)]));
    await keepObligations(on, accountId, providersOf, now);
    const unscanned = [...providersOf].flatMap(([id, providers]) => (providers.length === 0 ? [id] : []));
    await refreshCoverage(on, accountId, unscanned, now);
  });
}
