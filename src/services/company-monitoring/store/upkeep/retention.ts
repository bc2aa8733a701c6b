import { type NotNull, sql } from "kysely";
import type { StoreParts } from "../../../../database/service-store.js";
import { inTransaction } from "../../../../database/transaction.js";
import { DAY_MS, HOUR_MS } from "../../../../kit/clock.js";
import { nextPosition, takeTurn } from "../account-turn.js";
import { endVersion } from "../end-version.js";
import { logChange } from "../log-change.js";
import { type CompanyAccountRow, type CompanyDatabase, type CompanyTables, companiesIn } from "../tables.js";

/** List cursors are valid for 24 hours, plus 60 seconds for clock skew. Versions are kept for longer than that. */
const VERSIONS_KEPT_MS = 25 * HOUR_MS;
const LOG_KEPT_MS = 90 * DAY_MS;
const REMOVED_KEPT_MS = 90 * DAY_MS;
const FINDINGS_KEPT_MS = 90 * DAY_MS;
const DECISIONS_KEPT_MS = 90 * DAY_MS;
/**
 * Providers whose old findings are removed. Sanctions are not included: every scan finds all listed entries, so a
 * removed finding would be stored again as a new one. Findings of registers are not removed either.
 */
const PASSING = ["news", "filings", "search", "social"];
/** Maximum number of rows removed in one transaction, so that no write waits for long. */
const ROWS_MAX = 1_000;

/**
 * Removes data that no cursor can reach: superseded versions of companies after 25 hours, and changes after 90 days.
 * A superseded impact is removed once both have passed: 25 hours since it was superseded, and 90 days since its change.
 * Removed companies leave the lists 90 days after their removal; the requests that created them are then removed too.
 * Findings, except those of sanctions lists and registers, are removed 90 days after they were found. Decisions are
 * removed 90 days after they were taken. Occurrences that were never published are removed 90 days after their
 * assessment.
 */
export async function thinCompanies({ database, clock }: StoreParts): Promise<void> {
  const now = clock.now();
  await eachAccount(companiesIn(database.db), async (accountId) => {
    for (const step of [endRemoved, thinLog, thinImpacts, thinVersions, thinFindings, thinDecisions, thinOccurrences]) {
      await untilDone(() => inTurn(database, accountId, (db, account) => step(db, account, now)));
    }
  });
}

/** Repeats a step until it removes fewer than `ROWS_MAX` rows, the maximum for one step. */
async function untilDone(step: () => Promise<number>): Promise<void> {
  while ((await step()) === ROWS_MAX);
}

function inTurn<T>(
  { db }: StoreParts["database"],
  accountId: string,
  work: (db: CompanyDatabase, account: CompanyAccountRow) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (on) => {
    const companies = companiesIn(on);
    return work(companies, await takeTurn(companies, accountId));
  });
}

const ACCOUNTS_AT_ONCE = 500;

/** Calls `work` for every account, in the order of the account ids. */
async function eachAccount(db: CompanyDatabase, work: (accountId: string) => Promise<void>): Promise<void> {
  for (let after = ""; ; ) {
    const rows = await db
      .selectFrom("company_account")
      .select("account_id")
      .where("account_id", ">", after)
      .orderBy("account_id")
      .limit(ACCOUNTS_AT_ONCE)
      .execute();
    for (const { account_id } of rows) await work(account_id);
    const last = rows.at(-1);
    if (!last || rows.length < ACCOUNTS_AT_ONCE) return;
    after = last.account_id;
  }
}

/**
 * Ends the last versions of companies that were removed long ago, and removes the requests that created these
 * companies. Cursors that were issued earlier still list the companies.
 */
async function endRemoved(
  db: CompanyDatabase,
  { account_id: accountId }: CompanyAccountRow,
  now: number,
): Promise<number> {
  const rows = await db
    .selectFrom("company_version")
    .select("company_id")
    .where("account_id", "=", accountId)
    .where("visible_to", "is", null)
    .where("lifecycle", "=", "removed")
    .where("updated_at", "<", now - REMOVED_KEPT_MS)
    .limit(ROWS_MAX)
    .execute();
  for (const { company_id } of rows) {
    const position = await nextPosition(db, accountId, { generation: 0, companies: 0 }, now);
    await endVersion(db, { accountId, companyId: company_id }, position, now);
    await logChange(db, { accountId, position, kind: "purge", companyId: company_id, changedAt: now });
    await db
      .deleteFrom("company_request")
      .where("account_id", "=", accountId)
      .where("company_id", "=", company_id)
      .execute();
  }
  return rows.length;
}

/** Removes the changes before the first one to keep, and moves `oldest_position` past them. */
async function thinLog(
  db: CompanyDatabase,
  { account_id: accountId }: CompanyAccountRow,
  now: number,
): Promise<number> {
  const rows = await db
    .selectFrom("company_change")
    .select(["position", "changed_at"])
    .where("account_id", "=", accountId)
    .orderBy("position")
    .limit(ROWS_MAX)
    .execute();
  const kept = rows.findIndex(({ changed_at }) => changed_at >= now - LOG_KEPT_MS);
  const old = kept === -1 ? rows : rows.slice(0, kept);
  const last = old.at(-1);
  if (!last) return 0;
  await db
    .deleteFrom("company_change")
    .where("account_id", "=", accountId)
    .where("position", "<=", last.position)
    .execute();
  await db
    .updateTable("company_account")
    .set({ oldest_position: last.position + 1 })
    .where("account_id", "=", accountId)
    .execute();
  return old.length;
}

/** Removes impacts that were superseded long ago and whose change is no longer in the log. */
async function thinImpacts(db: CompanyDatabase, account: CompanyAccountRow, now: number): Promise<number> {
  const rows = await db
    .selectFrom("company_impact")
    .select(["impact_id", "visible_from", "visible_to"])
    .where("account_id", "=", account.account_id)
    .where("visible_to", "is not", null)
    .where("visible_from", "<", account.oldest_position)
    .where("superseded_at", "<", now - VERSIONS_KEPT_MS)
    .limit(ROWS_MAX)
    .$narrowType<{ visible_to: NotNull }>()
    .execute();
  await removeSuperseded(db, "company_impact", account, rows);
  return rows.length;
}

/** Removes versions that were superseded long ago. */
async function thinVersions(db: CompanyDatabase, account: CompanyAccountRow, now: number): Promise<number> {
  const rows = await db
    .selectFrom("company_version")
    .select(["company_id", "visible_from", "visible_to"])
    .where("account_id", "=", account.account_id)
    .where("visible_to", "is not", null)
    .where("superseded_at", "<", now - VERSIONS_KEPT_MS)
    .limit(ROWS_MAX)
    .$narrowType<{ visible_to: NotNull }>()
    .execute();
  await removeSuperseded(db, "company_version", account, rows);
  return rows.length;
}

/**
 * Removes superseded rows, and moves `lists_from` to the latest position that ended one of them, because lists as of an
 * earlier position would lack these rows. `account` must have been read in the same transaction.
 */
async function removeSuperseded(
  db: CompanyDatabase,
  table: "company_impact" | "company_version",
  account: CompanyAccountRow,
  rows: readonly (Readonly<Record<string, string | number>> & { readonly visible_to: number })[],
): Promise<void> {
  if (rows.length === 0) return;
  await removeRows(db, table, account, rows);
  await db
    .updateTable("company_account")
    .set({ lists_from: Math.max(account.lists_from, ...rows.map(({ visible_to }) => visible_to)) })
    .where("account_id", "=", account.account_id)
    .execute();
}

/** Removes findings of the providers in `PASSING` that were found long ago. */
async function thinFindings(db: CompanyDatabase, account: CompanyAccountRow, now: number): Promise<number> {
  const rows = await db
    .selectFrom("company_finding")
    .select(["company_id", "provider", "source_id"])
    .where("account_id", "=", account.account_id)
    .where("provider", "in", PASSING)
    .where("found_at", "<", now - FINDINGS_KEPT_MS)
    .limit(ROWS_MAX)
    .execute();
  await removeRows(db, "company_finding", account, rows);
  return rows.length;
}

/**
 * Removes decisions that were taken long ago. An occurrence has its own copy of the reasons for its newest decision.
 */
async function thinDecisions(db: CompanyDatabase, account: CompanyAccountRow, now: number): Promise<number> {
  const rows = await db
    .selectFrom("company_decision")
    .select(["occurrence_id", "ordinal"])
    .where("account_id", "=", account.account_id)
    .where("decided_at", "<", now - DECISIONS_KEPT_MS)
    .limit(ROWS_MAX)
    .execute();
  await removeRows(db, "company_decision", account, rows);
  return rows.length;
}

/** Removes occurrences that were assessed long ago and never published. */
async function thinOccurrences(db: CompanyDatabase, account: CompanyAccountRow, now: number): Promise<number> {
  const rows = await db
    .selectFrom("company_occurrence")
    .select("occurrence_id")
    .where("account_id", "=", account.account_id)
    .where("impact_id", "is", null)
    .where("judged_at", "<", now - DECISIONS_KEPT_MS)
    .limit(ROWS_MAX)
    .execute();
  await removeRows(db, "company_occurrence", account, rows);
  return rows.length;
}

/** Removes rows of the account, each identified by the given columns, which include its key. */
async function removeRows(
  db: CompanyDatabase,
  table: keyof CompanyTables,
  account: Pick<CompanyAccountRow, "account_id">,
  keys: readonly Readonly<Record<string, string | number>>[],
): Promise<void> {
  for (const key of keys) {
    const isRow = Object.entries(key).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
    const inAccount = sql`account_id = ${account.account_id}`;
    await sql`delete from ${sql.table(table)} where ${sql.join([inAccount, ...isRow], sql` and `)}`.execute(db);
  }
}
