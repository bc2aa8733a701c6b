import { expect, test } from "vitest";
import { describeEachStore } from "../../../../test/support/stores.js";
import { DAY_MS, MINUTE_MS } from "../../../kit/clock.js";
import { PENDING_MAX } from "../rules/limits.js";
import { webhooksIn } from "./tables.js";
import { memoryLog, type Received, webhookNode } from "./testing/webhook-node.js";

await describeEachStore((open) => {
  /** Creates an endpoint whose three deliveries are dead. */
  async function deadDeliveries() {
    const node = await webhookNode((await open()).database);
    const log = memoryLog();
    const { endpoint } = await node.create();
    for (const subject of ["a", "a", "b"]) log.add(subject);
    await node.fanOut(log);
    node.clock.advance(3 * DAY_MS);
    await node.expire();
    return { node, log, endpointId: endpoint.endpointId };
  }

  test("replay-webhook-deliveries sends all dead deliveries again, with the same ids and in order within each subject", async () => {
    const { node, endpointId } = await deadDeliveries();
    expect(await node.states()).toEqual(["dead/0", "dead/0", "dead/0"]);
    const dead = await node.inCall(({ deliveries }) =>
      deliveries.list({ endpointId, states: ["dead"], before: "", rowsMax: 10 }),
    );
    const replay = await node.inCall(({ deliveries }) => deliveries.replay(endpointId, undefined));
    expect(replay).toEqual({ replayedCount: 3, deadCount: 0 });
    const received: Received[] = [];
    await node.send((post) => {
      received.push(post);
      return 200;
    });
    expect(new Set(received.map(({ id }) => id))).toEqual(new Set(dead.map(({ deliveryId }) => deliveryId)));
    const ofA = received.filter(({ data }) => data.subject === "a").map(({ data }) => data.position);
    expect(ofA).toEqual([1, 2]);
    expect(await node.states()).toEqual(["delivered/1", "delivered/1", "delivered/1"]);
  });

  test("if deliveries are replayed while a later delivery of the same subject is failing, they are sent before the later delivery is retried", async () => {
    const { node, log, endpointId } = await deadDeliveries();
    log.add("a");
    await node.fanOut(log);
    const received: number[] = [];
    await node.send(async ({ data }) => {
      received.push(data.position);
      if (received.length === 1) await node.inCall(({ deliveries }) => deliveries.replay(endpointId, undefined));
      return data.subject === "a" ? 500 : 200;
    });
    node.clock.advance(MINUTE_MS);
    await node.send(({ data }) => {
      received.push(data.position);
      return 200;
    });
    expect(received.filter((position) => position !== 3)).toEqual([4, 1, 1, 2, 4]);
  });

  test("a replayed delivery is sent before a later one of the same subject, even if a dead node had leased the later one", async () => {
    const { node, log, endpointId } = await deadDeliveries();
    log.add("a");
    await node.fanOut(log);
    await webhooksIn(node.parts.database.db)
      .updateTable("webhook_delivery")
      .set({ lease: "lease of a dead node", leased_until: node.clock.now() })
      .where("position", "=", 4)
      .execute();
    await node.inCall(({ deliveries }) => deliveries.replay(endpointId, undefined));
    const received: number[] = [];
    await node.send(({ data }) => {
      received.push(data.position);
      return 200;
    });
    expect(received.filter((position) => position !== 3)).toEqual([1, 2, 4]);
  });

  test("a replayed delivery is sent before a later one of the same subject whose lease ends after the replay", async () => {
    const { node, log, endpointId } = await deadDeliveries();
    log.add("a");
    await node.fanOut(log);
    await webhooksIn(node.parts.database.db)
      .updateTable("webhook_delivery")
      .set({ lease: "lease of a dead node", leased_until: node.clock.now() + MINUTE_MS })
      .where("position", "=", 4)
      .execute();
    await node.inCall(({ deliveries }) => deliveries.replay(endpointId, undefined));
    node.clock.advance(MINUTE_MS);
    const received: number[] = [];
    const receive = ({ data }: Received): number => {
      received.push(data.position);
      return received.length > 3 ? 200 : 500;
    };
    for (let minutes = 0; minutes < 5; minutes += 1) {
      await node.send(receive);
      node.clock.advance(MINUTE_MS);
    }
    const ofA = received.filter((position) => position !== 3);
    expect(ofA.slice(ofA.lastIndexOf(1))).toEqual([1, 2, 4]);
    expect(ofA.indexOf(4)).toBe(ofA.length - 1);
  });

  test("a replay of selected deliveries leaves the others dead, and ignores selected ones that are not dead", async () => {
    const { node, endpointId } = await deadDeliveries();
    const [last] = await node.inCall(({ deliveries }) =>
      deliveries.list({ endpointId, states: [], before: "", rowsMax: 1 }),
    );
    const ids = [last?.deliveryId ?? ""];
    const replay = () => node.inCall(({ deliveries }) => deliveries.replay(endpointId, ids));
    expect(await replay()).toEqual({ replayedCount: 1, deadCount: 2 });
    expect(await replay()).toEqual({ replayedCount: 0, deadCount: 2 });
    await node.send(() => 200);
    expect((await node.states()).toSorted()).toEqual(["dead/0", "dead/0", "delivered/1"]);
  });

  test("a replay queues only as many deliveries as fit into the queue of the endpoint, the oldest first", async () => {
    const { node, endpointId } = await deadDeliveries();
    const replay = (ids?: readonly string[]) => node.inCall(({ deliveries }) => deliveries.replay(endpointId, ids));
    const setPending = async (count: number) => {
      await webhooksIn(node.parts.database.db).updateTable("webhook_endpoint").set({ pending_count: count }).execute();
    };
    const dead = await node.inCall(({ deliveries }) =>
      deliveries.list({ endpointId, states: ["dead"], before: "", rowsMax: 10 }),
    );
    await setPending(PENDING_MAX - 2);
    expect(await replay(dead.map(({ deliveryId }) => deliveryId))).toEqual({ replayedCount: 2, deadCount: 1 });
    expect(await replay()).toEqual({ replayedCount: 0, deadCount: 1 });
    expect(await node.states()).toEqual(["pending/0", "pending/0", "dead/0"]);
    await setPending(2);
    expect(await replay()).toEqual({ replayedCount: 1, deadCount: 0 });
  });

  test("the deliveries to an endpoint of another account can be neither replayed nor listed", async () => {
    const { node, endpointId } = await deadDeliveries();
    const foreign = "acc_b";
    expect(await node.inCall(({ deliveries }) => deliveries.replay(endpointId, undefined), foreign)).toBeUndefined();
    const query = { endpointId, states: [], before: "", rowsMax: 10 };
    expect(await node.inCall(({ deliveries }) => deliveries.list(query), foreign)).toEqual([]);
  });
});
