import { expect, test } from "vitest";
import { describeEachStore } from "../../../../../test/support/stores.js";
import { MINUTE_MS, SECOND_MS } from "../../../../kit/clock.js";
import { manualClock } from "../../../../kit/manual-clock.js";
import { watchesIn } from "../tables.js";
import { evaluatingNode, lineOf } from "../testing/evaluating-node.js";
import { callOf, scriptedWorld } from "../testing/scripted-world.js";
import { ACCOUNT, NOW } from "../testing/watch-node.js";
import { SETTLED_AFTER_MS } from "./settled.js";
import { LEASE_MS } from "./store-outcomes.js";

const account = (plan: string, planState = "active") => ({
  id: ACCOUNT,
  name: "A",
  plan,
  plan_state: planState,
  created_at: NOW,
  updated_at: NOW,
});

await describeEachStore((open) => {
  async function prepared(options: { readonly settings?: Record<string, string>; readonly msPerLook?: number } = {}) {
    const store = await open();
    const clock = manualClock(NOW);
    const world = scriptedWorld(clock);
    let looks = 0;
    const monotonic = (): number => {
      looks += 1;
      return looks * (options.msPerLook ?? 0);
    };
    const node = await evaluatingNode(store.database, world, { clock, monotonic, ...options });
    world.publish("a", ["r1"]);
    world.publish("b", ["r1"]);
    const step = (): void => clock.advance(SECOND_MS);
    const lines = async (accountId?: string) => (await node.fired(accountId)).map(lineOf);
    const setState = (watchId: string, state: "PAUSED" | "ACTIVE") =>
      node.inCall(({ watches }) => watches.setState(watchId, `WATCH_STATE_${state}`));
    return { store, clock, world, node, step, lines, setState, db: watchesIn(store.database.db) };
  }

  test("a watch fires once for a new row, with the time and the generation of the change", async () => {
    const { world, node, step, lines } = await prepared();
    const { watchId } = await node.create(world);
    await node.evaluate();
    expect(await node.find(watchId)).toMatchObject({ isBehind: false });
    step();
    world.publish("a", ["r1", "r2"]);
    world.publish("b", ["r1", "r9"]);
    await node.evaluate();
    await node.evaluate();
    expect(await lines()).toEqual(["FIRED Rows r2"]);
    expect(await node.fired()).toMatchObject([
      { position: 1, watchId, firedAt: new Date(NOW + SECOND_MS).toISOString(), generations: { a: 2 } },
    ]);
    expect(await node.find(watchId)).toMatchObject({ firingCount: 1, evaluatedPosition: 3 });
  });

  test("changes that were logged in one round are evaluated one by one, in order", async () => {
    const { world, node, step, lines } = await prepared();
    await node.create(world, { call: callOf("a,b") });
    for (const id of ["r2", "r3", "r4"]) {
      step();
      world.publish(id === "r3" ? "b" : "a", ["r1", id]);
    }
    await node.evaluate();
    expect(await lines()).toEqual(["FIRED Rows r2", "FIRED Rows r3", "FIRED Rows r4"]);
  });

  test("a watch that is created after a change was logged does not fire for that change", async () => {
    const { world, node, lines } = await prepared();
    world.publish("a", ["r1", "r2"]);
    await node.create(world);
    await node.evaluate();
    expect(await lines()).toEqual([]);
  });

  test("watches with equal calls share the computed answers", async () => {
    const { world, node, step, lines } = await prepared();
    for (let count = 0; count < 30; count += 1) await node.create(world, {}, `acc_${count % 3}`);
    await node.evaluate();
    step();
    world.publish("a", ["r1", "r2"]);
    const before = world.computed.count;
    await node.evaluate();
    expect(world.computed.count - before).toBeLessThanOrEqual(2);
    expect(await lines("acc_0")).toHaveLength(10);
  });

  test("the answer of a generation is computed once for a condition, although it is compared with the answers before and after it", async () => {
    const { clock, world, node, step, lines } = await prepared();
    for (let count = 0; count < 3; count += 1) await node.create(world, { condition: "rows" });
    clock.advance(SETTLED_AFTER_MS);
    await node.evaluate();
    const before = world.computed.count;
    for (const id of ["r2", "r3", "r4"]) {
      step();
      world.publish("a", ["r1", "r0", id]);
      await node.evaluate();
    }
    expect(world.computed.count - before).toBe(3);
    expect(await lines()).toHaveLength(9);
  });

  test("each call that many accounts watch is computed once per generation, regardless of the order in which the watches were created", async () => {
    const { world, node, step, lines } = await prepared();
    const calls = Array.from({ length: 20 }, (_, index) => callOf("a").replace("?", `?n=${index}&`));
    for (let count = 0; count < 60; count += 1) {
      await node.create(world, { call: calls[count % calls.length] ?? "" }, `acc_${count % 3}`);
    }
    await node.evaluate();
    step();
    world.publish("a", ["r1", "r2"]);
    const before = world.computed.count;
    await node.evaluate();
    expect(world.computed.count - before).toBe(2 * calls.length);
    expect(await lines("acc_0")).toHaveLength(20);
  });

  test("two nodes that evaluate at the same time produce each firing once", async () => {
    const { store, clock, world, node, step, lines } = await prepared();
    const other = await evaluatingNode(await store.openAgain(), world, { clock, seed: 1 });
    for (let count = 0; count < 10; count += 1) await node.create(world);
    for (let round = 0; round < 5; round += 1) {
      step();
      world.publish("a", ["r1", `n${round}`]);
      await Promise.all([node.evaluate(), other.evaluate()]);
      // The lease of the first node lapses, so that the other one takes over.
      clock.advance(LEASE_MS);
      await Promise.all([other.evaluate(), node.evaluate()]);
    }
    const firings = await lines();
    expect(firings.toSorted()).toEqual(Array.from({ length: 50 }, (_, at) => `FIRED Rows n${Math.floor(at / 10)}`));
    expect((await node.fired()).map(({ position }) => position)).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
  });

  test("a node with slow evaluations keeps its lease, because it stores outcomes as they arrive", async () => {
    const { store, clock, world, step, lines } = await prepared();
    const monotonic = () => clock.now();
    const own = await evaluatingNode(await store.openAgain(), world, { clock, monotonic, seed: 1 });
    const other = await evaluatingNode(await store.openAgain(), world, { clock, monotonic, seed: 2 });
    const evaluationsMax = (2 * LEASE_MS) / SECOND_MS;
    for (let count = 0; count < evaluationsMax; count += 1) {
      await own.create(world, { on: "WATCH_ON_BECOMES_TRUE", condition: `has n${count}` }, `acc_${count}`);
    }
    clock.advance(SETTLED_AFTER_MS);
    await own.evaluate();
    step();
    world.publish("a", ["n1"]);
    const { evaluate } = world.answers;
    let evaluations = 0;
    let isTrying = false;
    Object.assign(world.answers, {
      async evaluate(...call: Parameters<typeof evaluate>) {
        evaluations += 1;
        clock.advance(SECOND_MS);
        if (!isTrying) {
          isTrying = true;
          await other.evaluate();
          isTrying = false;
        }
        return evaluate(...call);
      },
    });
    await own.evaluate();
    expect(await lines("acc_1")).toEqual(["FIRED Rows"]);
    // One evaluation per watch, and one more for the value before the firing.
    expect(evaluations).toBe(evaluationsMax + 1);
  });

  test("a watch that is paused or deleted during its evaluation stores no result of that evaluation", async () => {
    const { clock, store, world, node, step, lines, setState, db } = await prepared();
    const paused = await node.create(world, { name: "Paused" });
    const deleted = await node.create(world, { name: "Deleted" });
    await node.evaluate();
    step();
    world.publish("a", ["r1", "r2"]);
    let isFirst = true;
    const meddling = {
      ...world,
      answers: {
        ...world.answers,
        answer: async (...call: Parameters<typeof world.answers.answer>) => {
          if (isFirst) {
            isFirst = false;
            await setState(paused.watchId, "PAUSED");
            await node.inCall(({ watches }) => watches.remove(deleted.watchId));
          }
          return world.answers.answer(...call);
        },
      },
    };
    clock.advance(LEASE_MS);
    await (await evaluatingNode(await store.openAgain(), meddling, { clock, seed: 1 })).evaluate();
    expect(isFirst).toBe(false);
    expect(await lines()).toEqual([]);
    expect(await db.selectFrom("watch_read").selectAll().execute()).toHaveLength(1);
    await setState(paused.watchId, "ACTIVE");
    clock.advance(LEASE_MS);
    await node.evaluate();
    expect(await lines()).toEqual(["FIRED Paused r2"]);
  });

  test("a resumed watch evaluates the changes since its pause", async () => {
    const { world, node, step, lines, setState } = await prepared();
    const { watchId } = await node.create(world);
    await node.evaluate();
    await setState(watchId, "PAUSED");
    for (const id of ["r2", "r3"]) {
      step();
      world.publish("a", ["r1", id]);
    }
    await node.evaluate();
    expect(await lines()).toEqual([]);
    await setState(watchId, "ACTIVE");
    await node.evaluate();
    expect(await lines()).toEqual(["FIRED Rows r2", "FIRED Rows r3"]);
    expect(await node.find(watchId)).toMatchObject({ isBehind: false });
  });

  test("after more than 100 changes, a watch jumps to the latest change and reports how many changes it skipped", async () => {
    const { clock, world, node, step, lines, setState } = await prepared();
    const { watchId } = await node.create(world);
    clock.advance(SETTLED_AFTER_MS);
    await node.evaluate();
    await setState(watchId, "PAUSED");
    for (let count = 0; count < 120; count += 1) {
      step();
      world.publish("a", ["r1", `n${count}`]);
    }
    await setState(watchId, "ACTIVE");
    clock.advance(SETTLED_AFTER_MS);
    await node.evaluate();
    expect(await lines()).toEqual(["FIRED Rows n119"]);
    expect(await node.fired()).toMatchObject([{ skippedGenerations: 119 }]);
  });

  test("if an account has used up its time, its watches wait and catch up in later minutes, and other accounts are evaluated on time", async () => {
    const { clock, world, node, step, lines } = await prepared({
      settings: { VIGIL_WATCH_MS_PER_MINUTE: "10" },
      msPerLook: 3,
    });
    for (let count = 0; count < 8; count += 1) await node.create(world, { name: `W${count}` });
    await node.create(world, { name: "Other" }, "acc_b");
    await node.evaluate();
    clock.advance(MINUTE_MS);
    await node.evaluate();
    for (let minute = 0; minute < 4; minute += 1) {
      clock.advance(MINUTE_MS);
      await node.evaluate();
    }
    step();
    world.publish("a", ["r1", "r2"]);
    await node.evaluate();
    expect(await lines("acc_b")).toEqual(["FIRED Other r2"]);
    const early = (await lines()).length;
    expect(early).toBeGreaterThan(0);
    expect(early).toBeLessThan(8);
    for (let minute = 0; minute < 8; minute += 1) {
      clock.advance(MINUTE_MS);
      await node.evaluate();
    }
    expect((await lines()).toSorted()).toEqual(Array.from({ length: 8 }, (_, at) => `FIRED W${at} r2`));
  });

  test("after a change to a smaller plan, the newest watches beyond its limit are paused, and each pause is reported once", async () => {
    const { store, clock, world, node, step, lines, setState } = await prepared({
      settings: { VIGIL_WATCHES_MAX: "free=2" },
    });
    const accounts = store.database.db;
    await accounts.insertInto("account").values(account("business")).execute();
    const ids: string[] = [];
    for (const name of ["first", "second", "third", "fourth"]) {
      clock.advance(1);
      ids.push((await node.create(world, { name })).watchId);
    }
    await node.create(world, { name: "other" }, "acc_b");
    await node.evaluate();
    expect(await lines()).toEqual([]);
    await accounts.updateTable("account").set({ plan: "free" }).where("id", "=", ACCOUNT).execute();
    step();
    world.publish("a", ["r1", "r2"]);
    await node.evaluate();
    await node.evaluate();
    const reason =
      "Paused: the plan of the account permits 2 active watches. Change the plan, or pause or delete other watches; then resume this one.";
    expect(await lines()).toEqual([
      `FAILED third ${reason}`,
      `FAILED fourth ${reason}`,
      "FIRED first r2",
      "FIRED second r2",
    ]);
    expect(await lines("acc_b")).toEqual(["FIRED other r2"]);
    const [first = "", second = "", third = "", fourth = ""] = ids;
    for (const id of [first, second]) expect(await node.find(id)).toMatchObject({ state: "WATCH_STATE_ACTIVE" });
    for (const id of [third, fourth]) {
      expect(await node.find(id)).toMatchObject({ state: "WATCH_STATE_PAUSED", stateReason: reason, firingCount: 1 });
    }
    const resumeOnFree = (id: string) =>
      node.inCall(({ watches }) => watches.setState(id, "WATCH_STATE_ACTIVE"), ACCOUNT, "free");
    await expect(resumeOnFree(fourth)).rejects.toThrow(expect.objectContaining({ status: 422 }));
    await setState(first, "PAUSED");
    expect(await resumeOnFree(fourth)).toMatchObject({ state: "WATCH_STATE_ACTIVE" });
    clock.advance(SETTLED_AFTER_MS);
    await node.evaluate();
    // The fourth watch continues with the change since the pause.
    expect((await lines()).slice(4)).toEqual(["FIRED fourth r2"]);
  });

  test("a plan that permits no watches pauses all watches of an account, regardless of their number", async () => {
    const { store, world, node, lines } = await prepared({ settings: { VIGIL_WATCHES_MAX: "free=0" } });
    await store.database.db.insertInto("account").values(account("free")).execute();
    const count = 210;
    for (let created = 0; created < count; created += 1) await node.create(world);
    await node.evaluate();
    expect(await lines()).toHaveLength(count);
    const watches = await node.inCall((ports) => ports.watches.list("", count));
    expect(watches.filter(({ state }) => state === "WATCH_STATE_PAUSED")).toHaveLength(count);
  });

  test("the watches of an account whose plan has lapsed wait until the plan is active again", async () => {
    const { store, world, node, step, lines } = await prepared();
    await store.database.db.insertInto("account").values(account("business", "lapsed")).execute();
    await node.create(world);
    step();
    world.publish("a", ["r1", "r2"]);
    await node.evaluate();
    expect(await lines()).toEqual([]);
    await store.database.db.updateTable("account").set({ plan_state: "active" }).where("id", "=", ACCOUNT).execute();
    await node.evaluate();
    expect(await lines()).toEqual(["FIRED Rows r2"]);
  });

  test("a watch whose position is no longer in the log continues at the newest position and reports the gap", async () => {
    const { world, node, step, setState } = await prepared();
    const { watchId } = await node.create(world);
    await node.evaluate();
    await setState(watchId, "PAUSED");
    for (let count = 0; count < 5; count += 1) {
      step();
      world.publish("a", ["r1", `n${count}`]);
    }
    world.thin(6);
    await setState(watchId, "ACTIVE");
    await node.evaluate();
    expect(await node.fired()).toMatchObject([{ kind: "WATCH_FIRING_KIND_NOTICE", watchId }]);
    step();
    world.publish("a", ["r1", "r9"]);
    await node.evaluate();
    expect((await node.fired()).map(lineOf).at(-1)).toBe("FIRED Rows r9");
  });

  test("if entries left the log while no evaluator was running, a watch reports the gap", async () => {
    const { world, node, step } = await prepared();
    await node.create(world);
    await node.evaluate();
    for (let count = 0; count < 5; count += 1) {
      step();
      world.publish("a", ["r1", `n${count}`]);
    }
    world.thin(7);
    await node.evaluate();
    expect(await node.fired()).toMatchObject([{ kind: "WATCH_FIRING_KIND_NOTICE" }]);
  });

  test("a watch is evaluated five seconds after the end of its quiet period, and the firing has the time of that end", async () => {
    const { clock, world, node, step, lines } = await prepared();
    const { watchId } = await node.create(world, { quietSeconds: 60 });
    await node.evaluate();
    for (const id of ["r2", "r3", "r4"]) {
      step();
      world.publish("a", ["r1", id]);
      await node.evaluate();
    }
    expect(await lines()).toEqual(["FIRED Rows r2"]);
    expect(await node.find(watchId)).toMatchObject({ quietUntil: new Date(NOW + 61 * SECOND_MS).toISOString() });
    clock.set(NOW + 65 * SECOND_MS);
    await node.evaluate();
    expect(await lines()).toHaveLength(1);
    clock.set(NOW + 66 * SECOND_MS);
    await node.evaluate();
    expect(await lines()).toEqual(["FIRED Rows r2", "FIRED Rows r4"]);
    expect((await node.fired()).at(-1)).toMatchObject({ firedAt: new Date(NOW + 61 * SECOND_MS).toISOString() });
  });

  test("if this version no longer answers the call of a watch, the watch is disabled and reports the reason", async () => {
    const { world, node, step } = await prepared();
    const { watchId } = await node.create(world);
    await node.evaluate();
    world.retire("a");
    step();
    world.publish("a", ["r1"]);
    await node.evaluate();
    expect(await node.find(watchId)).toMatchObject({ state: "WATCH_STATE_DISABLED", stateReason: expect.any(String) });
    expect(await node.fired()).toMatchObject([{ kind: "WATCH_FIRING_KIND_FAILED", watchId }]);
  });

  test("a fault in the evaluation of one watch does not affect the others, and the evaluation is retried a minute later", async () => {
    const { clock, world, node, step, lines } = await prepared();
    const broken = await node.create(world, { name: "Broken", condition: "fault" });
    await node.create(world);
    await node.evaluate();
    step();
    world.publish("a", ["r1", "r2"]);
    await expect(node.evaluate()).rejects.toThrow("watches that could not be evaluated: 1");
    expect(await lines()).toEqual(["FIRED Rows r2"]);
    expect(await node.find(broken.watchId)).toMatchObject({ isBehind: true });
    await node.evaluate();
    clock.advance(MINUTE_MS);
    await expect(node.evaluate()).rejects.toThrow("watches that could not be evaluated: 1");
  });

  test("an aborted round ends without a fault, and the next round evaluates the remaining changes", async () => {
    const { world, node, step, lines } = await prepared();
    await node.create(world);
    await node.evaluate();
    step();
    world.publish("a", ["r1", "r2"]);
    await node.evaluate(AbortSignal.abort());
    expect(await lines()).toEqual([]);
    await node.evaluate();
    expect(await lines()).toEqual(["FIRED Rows r2"]);
  });
});
