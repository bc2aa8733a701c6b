import { expect, test } from "vitest";
import { buildOf, describeEachStore, finishedRun } from "../../../test/support/stores.js";
import { dataset, part } from "../../contract/dataset.js";
import { bodyStore } from "../../database/bodies.js";
import { HOUR_MS } from "../../kit/clock.js";
import { manualClock } from "../../kit/manual-clock.js";
import type { PartRecords } from "../bodies/body.js";
import { snapshotStore } from "../store.js";

const START = Date.UTC(2026, 10, 18, 12);
const index = (month: number, value: number) => ({ month, value });

const series = dataset({
  name: "series",
  title: "",
  description: "",
  cadenceMs: HOUR_MS,
  staleAfterMs: HOUR_MS,
  gaps: [],
  keepsFormerRows: true,
  parts: { points: { ...part<{ month: number }, object>({ sources: [], plan: () => ({}), identity: ["month"] }) } },
  gateRule: "",
  gate: () => undefined,
  view: () => undefined,
  newestAt: () => null,
});

await describeEachStore((open) => {
  async function opened() {
    const { database, dataDir } = await open();
    const { db } = database;
    const bodies = bodyStore(database, dataDir, manualClock(START));
    const read: string[] = [];
    const get = async (hash: string) => {
      read.push(hash);
      return bodies.get(hash);
    };
    const store = snapshotStore(database, { ...bodies, get });
    let at = START;
    async function publish(points: readonly object[], before?: PartRecords) {
      at += HOUR_MS;
      const newest = await store.newest("series");
      const previous = before && newest && { contentHash: newest.contentHash, records: before };
      const build = { ...buildOf({ points }), comparison: { dataset: series, before: previous } };
      return store.publish("series", build, finishedRun("series", at), at);
    }
    const changes = async () => {
      const rows = await db.selectFrom("snapshot").select("changes").orderBy("generation").execute();
      return rows.map((row) => (row.changes === null ? null : JSON.parse(row.changes)));
    };
    const revisions = async () => {
      const rows = await db.selectFrom("row_revision").selectAll().orderBy("generation").execute();
      return rows.map(({ generation, rows: text }) => [generation, text === "" ? "begin" : JSON.parse(text)]);
    };
    return { db, bodies, read, publish, changes, revisions };
  }

  test("a generation records how many rows it added, changed and removed; an unchanged build records nothing", async () => {
    const { publish, changes } = await opened();
    await publish([index(1, 10), index(2, 10)]);
    await publish([index(1, 10), index(2, 10)]);
    await publish([index(2, 11), index(3, 10), index(4, 10)]);
    expect(await changes()).toEqual([null, { points: { added: 2, changed: 1, removed: 1 } }]);
  });

  test("the previous generation is read from the store only if its records are not in memory", async () => {
    const { publish, changes, read } = await opened();
    const first = [index(1, 10)];
    await publish(first);
    await publish([index(1, 11)], { points: first });
    expect(read).toEqual([]);
    await publish([index(1, 12)]);
    expect(read).toHaveLength(1);
    expect((await changes()).slice(1)).toEqual(Array(2).fill({ points: { added: 0, changed: 1, removed: 0 } }));
  });

  test("differences from a generation that cannot be read are unknown", async () => {
    const { publish, changes, revisions, bodies } = await opened();
    const { contentHash } = await publish([index(1, 10)]);
    await bodies.remove(contentHash);
    await publish([index(1, 11)]);
    expect(await changes()).toEqual([null, null]);
    expect(await revisions()).toEqual([
      [1, "begin"],
      [2, "begin"],
    ]);
  });

  test("for a dataset that keeps its former rows, each new generation records the rows that it replaces, by their key", async () => {
    const { publish, revisions } = await opened();
    await publish([index(1, 10), index(2, 10)]);
    await publish([index(1, 10), index(2, 11), index(3, 12)]);
    await publish([index(2, 11), index(3, 12)]);
    expect(await revisions()).toEqual([
      [1, "begin"],
      [2, { points: { added: ["3"], former: { 2: index(2, 10) } } }],
      [3, { points: { added: [], former: { 1: index(1, 10) } } }],
    ]);
  });

  test("in a store from an earlier version, the record of former rows starts with the generation that was the newest before the upgrade", async () => {
    const { publish, revisions, db } = await opened();
    await publish([index(1, 10)]);
    await db.deleteFrom("row_revision").execute();
    await publish([index(1, 11)]);
    expect(await revisions()).toMatchObject([
      [1, "begin"],
      [2, { points: {} }],
    ]);
  });

  test("if a generation replaces thousands of rows, the record of former rows starts over", async () => {
    const { publish, revisions, changes } = await opened();
    const months = (value: number) => Array.from({ length: 2_001 }, (_, month) => index(month, value));
    await publish(months(1));
    await publish(months(2));
    expect(await revisions()).toEqual([
      [1, "begin"],
      [2, "begin"],
    ]);
    expect((await changes())[1]).toEqual({ points: { added: 0, changed: 2_001, removed: 0 } });
  });
});
