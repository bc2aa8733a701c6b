import type { StoreParts } from "../../../database/service-store.js";
import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";
import { nextPosition, takeTurn } from "./account-turn.js";
import { type CompanyDatabase, companiesIn } from "./tables.js";

/** List cursors are valid for 24 hours and 60 seconds of clock skew. */
const VERSIONS_KEPT_MS = 25 * HOUR_MS;
const LOG_KEPT_MS = 90 * DAY_MS;
const REMOVED_KEPT_MS = 90 * DAY_MS;
/** Most rows that one transaction removes, so that no write waits long. */
const ROWS_MAX = 1_000;

/**
 * Removes what no cursor can reach: superseded versions of companies after 25 hours, changes and superseded impacts after
 * 90 days. Removed companies leave the lists 90 days after their removal, with the requests that created them.
 */
export async function thinCompanies({ database, clock }: StoreParts): Promise<void> {
  const now = clock.now();
  const db = companiesIn(database.db);
  await eachAccount(db, async (accountId) => {
    await untilDone(() => inTurn(database, accountId, (db) => endRemoved(db, accountId, now)));
    await untilDone(() => inTurn(database, accountId, (db) => thinLog(db, accountId, now)));
  });
  await untilDone(() => dropCompanyVersions(db, now - VERSIONS_KEPT_MS));
  await untilDone(() => dropImpactVersions(db, now - LOG_KEPT_MS));
}

/** Repeats a step that removes at most `ROWS_MAX` rows until it removes fewer. */
async function untilDone(step: () => Promise<number>): Promise<void> {
  while ((await step()) === ROWS_MAX);
}

function inTurn<T>(
  { db }: StoreParts["database"],
  accountId: string,
  work: (db: CompanyDatabase) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (on) => {
    const companies = companiesIn(on);
    await takeTurn(companies, accountId);
    return work(companies);
  });
}

const ACCOUNTS_AT_ONCE = 500;

/** Calls `work` for every account, in the order of their ids. */
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

/** Ends the last versions of companies that were removed long ago. Cursors issued before still list them. */
async function endRemoved(db: CompanyDatabase, accountId: string, now: number): Promise<number> {
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
    await db
      .updateTable("company_version")
      .set({ visible_to: position, superseded_at: now })
      .where("account_id", "=", accountId)
      .where("company_id", "=", company_id)
      .where("visible_to", "is", null)
      .execute();
    await db
      .insertInto("company_change")
      .values({ account_id: accountId, position, kind: "purge", company_id, impact_id: null, changed_at: now })
      .execute();
    await db
      .deleteFrom("company_request")
      .where("account_id", "=", accountId)
      .where("company_id", "=", company_id)
      .execute();
  }
  return rows.length;
}

/** Removes the oldest changes, up to the first that is still kept, and moves `oldest_position` behind them. */
async function thinLog(db: CompanyDatabase, accountId: string, now: number): Promise<number> {
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

/** Removes versions of companies that were superseded before `before`. */
async function dropCompanyVersions(db: CompanyDatabase, before: number): Promise<number> {
  const rows = await db
    .selectFrom("company_version")
    .select(["account_id", "company_id", "visible_from"])
    .where("superseded_at", "<", before)
    .limit(ROWS_MAX)
    .execute();
  for (const { account_id, company_id, visible_from } of rows) {
    await db
      .deleteFrom("company_version")
      .where("account_id", "=", account_id)
      .where("company_id", "=", company_id)
      .where("visible_from", "=", visible_from)
      .execute();
  }
  return rows.length;
}

/** Removes versions of impacts that were superseded before `before`. */
async function dropImpactVersions(db: CompanyDatabase, before: number): Promise<number> {
  const rows = await db
    .selectFrom("company_impact")
    .select(["account_id", "impact_id", "visible_from"])
    .where("superseded_at", "<", before)
    .limit(ROWS_MAX)
    .execute();
  for (const { account_id, impact_id, visible_from } of rows) {
    await db
      .deleteFrom("company_impact")
      .where("account_id", "=", account_id)
      .where("impact_id", "=", impact_id)
      .where("visible_from", "=", visible_from)
      .execute();
  }
  return rows.length;
}
