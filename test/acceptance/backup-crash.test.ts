import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { openStore } from "../../src/app/open-store.js";
import { folderPlace } from "../../src/backup/backup-folder.js";
import { readManifest } from "../../src/backup/read-manifest.js";
import { checkedBackup } from "../../src/backup/restore-backup.js";
import { bodyStore } from "../../src/database/bodies.js";
import type { DatabaseLocation } from "../../src/database/database-location.js";
import { migrateServices } from "../../src/database/migrate.js";
import { openDatabase, openUnmigrated } from "../../src/database/open.js";
import { claimStore } from "../../src/database/store-mark.js";
import { SECOND_MS, systemClock } from "../../src/kit/clock.js";
import { seededRandom } from "../../src/kit/random.js";
import { loadStores } from "../../src/services/registry.js";
import { snapshotStore } from "../../src/snapshots/store.js";
import { verifyStore } from "../../src/snapshots/verify-store.js";
import { emptyDatabase } from "../support/postgres-databases.js";
import { startVigil } from "../support/process.js";
import { availableStores, buildOf, finishedRun } from "../support/stores.js";

const KILLS = Number(process.env["VIGIL_BACKUP_KILLS"] || 12);
const TEST_MS_MAX = 20 * 60 * SECOND_MS;
const GENERATIONS = 60;

/**
 * Runs a command and kills it after `afterMs` if it is still running. Returns 0 or the signal. Throws if the command
 * fails.
 */
async function killed(args: readonly string[], env: Readonly<Record<string, string>>, afterMs: number) {
  const { child, ended, output } = startVigil(args, env);
  const timer = setTimeout(() => child.kill("SIGKILL"), afterMs);
  const how = await ended;
  clearTimeout(timer);
  if (typeof how === "number" && how !== 0) throw new Error(output());
  return how;
}

for (const { name, skipReason, open } of await availableStores()) {
  const title = skipReason === undefined ? name : `${name} (skipped: ${skipReason})`;
  test.skipIf(skipReason !== undefined)(
    `${title}: after up to ${KILLS} kills of a backup and of a restore, nothing incomplete is accepted as complete`,
    { timeout: TEST_MS_MAX },
    async () => {
      const [stores, store, room] = [await loadStores(), await open(), await mkdtemp(join(tmpdir(), "vigil-kill-"))];
      const random = seededRandom(23);
      const { database, dataDir, url } = store;
      await migrateServices(database, stores);
      await claimStore(database, "real");
      const snapshots = snapshotStore(database, bodyStore(database, dataDir, systemClock));
      const publish = async (): Promise<void> => {
        const rows = Array.from({ length: 2_000 }, (_, id) => ({ id, value: random(), text: String(random()) }));
        const at = systemClock.now();
        await snapshots.publish("rows", buildOf({ rows }), finishedRun("rows", at), at);
      };
      for (let generation = 0; generation < GENERATIONS; generation += 1) await publish();
      const folder = join(room, "backup");
      const fromEnv = { VIGIL_DATA_DIR: dataDir, ...(url !== undefined && { DATABASE_URL: url }) };
      const check = () =>
        checkedBackup({
          place: folderPlace(folder),
          stores,
          onProgress: () => undefined,
          signal: new AbortController().signal,
        });

      const startedAt = systemClock.now();
      expect(await killed(["backup", folder], fromEnv, TEST_MS_MAX)).toBe(0);
      const backupMs = systemClock.now() - startedAt;
      let acknowledgedAt = (await check()).takenAt;
      let generations = GENERATIONS;
      let backupKills = 0;
      for (let round = 0; backupKills < KILLS && round < 4 * KILLS; round += 1) {
        await publish();
        generations += 1;
        // Every fifth backup starts in an empty folder, without an earlier backup to build on.
        if (round % 5 === 0) {
          await rm(folder, { recursive: true, force: true });
          acknowledgedAt = 0;
        }
        const how = await killed(["backup", folder], fromEnv, random() * backupMs * 1.2);
        if (how !== 0) backupKills += 1;
        const manifest = await readManifest(folderPlace(folder));
        if (how === 0 || acknowledgedAt > 0) expect(manifest).toBeDefined();
        if (manifest === undefined) continue;
        expect((await check()).takenAt).toBeGreaterThanOrEqual(acknowledgedAt);
        acknowledgedAt = manifest.takenAt;
      }
      expect(backupKills).toBeGreaterThan(0);
      expect(await killed(["backup", folder], fromEnv, TEST_MS_MAX)).toBe(0);

      const target = join(room, "restored");
      let empty = url === undefined ? undefined : await emptyDatabase(inject("runFolder"));
      const restore = (afterMs: number) => {
        const toEnv = { VIGIL_DATA_DIR: target, ...(empty && { DATABASE_URL: empty.url }) };
        return killed(["restore", folder], toEnv, afterMs);
      };
      const startOver = async (): Promise<void> => {
        await expectWhole({ dataDir: target, url: empty?.url }, generations);
        await rm(target, { recursive: true });
        await empty?.release();
        empty = empty && (await emptyDatabase(inject("runFolder")));
      };
      let kills = 0;
      for (let round = 0; kills < KILLS && round < 4 * KILLS; round += 1) {
        const how = await restore(random() * backupMs * 1.2);
        if (how !== 0) kills += 1;
        // A kill may come after the final step, when the restore is already complete.
        const isComplete = how === 0 || (await (empty ? hasTables(empty.url) : isStore(target)));
        if (isComplete) await startOver();
      }
      expect(kills).toBeGreaterThan(0);
      expect(await restore(TEST_MS_MAX)).toBe(0);
      await startOver();
      await empty?.release();
      await rm(room, { recursive: true });
      await store.dispose();
    },
  );
}

/** Requires a store with this number of generations, all of which can be read. */
async function expectWhole(location: DatabaseLocation, generations: number): Promise<void> {
  const restored = await openDatabase(location);
  const bodies = bodyStore(restored, location.dataDir, systemClock);
  expect(await verifyStore(restored, snapshotStore(restored, bodies))).toMatchObject({ generations, faultCount: 0 });
  await restored.close();
}

/** True if a database has tables. A restore creates all of them in one transaction, with their content. */
async function hasTables(url: string): Promise<boolean> {
  const database = await openUnmigrated({ url, dataDir: "" });
  const tables = await database.db.introspection.getTables({ withInternalKyselyTables: true });
  await database.close();
  return tables.length > 0;
}

/**
 * True if a folder has `vigil.db`, which a restore moves there last. If it has other files but no `vigil.db`, expects
 * that opening it as a store is refused. Opens a copy, because opening the folder itself could create a store in it.
 */
async function isStore(dataDir: string): Promise<boolean> {
  const names = await readdir(dataDir).catch((): string[] => []);
  if (names.includes("vigil.db")) return true;
  if (names.length === 0) return false;
  const copy = `${dataDir}-copy`;
  await cp(dataDir, copy, { recursive: true });
  await expect(openStore({ dataDir: copy }, "real")).rejects.toThrow("is unfinished");
  await rm(copy, { recursive: true });
  return false;
}
