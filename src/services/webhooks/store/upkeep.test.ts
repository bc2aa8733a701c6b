import { expect, test } from "vitest";
import { describeEachStore } from "../../../../test/support/stores.js";
import { DAY_MS } from "../../../kit/clock.js";
import { webhooksIn } from "./tables.js";
import { memoryLog, webhookNode } from "./testing/webhook-node.js";
import { thinWebhooks, webhookFigures } from "./upkeep.js";

await describeEachStore((open) => {
  async function prepared() {
    const { database } = await open();
    const node = await webhookNode(database);
    const db = webhooksIn(database.db);
    const count = async (table: "webhook_delivery" | "webhook_endpoint" | "webhook_secret") =>
      (await db.selectFrom(table).selectAll().execute()).length;
    return { node, log: memoryLog(), count };
  }

  test("successful deliveries are kept for a week, and dead deliveries for 30 days", async () => {
    const { node, log } = await prepared();
    await node.create({ order: "WEBHOOK_ORDER_UNORDERED" });
    for (const subject of ["a", "b"]) log.add(subject);
    await node.fanOut(log);
    await node.send(({ data }) => (data.subject === "a" ? 200 : 500));
    node.clock.advance(3 * DAY_MS);
    await node.expire();
    expect(await webhookFigures(node.parts)).toEqual({ endpoints: 1, deliveriesPending: 0, deliveriesDead: 1 });
    node.clock.advance(4 * DAY_MS);
    await thinWebhooks(node.parts);
    expect(await node.states()).toEqual(["delivered/1", "dead/1"]);
    node.clock.advance(1);
    await thinWebhooks(node.parts);
    expect(await node.states()).toEqual(["dead/1"]);
    node.clock.advance(26 * DAY_MS);
    await thinWebhooks(node.parts);
    expect(await node.states()).toEqual([]);
  });

  test("pending deliveries of a paused endpoint are kept", async () => {
    const { node, log } = await prepared();
    const { endpoint } = await node.create();
    log.add("a");
    await node.fanOut(log);
    await node.inCall(({ endpoints }) => endpoints.setState(endpoint.endpointId, "WEBHOOK_ENDPOINT_STATE_PAUSED"));
    node.clock.advance(100 * DAY_MS);
    await node.expire();
    await thinWebhooks(node.parts);
    expect(await webhookFigures(node.parts)).toEqual({ endpoints: 1, deliveriesPending: 1, deliveriesDead: 0 });
  });

  test("replaced secrets, deleted endpoints and the deliveries of deleted endpoints are removed", async () => {
    const { node, log, count } = await prepared();
    const { endpoint } = await node.create();
    const other = await node.create();
    log.add("a");
    await node.fanOut(log);
    await node.inCall(({ endpoints }) => endpoints.rotateSecret(endpoint.endpointId));
    await node.inCall(({ endpoints }) => endpoints.remove(other.endpoint.endpointId));
    expect(await count("webhook_secret")).toBe(2);
    node.clock.advance(DAY_MS);
    await thinWebhooks(node.parts);
    expect([await count("webhook_secret"), await count("webhook_endpoint"), await count("webhook_delivery")]).toEqual([
      1, 1, 1,
    ]);
  });
});
