import { sql } from "kysely";
import { expect, test } from "vitest";
import { describeEachStore } from "../../test/support/stores.js";
import { hasActivePlan, isPlanActive } from "./active-plan.js";

await describeEachStore((open) => {
  test("a plan is active unless the account's row says otherwise", async () => {
    const { db } = (await open()).database;
    const account = { name: "A", plan: "pro", created_at: 0, updated_at: 0 };
    await db
      .insertInto("account")
      .values([
        { ...account, id: "acc_active", plan_state: "active" },
        { ...account, id: "acc_lapsed", plan_state: "lapsed" },
      ])
      .execute();
    const { rows } = await sql<{ readonly account_id: string }>`
      select holder.account_id
      from (select 'acc_active' as account_id union select 'acc_lapsed' union select 'oidc_one') as holder
      where ${hasActivePlan("holder.account_id")}
      order by holder.account_id`.execute(db);
    expect(rows.map(({ account_id }) => account_id)).toEqual(["acc_active", "oidc_one"]);
    expect(["active", null, "lapsed"].map(isPlanActive)).toEqual([true, true, false]);
  });
});
