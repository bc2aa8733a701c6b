import { type SqlBool, sql } from "kysely";
import { type StoreParts, storeJob } from "../../../../database/service-store.js";
import { inTransaction } from "../../../../database/transaction.js";
import { SECOND_MS } from "../../../../kit/clock.js";
import type { Company } from "../../portfolio/company.js";
import { takeTurn } from "../account-turn.js";
import { companyOf } from "../company-row.js";
import { refreshCoverage } from "../scan/refresh-coverage.js";
import { type CompanyDatabase, companiesIn } from "../tables.js";
import { judgeCompany } from "./judge-company.js";

const EVERY_MS = 10 * SECOND_MS;
/**
 * Maximum number of companies with waiting findings that one transaction assesses, so that other writes of the account
 * do not wait for long. The same limit applies separately to companies with due occurrences, so that neither kind of
 * company has to wait for all companies of the other kind.
 */
const COMPANIES_MAX = 10;
const ACCOUNTS_MAX = 50;
const PASSES_MAX = 200;

/**
 * Assesses waiting findings (those not assessed yet), and held occurrences that are due. A company whose findings must
 * be matched again is left out until this is done, because some of them may no longer be about the company.
 */
export const admissionJob = storeJob({
  name: "company admission",
  everyMs: EVERY_MS,
  reads: {},
  run: (parts, { signal }) => admissionRound(parts, signal),
});

/**
 * Assesses the waiting findings and the due occurrences of all accounts, one account at a time. Each transaction locks
 * its account, so two nodes never assess the same findings. An account that fails does not delay the others.
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
    throw new AggregateError(failed.values(), `number of accounts whose findings were not assessed: ${failed.size}`);
}

/** Assesses some of the companies of an account. */
async function judgeAccount(parts: StoreParts, accountId: string): Promise<void> {
  await inTransaction(parts.database.db, async (on) => {
    const db = companiesIn(on);
    await takeTurn(db, accountId);
    const now = parts.clock.now();
    const companies = await waitingCompanies(db, accountId, now);
    for (const company of companies) {
      await judgeCompany({ db, accountId, company, now, randomBytes: parts.randomBytes });
    }
    await refreshCoverage(
      db,
      accountId,
      companies.map(({ companyId }) => companyId),
      now,
    );
  });
}

async function waitingAccounts(db: CompanyDatabase, now: number): Promise<readonly string[]> {
  const withFindings = unjudged(db).select("v.account_id").distinct().orderBy("v.account_id").limit(ACCOUNTS_MAX);
  const withHeld = due(db, now).select("v.account_id").distinct().orderBy("v.account_id").limit(ACCOUNTS_MAX);
  const rows = [...(await withFindings.execute()), ...(await withHeld.execute())];
  return [...new Set(rows.map(({ account_id }) => account_id))].sort();
}

/**
 * Returns active companies of an account: up to `COMPANIES_MAX` with waiting findings, and up to `COMPANIES_MAX` with
 * held occurrences that are due.
 */
async function waitingCompanies(db: CompanyDatabase, accountId: string, now: number): Promise<readonly Company[]> {
  const withFindings = unjudged(db).select("v.company_id").distinct().where("v.account_id", "=", accountId);
  const withHeld = due(db, now).select("v.company_id").distinct().where("v.account_id", "=", accountId);
  const rows = [
    ...(await withFindings.orderBy("v.company_id").limit(COMPANIES_MAX).execute()),
    ...(await withHeld.orderBy("v.company_id").limit(COMPANIES_MAX).execute()),
  ];
  if (rows.length === 0) return [];
  const versions = await db
    .selectFrom("company_version")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("company_id", "in", [...new Set(rows.map(({ company_id }) => company_id))])
    .where("visible_to", "is", null)
    .orderBy("company_id")
    .execute();
  return versions.map(companyOf);
}

/**
 * Selects the waiting findings of active companies. The condition is plain SQL, because SQLite uses the index of
 * waiting findings only for a condition without parameters.
 */
function unjudged(db: CompanyDatabase) {
  return db
    .selectFrom("company_finding as f")
    .innerJoin("company_version as v", (join) =>
      join.onRef("v.account_id", "=", "f.account_id").onRef("v.company_id", "=", "f.company_id"),
    )
    .where(sql<SqlBool>`f.judged = 0`)
    .where("v.visible_to", "is", null)
    .where("v.lifecycle", "=", "active")
    .where(isMatched);
}

/** Selects the held occurrences that are due and belong to active companies. */
function due(db: CompanyDatabase, now: number) {
  return db
    .selectFrom("company_occurrence as o")
    .innerJoin("company_version as v", (join) =>
      join.onRef("v.account_id", "=", "o.account_id").onRef("v.company_id", "=", "o.company_id"),
    )
    .where("o.next_at", "<=", now)
    .where("v.visible_to", "is", null)
    .where("v.lifecycle", "=", "active")
    .where(isMatched);
}

/** True unless the stored findings of the company `v` must be matched again. */
const isMatched = sql<SqlBool>`not exists (
  select 1 from company_rematch r where r.account_id = v.account_id and r.company_id = v.company_id)`;
