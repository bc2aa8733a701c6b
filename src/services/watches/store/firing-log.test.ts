import { expect, test } from "vitest";
import { describeEachStore } from "../../../../test/support/stores.js";
import { DAY_MS } from "../../../kit/clock.js";
import { POSITIONS_SEARCHED_MAX } from "./firing-log.js";
import { firingStoreLog } from "./firing-reader.js";
import { insertFirings } from "./insert-firings.js";
import { watchesIn } from "./tables.js";
import { scriptedWorld } from "./testing/scripted-world.js";
import { ACCOUNT, watchNode } from "./testing/watch-node.js";
import { ROWS_MAX, thinFirings, watchFigures } from "./upkeep.js";

const none = { watchId: [], kind: [] } as const;

await describeEachStore((open) => {
  async function prepared() {
    const { database } = await open();
    const node = await watchNode(database);
    const world = scriptedWorld(node.clock);
    const [first, second] = [await node.create(world), await node.create(world)];
    await node.create(world, {}, "acc_b");
    const watchIds = [first.watchId, second.watchId];
    const tell = (watchId: string, kind = "fired", count = 1, accountId = ACCOUNT) =>
      database.db.transaction().execute((on) => {
        const body = JSON.stringify({
          watchId,
          kind: `WATCH_FIRING_KIND_${kind.toUpperCase()}`,
          on: "WATCH_ON_CHANGED",
        });
        const firings = Array.from({ length: count }, () => ({ accountId, watchId, kind, body }));
        return insertFirings(watchesIn(on), firings, { now: node.clock.now(), randomBytes: node.parts.randomBytes });
      });
    const positions = async (position: number | "oldest", filters = {}, firingsMax = 10) => {
      const read = await node.inCall(({ firings }) => firings.after(position, { ...none, ...filters }, firingsMax));
      return [read.firings.map((firing) => firing.position), read.upTo];
    };
    return {
      node,
      watchIds,
      tell,
      positions,
      db: watchesIn(database.db),
      reader: firingStoreLog(node.parts).open(database.db),
    };
  }

  test("an account that never had a watch has an empty log", async () => {
    const { node, reader } = await prepared();
    const read = await node.inCall(({ firings }) => firings.after("oldest", none, 10), "acc_c");
    expect(read).toEqual({ log: { oldest: 1, newest: 0, snapshotGeneration: 0 }, from: 0, firings: [], upTo: 0 });
    expect(await reader.newest(["acc_c"])).toEqual(new Map());
  });

  test("the positions of an account's firings have no gaps, and polls and streams use the same positions", async () => {
    const {
      watchIds: [first = "", second = ""],
      tell,
      positions,
      reader,
    } = await prepared();
    await tell(first);
    await tell("wch_other", "fired", 2, "acc_b");
    await tell(second, "resolved");
    expect(await positions("oldest")).toEqual([[1, 2], 2]);
    expect(await reader.newest([ACCOUNT, "acc_b"])).toEqual(
      new Map([
        [ACCOUNT, 2],
        ["acc_b", 2],
      ]),
    );
    const { entries } = await reader.read(ACCOUNT, 1, 10);
    expect(entries).toEqual([
      {
        position: 2,
        subject: second,
        facets: { watchId: second, kind: "resolved", on: "WATCH_ON_CHANGED" },
        text: expect.stringContaining('{"position":2,"firingId":"wfr_'),
      },
    ]);
  });

  test("filters select firings by watch and kind, and a full page ends at its last firing", async () => {
    const {
      watchIds: [first = "", second = ""],
      tell,
      positions,
      db,
    } = await prepared();
    await tell(first);
    await tell(second, "failed");
    await tell(first, "failed");
    expect(await positions(0, { watchId: [first] })).toEqual([[1, 3], 3]);
    expect(await positions(0, { kind: ["failed"] }, 1)).toEqual([[2], 2]);
    expect(await positions(2, { watchId: [second], kind: ["fired"] })).toEqual([[], 3]);
    await db
      .updateTable("watch_account")
      .set({ position: 3 * POSITIONS_SEARCHED_MAX })
      .execute();
    expect(await positions(3, { kind: ["notice"] })).toEqual([[], 3 + POSITIONS_SEARCHED_MAX]);
  });

  test("firings leave the log after 90 days, even if one transaction cannot remove them all, and the position never decreases", async () => {
    const {
      node,
      watchIds: [first = ""],
      tell,
      positions,
      reader,
    } = await prepared();
    await tell(first, "fired", ROWS_MAX + 1);
    node.clock.advance(DAY_MS);
    await tell(first);
    node.clock.advance(89 * DAY_MS);
    await thinFirings(node.parts);
    expect((await reader.read(ACCOUNT, 0, 1)).log).toEqual({ oldest: 1, newest: ROWS_MAX + 2, snapshotGeneration: 0 });
    node.clock.advance(1);
    await thinFirings(node.parts);
    expect(await positions("oldest")).toEqual([[ROWS_MAX + 2], ROWS_MAX + 2]);
    expect((await reader.read(ACCOUNT, 0, 1)).log.oldest).toBe(ROWS_MAX + 2);
    node.clock.advance(2 * DAY_MS);
    await thinFirings(node.parts);
    expect(await positions("oldest")).toEqual([[], ROWS_MAX + 2]);
    await tell(first);
    expect(await positions("oldest")).toEqual([[ROWS_MAX + 3], ROWS_MAX + 3]);
  });

  test("`watchFigures` returns the number of watches by state and the number of firings", async () => {
    const {
      node,
      watchIds: [first = "", second = ""],
      tell,
      db,
    } = await prepared();
    await tell(first, "fired", 3);
    await node.inCall(({ watches }) => watches.setState(first, "WATCH_STATE_PAUSED"));
    await db.updateTable("watch").set({ failure_count: 2 }).where("watch_id", "=", second).execute();
    await db.updateTable("watch_progress").set({ position: 4 }).execute();
    expect(await watchFigures(node.parts)).toEqual({
      watches: 3,
      watchesPaused: 1,
      watchesDisabled: 0,
      watchesFailing: 1,
      watchesBehind: 2,
      firingsInLog: 3,
      evaluatedPosition: 4,
    });
  });
});
