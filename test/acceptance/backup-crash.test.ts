import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { openStore } from "../../src/app/open-store.js";
import { folderPlace } from "../../src/backup/backup-folder.js";
import { readManifest } from "../../src/backup/read-manifest.js";
import { checkedBackup } from "../../src/backup/restore-backup.js";
import { bodyStore } from "../../src/database/bodies.js";
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
    `${title}: after ${KILLS} kills of a backup and of a restore, nothing incomplete is accepted as complete`,
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
      for (let kill = 0; kill < KILLS; kill += 1) {
        await publish();
        // Every fifth backup starts in an empty folder, without an earlier backup to build on.
        if (kill % 5 === 0) {
          await rm(folder, { recursive: true });
          acknowledgedAt = 0;
        }
        const how = await killed(["backup", folder], fromEnv, random() * backupMs * 1.2);
        const manifest = await readManifest(folderPlace(folder));
        if (how === 0 || acknowledgedAt > 0) expect(manifest).toBeDefined();
        if (manifest === undefined) continue;
        expect((await check()).takenAt).toBeGreaterThanOrEqual(acknowledgedAt);
        acknowledgedAt = manifest.takenAt;
      }
      expect(await killed(["backup", folder], fromEnv, TEST_MS_MAX)).toBe(0);

      const target = join(room, "restored");
      let empty = url === undefined ? undefined : await emptyDatabase(inject("runFolder"));
      let kills = 0;
      for (let round = 0; kills < KILLS && round < 4 * KILLS; round += 1) {
        const toEnv = { VIGIL_DATA_DIR: target, ...(empty && { DATABASE_URL: empty.url }) };
        const how = await killed(["restore", folder], toEnv, random() * backupMs * 1.2);
        if (how === 0) {
          await rm(target, { recursive: true });
          await empty?.release();
          empty = empty && (await emptyDatabase(inject("runFolder")));
          continue;
        }
        kills += 1;
        if (empty === undefined) await expectNoStore(target);
        else await expectNoTables(empty.url);
      }
      expect(kills).toBeGreaterThan(0);
      const location = { dataDir: target, url: empty?.url };
      const toEnv = { VIGIL_DATA_DIR: target, ...(empty && { DATABASE_URL: empty.url }) };
      // The last kill may have come after the final step, when the restore was already complete.
      const isRestored = empty === undefined && existsSync(join(target, "vigil.db"));
      if (!isRestored) expect(await killed(["restore", folder], toEnv, TEST_MS_MAX)).toBe(0);
      const restored = await openDatabase(location);
      const verified = await verifyStore(restored, snapshotStore(restored, bodyStore(restored, target, systemClock)));
      expect(verified).toMatchObject({ generations: GENERATIONS + KILLS, faultCount: 0 });
      await restored.close();
      await empty?.release();
      await rm(room, { recursive: true });
      await store.dispose();
    },
  );
}

/**
 * Requires that a database has no tables. A restore creates all tables in one transaction, so a killed restore leaves
 * none.
 */
async function expectNoTables(url: string): Promise<void> {
  const half = await openUnmigrated({ url, dataDir: "" });
  expect(await half.db.introspection.getTables({ withInternalKyselyTables: true })).toEqual([]);
  await half.close();
}

/**
 * Requires that a folder is empty or is refused as a store. Accepts a folder with `vigil.db`, because a restore moves
 * that file there last. Opens a copy, because opening the folder could create a store in it.
 */
async function expectNoStore(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch((): string[] => []);
  if (names.length === 0 || names.includes("vigil.db")) return;
  const copy = `${dataDir}-copy`;
  await cp(dataDir, copy, { recursive: true });
  await expect(openStore({ dataDir: copy }, "real")).rejects.toThrow("is unfinished");
  await rm(copy, { recursive: true });
}
