import { type StoreParts, storeJob } from "../../../../database/service-store.js";
import { SECOND_MS } from "../../../../kit/clock.js";
import { takeTurn } from "../account-turn.js";
import { companyOf } from "../company-row.js";
import { refreshCoverage } from "../scan/refresh-coverage.js";
import { type CompanyDatabase, companiesIn } from "../tables.js";
import { judgeCompany } from "./judge-company.js";

const EVERY_MS = 10 * SECOND_MS;
/** Companies that one transaction judges, so that other writes of the account do not wait long. */
const COMPANIES_MAX = 10;
const ACCOUNTS_MAX = 50;
const PASSES_MAX = 200;

/** Judges findings that wait, and held occurrences that are due. */
export const admissionJob = storeJob({
  name: "company admission",
  everyMs: EVERY_MS,
  reads: {},
  run: (parts, { signal }) => admissionRound(parts, signal),
});

/**
 * Judges the waiting findings of all accounts, account by account. A transaction holds the turn of its account, so two
 * nodes never judge the same findings. An account that fails does not hold up the others.
 */
export async function admissionRound(parts: StoreParts, signal: AbortSignal): Promise<void> {
  const db = companiesIn(parts.database.db);
  const failed = new Map<string, unknown>();
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const accounts = (await waitingAccounts(db, parts.clock.now())).filter((id) => !failed.has(id));
    if (accounts.length === 0) break;
    for (const accountId of accounts) {
      signal.throwIfAborted();
      await judgeAccount(parts, accountId).catch((fault: unknown) => failed.set(accountId, fault));
    }
  }
  if (failed.size > 0)
    throw new AggregateError(failed.values(), `the findings of ${failed.size} accounts were not judged`);
}

/** Judges some of the companies of an account. */
async function judgeAccount(parts: StoreParts, accountId: string): Promise<void> {
  await parts.database.db.transaction().execute(async (on) => {
    const db = companiesIn(on);
    await takeTurn(db, accountId);
    const now = parts.clock.now();
    const rows = await waiting(db, now)
      .selectAll("company_version")
      .where("company_version.account_id", "=", accountId)
      .orderBy("company_version.company_id")
      .limit(COMPANIES_MAX)
      .execute();
    for (const row of rows) {
      await judgeCompany({ db, accountId, company: companyOf(row), now, randomBytes: parts.randomBytes });
    }
    await refreshCoverage(
      db,
      accountId,
      rows.map(({ company_id }) => company_id),
      now,
    );
  });
}

async function waitingAccounts(db: CompanyDatabase, now: number): Promise<readonly string[]> {
  const rows = await waiting(db, now)
    .select("company_version.account_id")
    .distinct()
    .orderBy("company_version.account_id")
    .limit(ACCOUNTS_MAX)
    .execute();
  return rows.map(({ account_id }) => account_id);
}

/** Active companies with findings that wait or held occurrences that are due. */
function waiting(db: CompanyDatabase, now: number) {
  return db
    .selectFrom("company_version")
    .where("company_version.visible_to", "is", null)
    .where("company_version.lifecycle", "=", "active")
    .where((is) =>
      is.or([
        is.exists(
          is
            .selectFrom("company_finding")
            .select("company_finding.company_id")
            .whereRef("company_finding.account_id", "=", "company_version.account_id")
            .whereRef("company_finding.company_id", "=", "company_version.company_id")
            .where("company_finding.judged", "=", 0),
        ),
        is.exists(
          is
            .selectFrom("company_occurrence")
            .select("company_occurrence.company_id")
            .whereRef("company_occurrence.account_id", "=", "company_version.account_id")
            .whereRef("company_occurrence.company_id", "=", "company_version.company_id")
            .where("company_occurrence.next_at", "<=", now),
        ),
      ]),
    );
}
