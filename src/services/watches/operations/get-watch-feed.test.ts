import { expect, test } from "vitest";
import { describeEachStore } from "../../../../test/support/stores.js";
import { SECOND_MS } from "../../../kit/clock.js";
import { manualClock } from "../../../kit/manual-clock.js";
import { startAtEnd } from "../rules/start.js";
import { watchesIn } from "../store/tables.js";
import { evaluatingNode } from "../store/testing/evaluating-node.js";
import { callOf, scriptedWorld } from "../store/testing/scripted-world.js";
import { ACCOUNT, definitionOf, NOW } from "../store/testing/watch-node.js";
import { watchFeedsOf } from "../store/watch-feed.js";
import { getWatchFeed } from "./get-watch-feed.js";

await describeEachStore((open) => {
  async function prepared() {
    const { database } = await open();
    const clock = manualClock(NOW);
    const world = scriptedWorld(clock);
    world.publish("a", ["r1"]);
    const node = await evaluatingNode(database, world, { clock });
    const feeds = watchFeedsOf(node.parts, watchesIn(database.db));
    const read = (path: string) =>
      getWatchFeed.run(
        { token: new URLSearchParams(path.split("?")[1]).get("token") ?? "" },
        { feeds, answers: world.answers },
      );
    const publish = async (...ids: readonly string[]): Promise<void> => {
      clock.advance(SECOND_MS);
      world.publish("a", ids);
      await node.evaluate();
    };
    const setPlan = async (plan: string, state: string): Promise<void> => {
      const row = { id: ACCOUNT, name: "A", plan, plan_state: state, created_at: NOW, updated_at: NOW };
      await database.db
        .insertInto("account")
        .values(row)
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ plan, plan_state: state }))
        .execute();
    };
    return { node, world, read, publish, setPlan };
  }

  test("a feed contains the firings of its watch, newest first, with links to the answers", async () => {
    const { node, world, read, publish } = await prepared();
    const watch = await node.create(world, { name: "First" });
    await node.create(world, { name: "Second" });
    expect(await read(watch.feedPath)).toMatchObject({ title: "First", updatedAt: NOW, entries: [] });
    await publish("r1", "r2");
    await publish("r1", "r2", "r3");
    const feed = await read(watch.feedPath);
    expect(feed).toMatchObject({
      id: `urn:vigil:watch:${watch.watchId}`,
      updatedAt: NOW + 2 * SECOND_MS,
      isSimulated: false,
      entries: [
        { title: "First: 1 row added", at: NOW + 2 * SECOND_MS, link: expect.stringContaining("as_of=") },
        { title: "First: 1 row added", at: NOW + SECOND_MS },
      ],
    });
    expect(feed?.entries[0]?.text).toMatch(/^added r3: \{.*\n?data: ok, a generation 3/s);
    expect(new Set(feed?.entries.map(({ id }) => id)).size).toBe(2);
  });

  test("rotating a feed link revokes the previous link, and deleting a watch revokes its feed link", async () => {
    const { node, world, read } = await prepared();
    const { watchId, feedPath } = await node.create(world);
    const rotated = await node.inCall(({ watches }) => watches.rotateFeed(watchId));
    expect(await read(feedPath)).toBeUndefined();
    expect(await read(rotated?.feedPath ?? "")).toMatchObject({ title: "Rows" });
    await node.inCall(({ watches }) => watches.remove(watchId));
    expect(await read(rotated?.feedPath ?? "")).toBeUndefined();
  });

  test("the link of another account's watch cannot be rotated, and an invalid token yields no feed", async () => {
    const { node, world, read } = await prepared();
    const { watchId, feedPath } = await node.create(world);
    expect(await node.inCall(({ watches }) => watches.rotateFeed(watchId), "acc_b")).toBeUndefined();
    expect(await read(feedPath)).toBeDefined();
    for (const token of ["", "x", `wfd1.${watchId}`, feedPath.slice(0, -1), `${feedPath}a`]) {
      expect(await read(`?token=${token}`)).toBeUndefined();
    }
  });

  test("a feed cannot be read while the plan of the account is not in force", async () => {
    const { node, world, read, setPlan } = await prepared();
    const { feedPath } = await node.create(world);
    await setPlan("business", "active");
    expect(await read(feedPath)).toBeDefined();
    for (const state of ["lapsed", "renewal-pending"]) {
      await setPlan("business", state);
      expect(await read(feedPath)).toBeUndefined();
    }
    await setPlan("business", "active");
    expect(await read(feedPath)).toBeDefined();
  });

  test("after a downgrade, a feed leaves out the firings of Pro operations, also once the watch has another call", async () => {
    const { node, world, read, publish, setPlan } = await prepared();
    world.makePro("a");
    await setPlan("business", "active");
    const { watchId, feedPath } = await node.create(world);
    const titles = async () => (await read(feedPath))?.entries.map(({ title }) => title);
    await publish("r1", "r2");
    expect(await titles()).toEqual(["Rows: 1 row added"]);
    await setPlan("free", "active");
    expect(await titles()).toEqual([]);
    await publish("r1", "r2", "r3");
    const paused = [expect.stringMatching(/^Rows: .*does not include this call/)];
    expect(await titles()).toEqual(paused);
    const definition = definitionOf({ call: callOf("b") });
    const memory = await startAtEnd(world.timeline, ["b"], NOW);
    await node.inCall(({ watches }) => watches.update(watchId, { definition, datasets: ["b"], memory }, false));
    expect(await titles()).toEqual(paused);
    await setPlan("pro", "active");
    expect(await titles()).toEqual([...paused, "Rows: 1 row added"]);
  });
});
