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
  expect([code, printed.trim()]).toEqual([0, "1 leaves, 1 generations and 1 bodies checked, faults: 0"]);
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
  expect(JSON.parse(printed)).toEqual({
    leaves: 1,
    generations: 1,
    bodies: 1,
    faultCount: 1,
    faults: [{ subject: "a 1", problem: "differs from leaf 0" }],
  });
});
