import { sql } from "kysely";
import { expect, test } from "vitest";
import { describeEachStore } from "../../../../test/support/stores.js";
import { DAY_MS, MINUTE_MS } from "../../../kit/clock.js";
import { DELIVERED_WITHIN_MS } from "../rules/limits.js";
import { webhooksIn } from "./tables.js";
import { ACCOUNT, memoryLog, NOW, webhookNode } from "./testing/webhook-node.js";

await describeEachStore((open) => {
  /** Creates an endpoint with one waiting delivery. */
  async function waiting() {
    const { database } = await open();
    const account = {
      id: ACCOUNT,
      name: "A",
      plan: "business",
      plan_state: "active",
      created_at: NOW,
      updated_at: NOW,
    };
    await database.db.insertInto("account").values(account).execute();
    const node = await webhookNode(database);
    const log = memoryLog();
    const { endpoint } = await node.create();
    log.add("a");
    await node.fanOut(log);
    let sentCount = 0;
    return {
      database,
      node,
      endpointId: endpoint.endpointId,
      async setPlan(state: "active" | "lapsed") {
        await database.db.updateTable("account").set({ plan_state: state }).execute();
      },
      /** Sends what is due, and returns the number of messages received so far. */
      async sent(status = 200) {
        await node.send(() => {
          sentCount += 1;
          return status;
        });
        return sentCount;
      },
    };
  }

  test("a waiting delivery of an account whose plan has lapsed is sent only after the plan is active again", async () => {
    const { node, setPlan, sent } = await waiting();
    await setPlan("lapsed");
    expect(await sent()).toBe(0);
    await node.expire();
    expect(await sent()).toBe(0);
    await setPlan("active");
    await node.expire();
    expect(await sent()).toBe(1);
  });

  test("a lapse postpones the expiry of waiting deliveries by its length", async () => {
    const { node, setPlan, sent } = await waiting();
    node.clock.advance(DELIVERED_WITHIN_MS - 2 * MINUTE_MS);
    await setPlan("lapsed");
    await node.expire();
    node.clock.advance(10 * DAY_MS);
    await node.expire();
    await setPlan("active");
    await node.expire();
    expect(await sent(500)).toBe(1);
    expect(await node.states()).toEqual(["pending/1"]);
    node.clock.advance(2 * MINUTE_MS);
    await node.expire();
    expect(await node.states()).toEqual(["dead/1"]);
  });

  test("no delivery is sent before the expiry has been postponed, so a failure cannot end it early", async () => {
    const { node, setPlan, sent } = await waiting();
    await setPlan("lapsed");
    await node.expire();
    node.clock.advance(10 * DAY_MS);
    await setPlan("active");
    expect(await sent(500)).toBe(0);
    await node.expire();
    expect(await sent(500)).toBe(1);
    expect(await node.states()).toEqual(["pending/1"]);
  });

  test("if an endpoint is paused during a lapse, the expiry is postponed by both times together", async () => {
    const { database, node, endpointId, setPlan } = await waiting();
    const set = (state: "ACTIVE" | "PAUSED") =>
      node.inCall(({ endpoints }) => endpoints.setState(endpointId, `WEBHOOK_ENDPOINT_STATE_${state}`));
    await setPlan("lapsed");
    await node.expire();
    node.clock.advance(DAY_MS);
    await set("PAUSED");
    await node.expire();
    await setPlan("active");
    node.clock.advance(DAY_MS);
    await set("ACTIVE");
    await node.expire();
    const { expires_at } = await webhooksIn(database.db)
      .selectFrom("webhook_delivery")
      .select("expires_at")
      .executeTakeFirstOrThrow();
    expect(expires_at).toBe(NOW + DELIVERED_WITHIN_MS + 2 * DAY_MS);
  });

  test("a store without the times of lapses keeps its endpoints and their waiting deliveries", async () => {
    const { database, node, sent } = await waiting();
    await database.db.schema.dropIndex("webhook_endpoint_lapsed").execute();
    await database.db.schema.alterTable("webhook_endpoint").dropColumn("plan_lapsed_at").execute();
    await database.db.schema.alterTable("webhook_endpoint").dropColumn("requested_until").execute();
    await sql`delete from migration_webhooks where name >= '002'`.execute(database.db);
    await webhookNode(database);
    await node.expire();
    expect(await sent()).toBe(1);
    expect(await node.states()).toEqual(["delivered/1"]);
  });
});
