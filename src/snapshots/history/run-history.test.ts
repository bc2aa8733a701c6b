import { expect, test } from "vitest";
import { buildOf, describeEachStore, finishedRun } from "../../../test/support/stores.js";
import { bodyStore } from "../../database/bodies.js";
import { HOUR_MS } from "../../kit/clock.js";
import { manualClock } from "../../kit/manual-clock.js";
import { snapshotStore } from "../store.js";

const START = Date.UTC(2026, 10, 18, 12);

await describeEachStore((open) => {
  async function opened() {
    const { database, dataDir } = await open();
    const store = snapshotStore(database, bodyStore(database, dataDir, manualClock(START)));
    const publish = (value: number, at: number) =>
      store.publish("a", buildOf({ numbers: [value] }), finishedRun("a", at), at);
    return { db: database.db, store, publish };
  }

  test("the latest run at or before an instant is found, with its generation and status", async () => {
    const { store, publish } = await opened();
    expect(await store.runAt("a", START)).toEqual({ run: undefined, isThinned: false, keptFrom: undefined });
    await publish(1, START);
    await publish(1, START + HOUR_MS);
    const failed = finishedRun("a", START + 2 * HOUR_MS, { outcome: "failed", error: "numbers: no answer" });
    await store.recordRun(failed);
    await publish(2, START + 3 * HOUR_MS);
    const at = async (time: number) => (await store.runAt("a", time)).run;
    expect(await at(START - 1)).toBeUndefined();
    expect(await at(START)).toMatchObject({ run: 1, at: START, generation: 1, status: { outcome: "published" } });
    expect(await at(START + 2 * HOUR_MS - 1)).toMatchObject({
      run: 2,
      generation: 1,
      status: { outcome: "unchanged" },
    });
    expect(await at(START + 2 * HOUR_MS)).toMatchObject({
      run: 3,
      generation: 1,
      status: { dataset: "a", outcome: "failed", error: "numbers: no answer" },
    });
    expect(await at(START + 9 * HOUR_MS)).toMatchObject({ run: 4, generation: 2 });
    expect((await store.runAt("b", START + 9 * HOUR_MS)).run).toBeUndefined();
  });

  test("the states of parts are kept without validators and memories, which may be long or secret", async () => {
    const { store, db } = await opened();
    const part = { state: "kept", confirmedAt: START, error: "no answer", lacking: "one row" } as const;
    const parts = { numbers: { ...part, validators: { k: { version: "1", url: "u" } }, memory: { seen: [1] } } };
    await store.recordRun(finishedRun("a", START, { parts }));
    expect((await store.runAt("a", START)).run?.status?.parts).toEqual({ numbers: part });
    expect(JSON.stringify(await db.selectFrom("dataset_run").selectAll().execute())).not.toMatch(/validators|seen/);
  });

  test("no run is found before the oldest kept run, and a result is marked as thinned if a run just before or after it was removed", async () => {
    const { store, db, publish } = await opened();
    for (const hours of [0, 1, 2, 3]) await publish(hours, START + hours * HOUR_MS);
    await db.deleteFrom("dataset_run").where("run", "in", [1, 3]).execute();
    const keptFrom = START + HOUR_MS;
    expect(await store.runAt("a", START)).toEqual({ run: undefined, isThinned: true, keptFrom });
    expect(await store.runAt("a", START + 2 * HOUR_MS)).toMatchObject({ run: { run: 2 }, isThinned: true });
    expect(await store.runAt("a", START + 3 * HOUR_MS)).toMatchObject({ run: { run: 4 }, isThinned: false });
  });

  test("a run with a damaged status is found without its status, but with its generation", async () => {
    const { store, db, publish } = await opened();
    await publish(1, START);
    await db.updateTable("dataset_run").set({ status: '{"half' }).execute();
    expect((await store.runAt("a", START)).run).toMatchObject({ generation: 1, status: undefined });
  });

  test("concurrent runs of a dataset get different numbers", async () => {
    const { store, db } = await opened();
    await Promise.all(Array.from({ length: 8 }, (_, index) => store.recordRun(finishedRun("a", START + index))));
    const rows = await db.selectFrom("dataset_run").select("run").orderBy("run").execute();
    expect(rows.map(({ run }) => run)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});
