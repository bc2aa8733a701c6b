import { expect, test } from "vitest";
import { describeEachStore } from "../../../../test/support/stores.js";
import { SECOND_MS } from "../../../kit/clock.js";
import { PENDING_MAX } from "../rules/limits.js";
import { webhooksIn } from "./tables.js";
import { ACCOUNT, EVENT, endpointTo, memoryLog, NOW, webhookNode } from "./testing/webhook-node.js";

await describeEachStore((open) => {
  async function prepared() {
    const store = await open();
    const node = await webhookNode(store.database);
    const db = webhooksIn(store.database.db);
    const rows = async () => db.selectFrom("webhook_delivery").selectAll().orderBy("position").execute();
    const place = async () => db.selectFrom("webhook_subscription").selectAll().executeTakeFirstOrThrow();
    return { store, node, log: memoryLog(), db, rows, place };
  }

  test("each change after the creation of an endpoint is queued once, with its position in the log", async () => {
    const { node, log, rows, place } = await prepared();
    log.add("before");
    await node.create({ positions: new Map([[EVENT, 1]]) });
    log.add("a", { colour: "red" });
    log.add("b");
    await node.fanOut(log);
    await node.fanOut(log);
    expect((await rows()).map(({ position, subject, state }) => [position, subject, state])).toEqual([
      [2, "a", "pending"],
      [3, "b", "pending"],
    ]);
    expect(JSON.parse((await rows())[0]?.body ?? "")).toEqual({
      type: EVENT,
      timestamp: new Date(NOW).toISOString(),
      data: { position: 2, subject: "a" },
    });
    expect((await place()).position).toBe(3);
  });

  test("each message of a demo states that it is simulated", async () => {
    const { store, node, log, rows } = await prepared();
    await node.create();
    log.add("a");
    const demo = await webhookNode(store.database, { clock: node.clock, isSimulated: true, seed: 1 });
    await demo.fanOut(log);
    expect(JSON.parse((await rows())[0]?.body ?? "")).toMatchObject({ simulated: true });
  });

  test("filters skip changes, and the position moves past them", async () => {
    const { node, log, rows, place } = await prepared();
    await node.create({ filters: { colour: ["red"] } });
    for (const colour of ["green", "red", "green"]) log.add("a", { colour });
    await node.fanOut(log);
    expect((await rows()).map(({ position }) => position)).toEqual([2]);
    expect((await place()).position).toBe(3);
  });

  test("with per-subject order, only the first change of a subject is due; without order, every change is due", async () => {
    const { node, log, rows } = await prepared();
    const ordered = await node.create();
    const unordered = await node.create({ order: "WEBHOOK_ORDER_UNORDERED" });
    for (const subject of ["a", "a", "b"]) log.add(subject);
    await node.fanOut(log);
    log.add("b");
    await node.fanOut(log);
    const due = async (id: string) =>
      (await rows()).flatMap(({ endpoint_id, due_at }) => (endpoint_id === id ? [due_at !== null] : []));
    expect(await due(ordered.endpoint.endpointId)).toEqual([true, false, true, false]);
    expect(await due(unordered.endpoint.endpointId)).toEqual([true, true, true, true]);
  });

  test("one round queues all changes of a log that is longer than a page", async () => {
    const { node, log, rows, place } = await prepared();
    await node.create();
    for (let count = 0; count < 450; count += 1) log.add(`s${count % 7}`);
    await node.fanOut(log);
    expect(await rows()).toHaveLength(450);
    expect((await place()).position).toBe(450);
  });

  test("two nodes that queue at the same time queue every change once", async () => {
    const { store, node, log, rows, db } = await prepared();
    await node.create();
    for (let count = 0; count < 450; count += 1) log.add("a");
    const other = await webhookNode(await store.openAgain(), { clock: node.clock, seed: 1 });
    await Promise.all([node.fanOut(log), other.fanOut(log)]);
    await node.fanOut(log);
    expect((await rows()).map(({ position }) => position)).toEqual(Array.from({ length: 450 }, (_, at) => at + 1));
    const { pending_count } = await db.selectFrom("webhook_endpoint").selectAll().executeTakeFirstOrThrow();
    expect(pending_count).toBe(450);
  });

  test("a paused endpoint keeps its position, and once it is active again, it gets the changes that the log still holds", async () => {
    const { node, log, rows } = await prepared();
    const { endpoint } = await node.create();
    const set = (state: "ACTIVE" | "PAUSED") =>
      node.inCall(({ endpoints }) => endpoints.setState(endpoint.endpointId, `WEBHOOK_ENDPOINT_STATE_${state}`));
    await set("PAUSED");
    for (let count = 0; count < 5; count += 1) log.add("a");
    await node.fanOut(log);
    expect(await rows()).toEqual([]);
    log.thin(4);
    node.clock.advance(SECOND_MS);
    await set("ACTIVE");
    await node.fanOut(log);
    expect((await rows()).map(({ position }) => position)).toEqual([4, 5]);
    const [listed] = await node.inCall(({ endpoints }) => endpoints.list());
    expect(listed?.skipped).toEqual([
      { event: EVENT, positions: 3, skippedAt: new Date(NOW + SECOND_MS).toISOString() },
    ]);
  });

  test("an account whose plan has lapsed gets nothing until the plan is active again", async () => {
    const { store, node, log, rows } = await prepared();
    const account = { id: ACCOUNT, name: "A", plan: "business", created_at: NOW, updated_at: NOW };
    await store.database.db
      .insertInto("account")
      .values({ ...account, plan_state: "lapsed" })
      .execute();
    await node.create();
    log.add("a");
    await node.fanOut(log);
    expect(await rows()).toEqual([]);
    await store.database.db.updateTable("account").set({ plan_state: "active" }).where("id", "=", ACCOUNT).execute();
    await node.fanOut(log);
    expect(await rows()).toHaveLength(1);
  });

  test("the changes for an endpoint with too many waiting deliveries stay in the log", async () => {
    const { node, log, db, rows } = await prepared();
    const { endpoint } = await node.create();
    log.add("a");
    await db.updateTable("webhook_endpoint").set({ pending_count: PENDING_MAX }).execute();
    await node.fanOut(log);
    expect(await rows()).toEqual([]);
    expect(await node.inCall(({ deliveries }) => deliveries.sendTest(endpoint.endpointId))).toBe("full");
    await db.updateTable("webhook_endpoint").set({ pending_count: 0 }).execute();
    await node.fanOut(log);
    expect(await rows()).toHaveLength(1);
  });

  test("a round queues only as many changes as fit into the queue of the endpoint, and skips none", async () => {
    const { node, log, db, rows, place } = await prepared();
    await node.create({ filters: { colour: ["red"] } });
    for (const colour of ["red", "green", "red", "green", "red"]) log.add("a", { colour });
    await db
      .updateTable("webhook_endpoint")
      .set({ pending_count: PENDING_MAX - 2 })
      .execute();
    await node.fanOut(log);
    await node.fanOut(log);
    expect((await rows()).map(({ position }) => position)).toEqual([1, 3]);
    expect((await place()).position).toBe(3);
    const { pending_count } = await db.selectFrom("webhook_endpoint").selectAll().executeTakeFirstOrThrow();
    expect(pending_count).toBe(PENDING_MAX);
    await db.updateTable("webhook_endpoint").set({ pending_count: 2 }).execute();
    await node.fanOut(log);
    expect((await rows()).map(({ position }) => position)).toEqual([1, 3, 5]);
    expect((await place()).position).toBe(5);
  });

  test("a fault with one endpoint does not affect the others", async () => {
    const { node, log, rows } = await prepared();
    await node.create();
    await node.inCall(({ endpoints }) => endpoints.create(endpointTo("https://b.example/")), "acc_b");
    log.add("a");
    log.add("b", {}, "acc_b");
    const broken = {
      ...log,
      reader: {
        ...log.reader,
        read: (accountId: string, after: number, entriesMax: number) => {
          if (accountId === ACCOUNT) throw new Error("unreadable");
          return log.reader.read(accountId, after, entriesMax);
        },
      },
    };
    await expect(node.fanOut(broken)).rejects.toThrow("endpoints whose changes were not queued: 1");
    expect((await rows()).map(({ subject }) => subject)).toEqual(["b"]);
  });
});
