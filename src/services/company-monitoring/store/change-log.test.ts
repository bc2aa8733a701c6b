import { CompiledQuery, sql } from "kysely";
import { expect, test } from "vitest";
import { createCompanyTables } from "../../../../test/support/companies/company-tables.js";
import { describeEachStore } from "../../../../test/support/stores.js";
import { pollStatement } from "./change-log.js";
import { companiesIn } from "./tables.js";

const CHANGES = 20_000;
const PAGE = 100;

await describeEachStore((open, dialect) => {
  test("a poll in the middle of a long log reads only a page of index entries", async () => {
    const { database } = await open();
    await createCompanyTables(database);
    const db = companiesIn(database.db);
    const numbers = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(CHANGES)})`;
    await sql`
      insert into company_account (account_id, position, generation, company_count, oldest_position, updated_at)
      ${numbers} select case when i = 1 then 'a' else 'a' || i end, ${CHANGES}, 0, 0, 1, 0 from n`.execute(db);
    await sql`
      insert into company_change (account_id, company_id, position, kind, impact_id, changed_at)
      ${numbers} select 'a', 'c', i, case when i % 3 = 0 then 'company' else 'impact' end, 'i' || i, 0 from n`.execute(
      db,
    );
    await sql`
      insert into company_impact
        (account_id, company_id, impact_id, visible_from, event_id, direction, lifecycle, body)
      ${numbers} select 'a', 'c', 'i' || i, i, 'e', 'negative', 'admitted', '{}' from n where i % 3 <> 0`.execute(db);
    await sql`analyze`.execute(db);

    const { sql: text, parameters } = pollStatement("a", CHANGES / 2, PAGE).compile(db);
    const explain = dialect === "sqlite" ? "explain query plan " : "explain (analyze, costs off, timing off) ";
    const { rows } = await db.executeQuery(CompiledQuery.raw(explain + text, [...parameters]));
    const plan = rows.map((row) => Object.values(row as object).join(" ")).join("\n");

    expect(plan).toContain("company_change_impacts");
    expect(plan).toContain("company_change_companies");
    if (dialect === "sqlite") {
      // SQLite may scan and sort the page of rows, but must not scan a table.
      expect(plan).not.toMatch(/SCAN [aci]\b/);
    } else {
      expect(plan).not.toMatch(/Seq Scan on company_(?:change|impact)/);
      const read = [...plan.matchAll(/rows=(\d+)/g)].map(([, count]) => Number(count));
      expect(Math.max(...read)).toBeLessThanOrEqual(PAGE);
    }
  });
});
