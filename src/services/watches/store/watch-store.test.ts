import { expect, test } from "vitest";
import { describeEachStore } from "../../../../test/support/stores.js";
import { SECOND_MS } from "../../../kit/clock.js";
import { firstMemory } from "../rules/watch-step.js";
import { watchesIn } from "./tables.js";
import { callOf, scriptedWorld } from "./testing/scripted-world.js";
import { definitionOf, NOW, watchNode } from "./testing/watch-node.js";

await describeEachStore((open) => {
  async function prepared(settings = {}) {
    const store = await open();
    const node = await watchNode(store.database, { settings });
    const world = scriptedWorld(node.clock);
    world.publish("a", ["r1"]);
    world.publish("b", ["r1"]);
    const start = async (more = {}) => {
      const definition = definitionOf(more);
      const datasets = world.answers.reopen(definition.call)?.datasets ?? [];
      return { definition, datasets, memory: firstMemory(2, NOW, await world.timeline.standingsAt(2, datasets)) };
    };
    return { store, node, world, start, db: watchesIn(store.database.db) };
  }

  test("a created watch starts at the end of the log and lists the datasets of its call", async () => {
    const { node, world } = await prepared();
    const watch = await node.create(world, { call: callOf("b,a") });
    expect(watch).toMatchObject({
      ...definitionOf({ call: callOf("b,a") }),
      datasets: ["a", "b"],
      state: "WATCH_STATE_ACTIVE",
      evaluatedPosition: 2,
      firingCount: 0,
      failuresInRow: 0,
      createdAt: new Date(NOW).toISOString(),
    });
    expect(await node.find(watch.watchId)).toEqual(watch);
  });

  test("the list returns only the watches of the account, page by page in creation order", async () => {
    const { node, world } = await prepared();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      node.clock.advance(1);
      ids.push((await node.create(world)).watchId);
    }
    await node.create(world, {}, "acc_b");
    const list = (after: string) => node.inCall(({ watches }) => watches.list(after, 2));
    expect((await list("")).map(({ watchId }) => watchId)).toEqual(ids.slice(0, 2));
    expect((await list(ids[1] ?? "")).map(({ watchId }) => watchId)).toEqual(ids.slice(2));
  });

  test("the plan limits the number of watches of an account, and deleting a watch makes room for another", async () => {
    const { node, start } = await prepared({ VIGIL_WATCHES_MAX: "starter=2" });
    const own = await start();
    const create = () => node.inCall(({ watches }) => watches.create(own), "acc_s", "starter");
    const first = await create();
    await create();
    expect(await node.inCall(async ({ watches }) => watches.watchesMax, "acc_s", "starter")).toBe(2);
    await expect(
      node.inCall(
        async ({ watches }) => {
          if ((await watches.create(own)) === "too many") throw new Error("refused");
        },
        "acc_s",
        "starter",
      ),
    ).rejects.toThrow("refused");
    if (first === "too many") throw new Error("the first watch was refused");
    expect(await node.inCall(({ watches }) => watches.remove(first.watchId), "acc_s")).toBe(true);
    expect(await create()).toMatchObject({ state: "WATCH_STATE_ACTIVE" });
  });

  test("the watch of another account looks like one that does not exist", async () => {
    const { node, world, start } = await prepared();
    const { watchId } = await node.create(world);
    const own = await start();
    await node.inCall(async ({ watches }) => {
      expect(await watches.find(watchId)).toBeUndefined();
      expect(await watches.update(watchId, own, true)).toBeUndefined();
      expect(await watches.setState(watchId, "WATCH_STATE_PAUSED")).toBeUndefined();
      expect(await watches.remove(watchId)).toBe(false);
    }, "acc_b");
  });

  test("an update that asks a different question restarts the watch with the datasets of the new call; any other update does not", async () => {
    const { node, world, start, db } = await prepared();
    const { watchId } = await node.create(world);
    await db.updateTable("watch").set({ evaluated_position: 1, behind_from: null, failure_count: 3 }).execute();
    node.clock.advance(SECOND_MS);
    const renamed = await start({ name: "Other" });
    await node.inCall(({ watches }) => watches.update(watchId, renamed, true));
    expect(await node.find(watchId)).toMatchObject({ name: "Other", evaluatedPosition: 1, failuresInRow: 3 });
    const moved = await start({ call: callOf("b") });
    await node.inCall(({ watches }) => watches.update(watchId, moved, false));
    expect(await node.find(watchId)).toMatchObject({
      call: callOf("b"),
      datasets: ["b"],
      evaluatedPosition: 2,
      failuresInRow: 0,
      updatedAt: new Date(NOW + SECOND_MS).toISOString(),
    });
  });

  test("a paused watch remembers the position to continue from", async () => {
    const { node, world, db } = await prepared();
    const { watchId } = await node.create(world);
    await db.updateTable("watch").set({ behind_from: null }).execute();
    await db.updateTable("watch_progress").set({ position: 7 }).execute();
    const set = (state: "PAUSED" | "ACTIVE") =>
      node.inCall(({ watches }) => watches.setState(watchId, `WATCH_STATE_${state}`));
    expect(await set("PAUSED")).toMatchObject({ state: "WATCH_STATE_PAUSED", isBehind: false });
    expect(await set("ACTIVE")).toMatchObject({ state: "WATCH_STATE_ACTIVE", isBehind: true });
    expect((await db.selectFrom("watch").select("behind_from").executeTakeFirstOrThrow()).behind_from).toBe(8);
  });

  test("a disabled watch stays disabled when it is paused, and becomes active when it is resumed or updated", async () => {
    const { node, world, start, db } = await prepared();
    const { watchId } = await node.create(world);
    const disable = () =>
      db.updateTable("watch").set({ state: "disabled", state_reason: "broken", behind_from: null }).execute();
    await disable();
    const paused = await node.inCall(({ watches }) => watches.setState(watchId, "WATCH_STATE_PAUSED"));
    expect(paused).toMatchObject({ state: "WATCH_STATE_DISABLED", stateReason: "broken" });
    const resumed = await node.inCall(({ watches }) => watches.setState(watchId, "WATCH_STATE_ACTIVE"));
    expect(resumed).toMatchObject({ state: "WATCH_STATE_ACTIVE", isBehind: true });
    expect(resumed).not.toHaveProperty("stateReason");
    await disable();
    const own = await start();
    const updated = await node.inCall(({ watches }) => watches.update(watchId, own, true));
    expect(updated).toMatchObject({ state: "WATCH_STATE_ACTIVE", isBehind: true });
  });
});
