import { beforeEach, expect, test } from "vitest";
import { bodyStore } from "../src/database/bodies.js";
import { openDatabase } from "../src/database/open.js";
import { claimStore } from "../src/database/store-mark.js";
import { manualClock } from "../src/kit/manual-clock.js";
import { snapshotStore } from "../src/snapshots/store.js";
import { commandHostForAll, processRoomForEach } from "./support/process.js";
import { buildOf, finishedRun } from "./support/stores.js";

const NOW = Date.UTC(2026, 10, 23);

const room = processRoomForEach("verify");
const command = commandHostForAll();
const verify = (...args: readonly string[]) => command(["verify", ...args], { VIGIL_DATA_DIR: room.folder });

beforeEach(async () => {
  const database = await openDatabase({ dataDir: room.folder });
  await claimStore(database, "real");
  const store = snapshotStore(database, bodyStore(database, room.folder, manualClock(NOW)));
  await store.publish("a", buildOf({ rows: [{ value: 1 }] }), finishedRun("a", NOW), NOW);
  await database.close();
});

test("vigil verify exits with 0 for an intact store", async () => {
  const { code, printed } = await verify();
  expect([code, printed.trim().split("\n")]).toEqual([
    0,
    [
      "not checked: a, 1 time, this version has no such dataset",
      "1 leaf, 1 generation, 1 body and 0 derived values checked, faults: 0",
    ],
  ]);
});

test("vigil verify recomputes derived values and the newest time, and reports a wrong newest time", async () => {
  const database = await openDatabase({ dataDir: room.folder });
  const store = snapshotStore(database, bodyStore(database, room.folder, manualClock(NOW)));
  const headline = [
    { month: Date.UTC(2026, 8), index: 320 },
    { month: Date.UTC(2026, 9), index: 324 },
  ];
  const records = { headline, core: [], food: [], energy: [], shelter: [], services: [] };
  const build = buildOf(records, Date.UTC(2026, 7));
  await store.publish("us-cpi", build, finishedRun("us-cpi", NOW), NOW);
  await database.close();
  const { code, printed, output } = await verify("--json");
  const { faults, checks } = JSON.parse(printed);
  expect(code).toBe(1);
  expect(faults).toEqual([{ subject: "us-cpi 1", problem: "newestAt is 1785542400000, recomputed 1790812800000" }]);
  expect(checks).toContainEqual({
    subject: "economic/get-us-cpi-monthly",
    what: "changes of consumer prices against the month and the year before",
    checked: 2,
    values: 14,
    faults: 0,
  });
  expect(output).not.toContain("%");
});

test("vigil verify exits with 1 and names the fault of a damaged store", async () => {
  const database = await openDatabase({ dataDir: room.folder });
  await database.db
    .updateTable("snapshot")
    .set({ built_at: NOW - 1 })
    .execute();
  await database.close();
  const { code, printed } = await verify("--json");
  expect(code).toBe(1);
  const { notRecomputed, ...verification } = JSON.parse(printed);
  expect(notRecomputed["market/get-insider-transactions"]).toMatch(/not stored$/);
  expect(verification).toEqual({
    leaves: 1,
    generations: 1,
    bodies: 1,
    faultCount: 1,
    faults: [{ subject: "a 1", problem: "differs from leaf 0" }],
    derivedValues: 0,
    checks: [],
    skipped: [{ subject: "a", reason: "this version has no such dataset", count: 1 }],
  });
});
