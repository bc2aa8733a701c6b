import { expect, test } from "vitest";
import { describeEachStore } from "../../../../test/support/stores.js";
import type { LogReader } from "../../../contract/change-log.js";
import { manualClock } from "../../../kit/manual-clock.js";
import { changesAfter, POSITIONS_SEARCHED_MAX } from "./change-log.js";
import { datasetStoreLog } from "./log-reader.js";
import { logWriter } from "./log-writer.js";
import { datasetsIn } from "./tables.js";
import { logParts, standingOf } from "./testing/log-node.js";

const NOW = Date.UTC(2026, 10, 23);

await describeEachStore((open) => {
  async function opened() {
    const { database } = await open();
    const parts = await logParts(database, manualClock(NOW));
    const reader: LogReader = datasetStoreLog(parts).open(database.db);
    return { db: datasetsIn(database.db), reader, write: logWriter(parts) };
  }

  test("a log without changes has no newest position and no entries", async () => {
    const { reader } = await opened();
    expect(await reader.newest(["acc_a"])).toEqual(new Map());
    expect(await reader.read("acc_a", 0, 10)).toEqual({
      log: { oldest: 1, newest: 0, snapshotGeneration: 0 },
      entries: [],
    });
  });

  test("every account has the same newest position and reads the same entries in order", async () => {
    const { reader, write } = await opened();
    await write([standingOf("a", 1), standingOf("b", 0, "absent")]);
    await write([standingOf("a", 1), standingOf("b", 2, "partial")]);
    expect(await reader.newest(["acc_a", "acc_b"])).toEqual(
      new Map([
        ["acc_a", 3],
        ["acc_b", 3],
      ]),
    );
    const { log, entries } = await reader.read("acc_b", 1, 10);
    expect(log).toEqual({ oldest: 1, newest: 3, snapshotGeneration: 0 });
    expect(entries.map(({ text, ...entry }) => ({ ...entry, change: JSON.parse(text) }))).toEqual([
      {
        position: 2,
        subject: "b",
        facets: { dataset: "b", state: "absent" },
        change: { position: 2, dataset: "b", state: "absent", changedAt: "2026-11-23T00:00:00.000Z" },
      },
      {
        position: 3,
        subject: "b",
        facets: { dataset: "b", state: "partial" },
        change: {
          position: 3,
          dataset: "b",
          state: "partial",
          generation: 2,
          contentHash: "hash of b 2",
          newestAt: "2026-11-02T00:00:00.000Z",
          changedAt: "2026-11-23T00:00:00.000Z",
          previousState: "absent",
        },
      },
    ]);
    expect((await reader.read("acc_a", 0, 2)).entries.map(({ position }) => position)).toEqual([1, 2]);
  });

  test("only changes that match the filters by dataset and state are returned", async () => {
    const { db, write } = await opened();
    await write([standingOf("a", 1), standingOf("b", 1)]);
    await write([standingOf("a", 1, "stale"), standingOf("b", 1, "partial")]);
    const positions = async (dataset: readonly string[], state: readonly string[], changesMax = 10) =>
      (await changesAfter(db, 0, { dataset, state }, changesMax)).changes.map(({ position }) => position);
    expect(await positions(["a"], [])).toEqual([1, 3]);
    expect(await positions(["a", "b"], ["ok", "partial"])).toEqual([1, 2, 4]);
    expect(await positions([], ["ok"], 1)).toEqual([1]);
    expect(await positions(["c"], ["ok"])).toEqual([]);
  });

  test("a poll without a position reads only the extent of the log", async () => {
    const { db, write } = await opened();
    await write([standingOf("a", 1)]);
    expect(await changesAfter(db, undefined, { dataset: [], state: [] }, 10)).toEqual({
      log: { oldest: 1, newest: 1, snapshotGeneration: 0 },
      changes: [],
      upTo: 1,
    });
  });

  test("if a page is full, `upTo` is the position of its last change; otherwise `upTo` is the last position searched", async () => {
    const { db, write } = await opened();
    await write([standingOf("a", 1), standingOf("b", 1)]);
    await write([standingOf("a", 2), standingOf("b", 1)]);
    const upTo = async (dataset: readonly string[], changesMax: number, position = 0) =>
      (await changesAfter(db, position, { dataset, state: [] }, changesMax)).upTo;
    expect([await upTo([], 1), await upTo([], 2), await upTo(["b"], 1), await upTo(["b"], 5)]).toEqual([1, 2, 2, 3]);
    await db
      .updateTable("dataset_log")
      .set({ position: 3 * POSITIONS_SEARCHED_MAX })
      .execute();
    expect(await upTo(["b"], 5, 2)).toBe(2 + POSITIONS_SEARCHED_MAX);
    expect(await upTo([], 5, 2)).toBe(3 * POSITIONS_SEARCHED_MAX);
  });
});
