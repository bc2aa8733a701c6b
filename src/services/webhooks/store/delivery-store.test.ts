import { CompiledQuery, sql } from "kysely";
import { expect, test } from "vitest";
import { describeEachStore } from "../../../../test/support/stores.js";
import { SECOND_MS } from "../../../kit/clock.js";
import { webhooksIn } from "./tables.js";
import { ACCOUNT, memoryLog, webhookNode } from "./testing/webhook-node.js";

const ROWS = 20_000;

await describeEachStore((open, dialect) => {
  test("deliveries are listed newest first across all states, and each page continues after the previous page", async () => {
    const node = await webhookNode((await open()).database);
    const log = memoryLog();
    const { endpoint } = await node.create({ order: "WEBHOOK_ORDER_UNORDERED" });
    for (let count = 0; count < 6; count += 1) {
      log.add(count % 2 === 0 ? "a" : "b");
      await node.fanOut(log);
      node.clock.advance(SECOND_MS);
    }
    await node.send(({ data }) => (data.subject === "a" ? 200 : 500));
    const list = (before: string, states: readonly string[] = []) =>
      node.inCall(({ deliveries }) => deliveries.list({ endpointId: endpoint.endpointId, states, before, rowsMax: 4 }));
    const first = await list("");
    const second = await list(first.at(-1)?.deliveryId ?? "");
    expect([...first, ...second].map(({ position }) => position)).toEqual([6, 5, 4, 3, 2, 1]);
    expect((await list("", ["delivered"])).map(({ position }) => position)).toEqual([5, 3, 1]);
    expect((await list("", ["pending"])).map(({ state }) => state)).toEqual(
      Array.from({ length: 3 }, () => "WEBHOOK_DELIVERY_STATE_PENDING"),
    );
  });

  test("a query for a rare state among many deliveries uses an index", async () => {
    const { database } = await open();
    await webhookNode(database);
    const db = webhooksIn(database.db);
    const numbers = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(ROWS)})`;
    await sql`
      insert into webhook_delivery
        (delivery_id, endpoint_id, account_id, event, position, body, state, expires_at, attempt_count, attempts, created_at)
      ${numbers} select 'm' || i, 'e' || (i % 3), ${ACCOUNT}, 'x', i, '{}',
        case when i % 5000 = 0 then 'dead' else 'delivered' end, 0, 0, '[]', 0 from n`.execute(db);
    await sql`analyze`.execute(db);
    const plans = await Promise.all(
      [sql`true`, sql`endpoint_id = 'e1'`].map(async (isOfEndpoint) => {
        const query = sql`
          select * from webhook_delivery where account_id = ${ACCOUNT} and ${isOfEndpoint}
            and state = 'dead' order by delivery_id desc limit 50`.compile(db);
        const explain = dialect === "sqlite" ? "explain query plan " : "explain ";
        const { rows } = await db.executeQuery(CompiledQuery.raw(explain + query.sql, [...query.parameters]));
        return rows.map((row) => Object.values(row as object).join(" ")).join("\n");
      }),
    );
    for (const plan of plans) expect(plan).toMatch(/webhook_delivery_of_(?:account|endpoint)/);
  });
});
