import { type RawBuilder, type SqlBool, sql } from "kysely";

/**
 * True for a row whose account has an active plan. `accountId` is the row's column with the account id. An account of
 * OpenID tokens has no row in `account`. Its plan counts as active, as in `isPlanActive`.
 */
export function hasActivePlan(accountId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (
    select 1 from account where account.id = ${sql.ref(accountId)} and account.plan_state <> 'active'
  )`;
}

/** True for the `plan_state` of an account with an active plan; null stands for an account without a row. */
export function isPlanActive(planState: string | null): boolean {
  return planState === null || planState === "active";
}
