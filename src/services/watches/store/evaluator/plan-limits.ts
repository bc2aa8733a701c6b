import { type RawBuilder, sql } from "kysely";
import { planKeys } from "../../../../contract/access/plans.js";
import { OPERATOR_ACCOUNT } from "../../../../contract/access/principal.js";
import type { WatchesByPlan } from "../../settings.js";
import type { WatchDatabase, WatchRow } from "../tables.js";

/** An account with more active watches than its plan permits. */
export interface OverfullAccount {
  readonly accountId: string;
  /** Maximum number of active watches under the account's plan. */
  readonly watchesMax: number;
  /** Number of active watches above the maximum. */
  readonly excess: number;
}

/**
 * Finds the accounts that have more active watches than their plan permits, for example after a change of plan. Only
 * accounts whose plan is active are included. Accounts of OpenID tokens are left out, because the store does not know
 * their plans.
 */
export async function overfullAccounts(db: WatchDatabase, byPlan: WatchesByPlan): Promise<readonly OverfullAccount[]> {
  const permitted = permittedBy(byPlan);
  const { rows } = await sql<{
    readonly account_id: string;
    readonly permitted: number;
    readonly active: number | string;
  }>`
    select c.account_id, ${permitted} as permitted, count(*) as active
    from watch_account c
    join account a on a.id = c.account_id
    join watch w on w.account_id = c.account_id and w.state = 'active'
    where a.plan_state = 'active' and c.watch_count > ${permitted}
    group by c.account_id, a.id, a.plan
    having count(*) > ${permitted}
    order by c.account_id`.execute(db);
  // PostgreSQL returns counts as text.
  return rows.map((row) => ({
    accountId: row.account_id,
    watchesMax: row.permitted,
    excess: Number(row.active) - row.permitted,
  }));
}

function permittedBy(byPlan: WatchesByPlan): RawBuilder<number> {
  const cases = planKeys.map((plan) => sql`when a.plan = ${sql.lit(plan)} then ${sql.lit(byPlan[plan])}`);
  const operators = sql`when a.id = ${sql.lit(OPERATOR_ACCOUNT)} then ${sql.lit(byPlan.enterprise)}`;
  return sql<number>`case ${operators} ${sql.join(cases, sql` `)} end`;
}

/** Finds the active watches of an account, newest first. */
export async function newestActive(
  db: WatchDatabase,
  accountId: string,
  { before, rowsMax }: { readonly before: string | undefined; readonly rowsMax: number },
): Promise<readonly WatchRow[]> {
  return db
    .selectFrom("watch")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("state", "=", "active")
    .$if(before !== undefined, (query) => query.where("watch_id", "<", before ?? ""))
    .orderBy("watch_id", "desc")
    .limit(rowsMax)
    .execute();
}
