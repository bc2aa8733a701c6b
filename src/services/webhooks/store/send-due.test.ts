import { expect, test } from "vitest";
import { describeEachStore } from "../../../../test/support/stores.js";
import { OutwardFailure } from "../../../contract/outward.js";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kit/clock.js";
import { refusedWebhook } from "../../../kit/standard-webhook.js";
import { claimDue, type DueEndpoint, dueEndpoints, LEASE_MS } from "./claim.js";
import { webhooksIn } from "./tables.js";
import {
  endpointTo,
  memoryLog,
  NOW,
  type Receive,
  type Received,
  type WebhookNode,
  webhookNode,
} from "./testing/webhook-node.js";
import { thinWebhooks } from "./upkeep.js";

const down: Receive = () => {
  throw new OutwardFailure("no connection (ECONNREFUSED)");
};

/** Creates a receiver that records its requests and answers with a status. */
function recorder(status = 200) {
  const received: Received[] = [];
  const receive: Receive = (post) => {
    received.push(post);
    return status;
  };
  return { received, receive, positions: () => received.map(({ data }) => data.position) };
}

/** Advances time in steps. After each step, abandons expired deliveries and sends the due ones. */
async function pass(node: WebhookNode, ms: number, stepMs: number, receive: Receive): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    node.clock.advance(stepMs);
    await node.expire();
    await node.send(receive);
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

await describeEachStore((open) => {
  async function prepared() {
    const store = await open();
    const node = await webhookNode(store.database);
    return { store, node, log: memoryLog(), db: webhooksIn(store.database.db) };
  }
  const endpointOf = async (node: WebhookNode) => {
    const [endpoint] = await node.inCall(({ endpoints }) => endpoints.list());
    if (!endpoint) throw new Error("no endpoint");
    return endpoint;
  };

  test("a delivery is signed with the secret of its endpoint and sent only once", async () => {
    const { node, log } = await prepared();
    const { secret } = await node.create();
    log.add("a");
    await node.fanOut(log);
    const { received, receive } = recorder();
    await node.send(receive);
    await node.send(receive);
    expect(received).toHaveLength(1);
    const [message] = received;
    expect(refusedWebhook(message?.headers ?? {}, message?.body ?? "", [secret], NOW)).toBeUndefined();
    expect(await node.states()).toEqual(["delivered/1"]);
    expect(await endpointOf(node)).toMatchObject({ pendingCount: 0, lastDeliveredAt: new Date(NOW).toISOString() });
  });

  test("for a day after a rotation, both secrets sign each message; then only the new secret signs", async () => {
    const { node, log } = await prepared();
    const created = await node.create();
    const { endpointId } = created.endpoint;
    const rotated = await node.inCall(({ endpoints }) => endpoints.rotateSecret(endpointId));
    const [older, newer] = [created.secret, rotated?.secret ?? ""];
    const verify = async (secret: string) => {
      log.add("a");
      await node.fanOut(log);
      const { received, receive } = recorder();
      await node.send(receive);
      const [message] = received;
      return refusedWebhook(message?.headers ?? {}, message?.body ?? "", [secret], node.clock.now());
    };
    expect([await verify(older), await verify(newer)]).toEqual([undefined, undefined]);
    node.clock.advance(DAY_MS);
    expect([await verify(older), await verify(newer)]).toEqual(["no signature matches", undefined]);
  });

  test("a failed attempt is repeated with the same id and body, and the delivery lists the reason", async () => {
    const { node, log } = await prepared();
    await node.create();
    log.add("a");
    await node.fanOut(log);
    const first = recorder(500);
    await node.send(first.receive);
    node.clock.advance(4 * SECOND_MS - 1);
    await node.send(first.receive);
    expect(first.received).toHaveLength(1);
    node.clock.advance(2 * SECOND_MS + 1);
    const second = recorder();
    await node.send(second.receive);
    expect(second.received.map(({ id, body }) => [id, body])).toEqual(first.received.map(({ id, body }) => [id, body]));
    const [delivery] = await node.inCall(({ deliveries }) =>
      deliveries.list({ endpointId: "", states: [], before: "", rowsMax: 1 }),
    );
    expect(delivery).toMatchObject({
      state: "WEBHOOK_DELIVERY_STATE_DELIVERED",
      attemptCount: 2,
      attempts: [{ responseStatus: 500, error: "answered 500; expected 2xx" }, { responseStatus: 200 }],
    });
  });

  test("changes of one subject arrive in order, and a refused change delays only its own subject", async () => {
    const { node, log } = await prepared();
    await node.create();
    for (const subject of ["a", "b", "a", "b", "a"]) log.add(subject);
    await node.fanOut(log);
    const received: Received[] = [];
    let refusals = 2;
    const receive: Receive = (post) => {
      received.push(post);
      if (post.data.subject !== "a" || refusals === 0) return 200;
      refusals -= 1;
      return 503;
    };
    await node.send(receive);
    expect(received.map(({ data }) => data.position).toSorted()).toEqual([1, 2, 4]);
    await pass(node, MINUTE_MS, 5 * SECOND_MS, receive);
    const ofA = received.filter(({ data }) => data.subject === "a").map(({ data }) => data.position);
    expect(ofA).toEqual([1, 1, 1, 3, 5]);
  });

  test("a dead delivery no longer blocks its subject", async () => {
    const { node, log } = await prepared();
    await node.create();
    log.add("a");
    await node.fanOut(log);
    await node.send(() => 500);
    node.clock.advance(2 * DAY_MS);
    log.add("a");
    await node.fanOut(log);
    node.clock.advance(DAY_MS);
    await node.expire();
    const { positions, receive } = recorder();
    await node.send(receive);
    expect(positions()).toEqual([2]);
    expect(await node.states()).toEqual(["dead/1", "delivered/1"]);
  });

  test("a receiver that is down for three days costs few attempts; afterwards the deliveries that have not expired arrive, and the others are dead", async () => {
    const { node, log } = await prepared();
    await node.create({ order: "WEBHOOK_ORDER_UNORDERED" });
    let attempts = 0;
    const count: Receive = (post, signal) => {
      attempts += 1;
      return down(post, signal);
    };
    for (let hour = 0; hour < 72; hour += 1) {
      for (let change = 0; change < 5; change += 1) log.add(`s${change}`);
      await node.fanOut(log);
      await pass(node, HOUR_MS, 30 * MINUTE_MS, count);
    }
    expect(attempts).toBeLessThan(200);
    const { positions, receive } = recorder();
    await pass(node, 20 * MINUTE_MS, 10 * MINUTE_MS, receive);
    // The five changes of the first hour expired after three days; all later ones are delivered.
    expect(positions().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 355 }, (_, at) => at + 6));
    expect((await node.states()).filter((state) => state.startsWith("dead"))).toHaveLength(5);
    expect(await endpointOf(node)).toMatchObject({ pendingCount: 0, failuresInRow: 0 });
  }, 120_000);

  test("an endpoint that is down is tried with one delivery at a time, and gets the rest once it answers", async () => {
    const { node, log } = await prepared();
    await node.create({ order: "WEBHOOK_ORDER_UNORDERED" });
    for (let change = 0; change < 20; change += 1) log.add("a");
    await node.fanOut(log);
    const failing = recorder(500);
    await node.send(failing.receive);
    const before = failing.received.length;
    expect(before).toBeLessThanOrEqual(8);
    node.clock.advance(MINUTE_MS);
    await node.send(failing.receive);
    expect(failing.received.length - before).toBe(1);
    node.clock.advance(10 * MINUTE_MS);
    const { received, receive } = recorder();
    await node.send(receive);
    expect(received).toHaveLength(20);
  });

  test("no delivery is claimed for an endpoint that went down after its row was read", async () => {
    const { node, log, db } = await prepared();
    await node.create({ order: "WEBHOOK_ORDER_UNORDERED" });
    for (let change = 0; change < 20; change += 1) log.add("a");
    await node.fanOut(log);
    const readBefore = await dueEndpoints(db, { after: "", now: NOW, endpointsMax: 1 });
    await node.send(down);
    const claim = (endpoint: DueEndpoint) => claimDue(db, endpoint, { lease: "other", now: NOW, deliveriesMax: 4 });
    expect(readBefore).toHaveLength(1);
    expect((await Promise.all(readBefore.map(claim))).flat()).toEqual([]);
  });

  test("a hanging receiver does not delay other endpoints", async () => {
    const { node, log } = await prepared();
    await node.create({ url: "https://hanging.example/", order: "WEBHOOK_ORDER_UNORDERED" });
    for (let change = 0; change < 10; change += 1) log.add("a");
    await node.fanOut(log);
    const other = await node.create({ positions: new Map([["thing.changed", 10]]) });
    const hanging: Received[] = [];
    const arrived: Received[] = [];
    let release = (): void => undefined;
    const hangs = new Promise<number>((resolve) => {
      release = () => resolve(200);
    });
    const sent = node.send((post) => {
      const isOther = post.url === other.endpoint.url;
      (isOther ? arrived : hanging).push(post);
      return isOther ? 200 : hangs;
    });
    await expect.poll(() => hanging.length, { interval: 1 }).toBe(4);
    log.add("b");
    await node.fanOut(log);
    const arrivedCount = (): number => {
      if (node.clock.sleeping > 0) node.clock.advance(SECOND_MS / 4);
      return arrived.length;
    };
    await expect.poll(arrivedCount, { interval: 1 }).toBe(1);
    expect(hanging).toHaveLength(4);
    release();
    await sent;
    expect(hanging).toHaveLength(11);
  });

  test("twenty hanging receivers of one account do not delay another account", async () => {
    const { node, log } = await prepared();
    for (let count = 0; count < 20; count += 1) {
      await node.create({ url: `https://hanging${count}.example/`, order: "WEBHOOK_ORDER_UNORDERED" });
    }
    const other = { ...endpointTo("https://other.example/"), order: "WEBHOOK_ORDER_UNORDERED" } as const;
    await node.inCall(({ endpoints }) => endpoints.create(other), "acc_b");
    for (let change = 0; change < 10; change += 1) {
      log.add("a");
      log.add("b", {}, "acc_b");
    }
    await node.fanOut(log);
    let hangingCount = 0;
    let arrivedCount = 0;
    let release = (): void => undefined;
    const hangs = new Promise<number>((resolve) => {
      release = () => resolve(200);
    });
    const sent = node.send((post) => {
      if (post.url !== other.url) {
        hangingCount += 1;
        return hangs;
      }
      arrivedCount += 1;
      return 200;
    });
    const arrived = (): number => {
      if (node.clock.sleeping > 0) node.clock.advance(SECOND_MS / 4);
      return arrivedCount;
    };
    await expect.poll(arrived, { interval: 1 }).toBe(10);
    expect(hangingCount).toBe(16);
    release();
    await sent;
    expect(hangingCount).toBe(200);
  });

  test.each([
    { title: "six endpoints of one account", endpointCounts: [6], slowMax: 16, changeCount: 40 },
    { title: "twenty endpoints of one account", endpointCounts: [20], slowMax: 16, changeCount: 40 },
    {
      title: "two endpoints of an account that competes with 64 others",
      endpointCounts: [2, ...Array.from({ length: 64 }, () => 1)],
      slowMax: 64,
      changeCount: 20,
    },
  ])(
    "all get a fair share of the attempts to slow receivers: $title",
    async ({ endpointCounts, slowMax, changeCount }) => {
      const { node, log } = await prepared();
      const accounts = endpointCounts.map((endpointCount, account) =>
        Array.from({ length: endpointCount }, (_, count) => `https://slow${count}.account${account}.example/`),
      );
      for (const [account, urls] of accounts.entries()) {
        for (const url of urls) {
          // Ids begin with the time, so the endpoints of an account are neighbours.
          node.clock.advance(1);
          const added = { ...endpointTo(url), order: "WEBHOOK_ORDER_UNORDERED" } as const;
          await node.inCall(({ endpoints }) => endpoints.create(added), `acc_${account}`);
        }
        for (let change = 0; change < changeCount; change += 1) log.add("a", {}, `acc_${account}`);
      }
      await node.fanOut(log);
      const attempts = new Map<string, number>();
      const attemptsMax = slowMax + 6 * accounts.flat().length;
      let attemptCount = 0;
      const answers: (() => void)[] = [];
      const stopping = new AbortController();
      // Each attempt beyond `slowMax` lets the oldest one end.
      const sent = node.send(({ url }) => {
        attempts.set(url, (attempts.get(url) ?? 0) + 1);
        attemptCount += 1;
        if (attemptCount >= attemptsMax) stopping.abort(new Error("enough"));
        return new Promise<number>((resolve) => {
          answers.push(() => resolve(200));
          const endedCount = stopping.signal.aborted ? answers.length : Math.max(answers.length - slowMax + 1, 0);
          for (const end of answers.splice(0, endedCount)) end();
        });
      }, stopping.signal);
      let attemptCountBefore = 0;
      const isEnough = (): boolean => {
        // The node may wait for its next look with fewer attempts in progress.
        if (attemptCount === attemptCountBefore) answers.shift()?.();
        attemptCountBefore = attemptCount;
        return stopping.signal.aborted;
      };
      await expect.poll(isEnough, { interval: 20, timeout: 50_000 }).toBe(true);
      await sent;
      for (const urls of accounts) {
        const shares = urls.map((url) => attempts.get(url) ?? 0);
        const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
        expect(Math.min(...shares), `${shares}`).toBeGreaterThanOrEqual(mean / 2);
      }
    },
  );

  test("an answer of 410 disables the endpoint with a reason, and activating it sends the waiting deliveries", async () => {
    const { node, log } = await prepared();
    const { endpoint } = await node.create();
    log.add("a");
    await node.fanOut(log);
    await node.send(() => 410);
    expect(await endpointOf(node)).toMatchObject({
      state: "WEBHOOK_ENDPOINT_STATE_DISABLED",
      stateReason: "The receiver answered 410 Gone",
      pendingCount: 1,
    });
    node.clock.advance(10 * DAY_MS);
    await node.expire();
    const { positions, receive } = recorder();
    await node.send(receive);
    expect(positions()).toEqual([]);
    await node.inCall(({ endpoints }) => endpoints.setState(endpoint.endpointId, "WEBHOOK_ENDPOINT_STATE_ACTIVE"));
    await node.expire();
    await node.send(receive);
    expect(positions()).toEqual([1]);
  });

  test("Retry-After postpones the next attempts to the endpoint", async () => {
    const { node, log } = await prepared();
    await node.create({ order: "WEBHOOK_ORDER_UNORDERED" });
    log.add("a");
    await node.fanOut(log);
    await node.send(() => ({ status: 429, retryAt: NOW + 10 * MINUTE_MS }));
    log.add("b");
    await node.fanOut(log);
    const { positions, receive } = recorder();
    await pass(node, 9 * MINUTE_MS, MINUTE_MS, receive);
    expect(positions()).toEqual([]);
    await pass(node, MINUTE_MS, MINUTE_MS, receive);
    expect(positions().toSorted()).toEqual([1, 2]);
  });

  test("a wait that the receiver requested is not shortened by concurrent attempts, whatever their outcome", async () => {
    for (const [later, failureCount] of [
      [200, 0],
      [500, 0],
      [500, 4],
    ] as const) {
      const { node, log, db } = await prepared();
      await node.create({ order: "WEBHOOK_ORDER_UNORDERED" });
      for (let change = 0; change < 20; change += 1) log.add("a");
      await node.fanOut(log);
      await db.updateTable("webhook_endpoint").set({ failure_count: failureCount }).execute();
      let attempts = 0;
      await node.send(() => {
        attempts += 1;
        return attempts === 1 ? { status: 503, retryAt: NOW + HOUR_MS } : later;
      });
      expect(attempts).toBe(4);
      expect(await endpointOf(node)).toMatchObject({ restsUntil: new Date(NOW + HOUR_MS).toISOString() });
      const { received, receive } = recorder();
      await pass(node, HOUR_MS - MINUTE_MS, MINUTE_MS, receive);
      expect(received).toEqual([]);
      await pass(node, MINUTE_MS, MINUTE_MS, receive);
      expect(received.length).toBeGreaterThan(0);
      expect((await endpointOf(node)).restsUntil).toBeUndefined();
    }
  });

  test("an older version on the same store reads requested waits in rests_until, and its own waits are kept", async () => {
    for (const later of [200, 500]) {
      const { node, log, db } = await prepared();
      await node.create({ order: "WEBHOOK_ORDER_UNORDERED" });
      for (let change = 0; change < 20; change += 1) log.add("a");
      await node.fanOut(log);
      const rest = async () => {
        const row = await db.selectFrom("webhook_endpoint").select("rests_until").executeTakeFirstOrThrow();
        return row.rests_until - NOW;
      };
      let attempts = 0;
      await node.send(async () => {
        attempts += 1;
        if (attempts === 1) return { status: 503, retryAt: NOW + MINUTE_MS };
        // The older version stores the outcome of its own attempt.
        if (attempts === 4)
          await db
            .updateTable("webhook_endpoint")
            .set({ rests_until: NOW + HOUR_MS })
            .execute();
        return later;
      });
      expect(attempts).toBe(4);
      expect(await rest()).toBe(HOUR_MS);
      await db.updateTable("webhook_endpoint").set({ rests_until: 0, requested_until: 0 }).execute();
      node.clock.advance(MINUTE_MS);
      await node.send(() => ({ status: 503, retryAt: NOW + 2 * MINUTE_MS }));
      expect(await rest()).toBe(2 * MINUTE_MS);
    }
  });

  test("an endpoint that recovers does not keep the lease of a probe as a wait", async () => {
    const { node, log, db } = await prepared();
    await node.create({ order: "WEBHOOK_ORDER_UNORDERED" });
    for (let change = 0; change < 20; change += 1) log.add("a");
    await node.fanOut(log);
    await db.updateTable("webhook_endpoint").set({ failure_count: 20 }).execute();
    const [found] = await dueEndpoints(db, { after: "", now: NOW, endpointsMax: 10 });
    const { received, receive } = recorder();
    await node.send(receive);
    expect(received).toHaveLength(20);
    expect((await endpointOf(node)).restsUntil).toBeUndefined();
    log.add("a");
    await node.fanOut(log);
    const late = await claimDue(db, found as DueEndpoint, { lease: "late", now: NOW, deliveriesMax: 10 });
    expect(late).toEqual([]);
    expect((await endpointOf(node)).restsUntil).toBeUndefined();
    await node.send(receive);
    expect(received).toHaveLength(21);
  });

  test("two nodes never send the same delivery at the same time", async () => {
    const { store, node, log } = await prepared();
    await node.create({ order: "WEBHOOK_ORDER_UNORDERED" });
    for (let change = 0; change < 60; change += 1) log.add("a");
    await node.fanOut(log);
    const other = await webhookNode(await store.openAgain(), { clock: node.clock, seed: 1 });
    const received: string[] = [];
    const receive: Receive = async ({ id }) => {
      received.push(id);
      await turn();
      return 200;
    };
    await Promise.all([node.send(receive), other.send(receive)]);
    expect(received).toHaveLength(60);
    expect(new Set(received).size).toBe(60);
  });

  test("if an endpoint is down, two nodes together make only one attempt", async () => {
    const { store, node, log, db } = await prepared();
    await node.create({ order: "WEBHOOK_ORDER_UNORDERED" });
    for (let change = 0; change < 10; change += 1) log.add("a");
    await node.fanOut(log);
    await db.updateTable("webhook_endpoint").set({ failure_count: 9 }).execute();
    const other = await webhookNode(await store.openAgain(), { clock: node.clock, seed: 1 });
    const { received, receive } = recorder(500);
    await Promise.all([node.send(receive), other.send(receive)]);
    expect(received).toHaveLength(1);
  });

  test("a delivery leased by a node that died is sent again after the lease has ended", async () => {
    const { node, log, db } = await prepared();
    await node.create();
    log.add("a");
    await node.fanOut(log);
    await db
      .updateTable("webhook_delivery")
      .set({ lease: "dead node", leased_until: NOW + LEASE_MS })
      .execute();
    const { received, receive } = recorder();
    await node.send(receive);
    expect(received).toEqual([]);
    node.clock.advance(LEASE_MS);
    await node.send(receive);
    expect(received).toHaveLength(1);
  });

  test("when a node stops, it releases the deliveries that it was sending", async () => {
    const { node, log } = await prepared();
    await node.create();
    log.add("a");
    await node.fanOut(log);
    const stopping = new AbortController();
    await node.send((_post, signal) => {
      stopping.abort(new Error("stopping"));
      throw signal.reason;
    }, stopping.signal);
    const { received, receive } = recorder();
    await node.send(receive);
    expect(received).toHaveLength(1);
    expect(await node.states()).toEqual(["delivered/1"]);
  });

  test("a fault of this service is thrown only after the other deliveries have been sent, and the affected delivery is sent again", async () => {
    const { node, log } = await prepared();
    await node.create();
    for (const subject of ["a", "b"]) log.add(subject);
    await node.fanOut(log);
    const { positions, receive } = recorder();
    const faulty: Receive = (post, signal) => {
      if (post.data.subject === "a") throw new TypeError("a bug");
      return receive(post, signal);
    };
    await expect(node.send(faulty)).rejects.toThrow("deliveries that could not be processed: 1");
    expect(positions()).toEqual([2]);
    node.clock.advance(LEASE_MS);
    await node.send(receive);
    expect(positions()).toEqual([2, 1]);
  });

  test("a test message is sent immediately, even if the endpoint is resting after failures", async () => {
    const { node, log, db } = await prepared();
    const { endpoint } = await node.create();
    log.add("a");
    await node.fanOut(log);
    await db
      .updateTable("webhook_endpoint")
      .set({ failure_count: 20, rests_until: NOW + HOUR_MS })
      .execute();
    const { received, receive } = recorder();
    await node.send(receive);
    expect(received).toEqual([]);
    await node.inCall(({ deliveries }) => deliveries.sendTest(endpoint.endpointId));
    await node.send(receive);
    expect(received.map(({ body }) => JSON.parse(body).type).toSorted()).toEqual(["thing.changed", "webhook.test"]);
  });

  test("deleting an endpoint ends its deliveries", async () => {
    const { node, log } = await prepared();
    const { endpoint } = await node.create();
    log.add("a");
    await node.fanOut(log);
    await node.inCall(({ endpoints }) => endpoints.remove(endpoint.endpointId));
    const { received, receive } = recorder();
    await node.send(receive);
    await node.fanOut(log);
    expect(received).toEqual([]);
    await thinWebhooks(node.parts);
    expect(await node.states()).toEqual([]);
  });
});
