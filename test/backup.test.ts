import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { accountsOf } from "../src/access/accounts.js";
import { openStore } from "../src/app/open-store.js";
import { folderPlace } from "../src/backup/backup-folder.js";
import { MANIFEST_FILE, type Manifest, manifestText } from "../src/backup/manifest.js";
import { checkedBackup, restoreBackup } from "../src/backup/restore-backup.js";
import { takeBackup } from "../src/backup/take-backup.js";
import { bodyStore } from "../src/database/bodies.js";
import { keyVault } from "../src/database/key-vault.js";
import { migrateServices } from "../src/database/migrate.js";
import { openDatabase } from "../src/database/open.js";
import type { OpenDatabase } from "../src/database/open-database.js";
import { proofKeys } from "../src/database/proof-keys.js";
import { signingKey } from "../src/database/signing-key.js";
import { claimStore } from "../src/database/store-mark.js";
import { openStoreSnapshot } from "../src/database/store-snapshot.js";
import { systemClock } from "../src/kit/clock.js";
import { seededRandom } from "../src/kit/random.js";
import { loadStores } from "../src/services/registry.js";
import { type SnapshotStore, snapshotStore } from "../src/snapshots/store.js";
import { verifyStore } from "../src/snapshots/verify-store.js";
import { emptyDatabase } from "./support/postgres-databases.js";
import { buildOf, describeEachStore, finishedRun, type OpenStore } from "./support/stores.js";

const stores = await loadStores();
const signal = new AbortController().signal;
const onProgress = (): void => undefined;
const VERSION = "0.1.0";

let room: string;
const releases: (() => Promise<void>)[] = [];
beforeEach(async () => {
  room = await mkdtemp(join(tmpdir(), "vigil-backup-"));
});
afterEach(async () => {
  for (const release of releases.splice(0)) await release();
  await rm(room, { recursive: true, force: true });
});

const storeOf = (database: OpenDatabase, dataDir: string): SnapshotStore =>
  snapshotStore(database, bodyStore(database, dataDir, systemClock));
const folderOf = (): string => join(room, "backup");
const pathIn = (path: string): string => join(folderOf(), path);

/** Creates the lock that this process would have left behind. */
async function leaveLock(holder: string): Promise<void> {
  await mkdir(pathIn(".lock"), { recursive: true });
  await writeFile(join(pathIn(".lock"), holder), "");
}

/** Takes a backup of a store into the folder of the test. */
const backup = ({ dataDir, url }: Pick<OpenStore, "dataDir" | "url">, changes: object = {}) =>
  takeBackup({
    location: { dataDir, url },
    kind: "real",
    place: folderPlace(folderOf()),
    version: VERSION,
    clock: systemClock,
    vault: keyVault({ secret: undefined, dataDir }),
    onProgress,
    signal,
    ...changes,
  });

/**
 * Returns a location for a new store: the path of a new folder if `url` is undefined, otherwise a new PostgreSQL
 * database.
 */
async function emptyPlace(
  url: string | undefined,
): Promise<{ readonly dataDir: string; readonly url: string | undefined }> {
  const dataDir = join(room, `restored-${releases.length}-${url === undefined ? "files" : "postgres"}`);
  if (url === undefined) return { dataDir, url };
  const database = await emptyDatabase(inject("runFolder"));
  releases.push(database.release);
  return { dataDir, url: database.url };
}

async function restore(location: { readonly dataDir: string; readonly url: string | undefined }, keySecret?: string) {
  const options = { place: folderPlace(folderOf()), stores, onProgress, signal };
  const manifest = await checkedBackup(options);
  await restoreBackup(manifest, { ...options, location, keySecret, clock: systemClock });
}

async function opened(location: { readonly dataDir: string; readonly url: string | undefined }): Promise<OpenDatabase> {
  const database = await openDatabase(location);
  // Added at the front of `releases`, so that the connection is closed before the databases are dropped.
  releases.unshift(() => database.close());
  return database;
}

/**
 * Reads the last assigned number of each table that numbers its rows, and every row of every table except leases,
 * bodies and locks.
 */
async function contentOf(location: { readonly dataDir: string; readonly url: string | undefined }) {
  const snapshot = await openStoreSnapshot(location);
  const content: Record<string, string[]> = {};
  for (const table of snapshot.tables) {
    if (["lease", "body"].includes(table.name) || table.name.endsWith("_lock")) continue;
    const rows: string[] = [];
    for await (const some of snapshot.rows(table)) rows.push(...some.map((row) => JSON.stringify(row)));
    content[table.name] = rows.sort();
  }
  const { lastNumbers } = snapshot;
  await snapshot.close();
  return { content, lastNumbers };
}

const manifestIn = async (): Promise<Manifest> => {
  const { sha256: _, ...manifest } = JSON.parse(await readFile(pathIn(MANIFEST_FILE), "utf8"));
  return manifest as Manifest;
};

await describeEachStore((open, name) => {
  /** Creates a store with an account, an audit log, keys, and a history of large and small bodies. */
  async function filled() {
    const store = await open();
    const { database, dataDir } = store;
    await migrateServices(database, stores);
    await claimStore(database, "real");
    const vault = name === "sqlite" ? keyVault({ secret: undefined, dataDir }) : undefined;
    await signingKey(database, vault);
    const random = seededRandom(7);
    const randomBytes = (count: number): Buffer => Buffer.from(Array.from({ length: count }, () => random() * 256));
    await proofKeys({ database, clock: systemClock, vault, randomBytes }).keep();
    await writeFile(join(dataDir, "owner.key"), "vgl_owner\n");
    const snapshots = storeOf(database, dataDir);
    let rows = Array.from({ length: 300 }, (_, id) => ({ id, value: random(), text: `\u2028 näme 'x' ${random()}` }));
    async function publish(dataset = "rows"): Promise<void> {
      rows = rows.map((row) => (random() < 0.03 ? { ...row, value: random() } : row));
      const at = systemClock.now();
      await snapshots.publish(dataset, buildOf({ rows }), finishedRun(dataset, at), at);
    }
    for (let generation = 0; generation < 6; generation += 1) await publish();
    await publish("others");
    await accountsOf(database, "vgl_", systemClock.now).create(
      { name: "Acme", plan: "business" },
      { actor: "test", address: "" },
    );
    return { ...store, snapshots, publish, random };
  }

  test("a restored store has every row, every body and the keys of the original", async () => {
    const store = await filled();
    const { manifest } = await backup(store);
    expect(manifest).toMatchObject({ kind: "real", dialect: name, damagedBodies: [] });
    const place = await emptyPlace(store.url);
    await restore(place);
    expect(await contentOf(place)).toEqual(await contentOf(store));
    const database = await opened(place);
    const verified = await verifyStore(database, storeOf(database, place.dataDir));
    expect(verified).toMatchObject({ generations: 7, bodies: 7, faultCount: 0 });
    for (const key of ["owner.key", "signing.key"]) {
      expect(await readFile(join(place.dataDir, key), "utf8")).toBe(await readFile(join(store.dataDir, key), "utf8"));
      expect((await stat(join(place.dataDir, key))).mode & 0o777).toBe(0o600);
    }
    const vault = name === "sqlite" ? keyVault({ secret: undefined, dataDir: store.dataDir }) : undefined;
    expect(await signingKey(database, vault)).toEqual(await signingKey(store.database, vault));
    // Generation numbers continue from the last one in the backup.
    await storeOf(database, place.dataDir).publish("rows", buildOf({ rows: [] }), finishedRun("rows", 1), 1);
    expect((await storeOf(database, place.dataDir).newest("rows"))?.generation).toBe(7);
  });

  test("a backup taken during writes holds the state of a single instant", { timeout: 120_000 }, async () => {
    const store = await filled();
    const { db } = store.database;
    await db.insertInto("budget").values({ cycle: "2026-11-01", name: "calls", used: 0 }).execute();
    await db.insertInto("dataset_asked").values({ dataset: "rows", asked_at: 0 }).execute();
    const accounts = accountsOf(store.database, "vgl_", systemClock.now);
    const stop = new AbortController();
    let rounds = 0;
    const writing = (async () => {
      for (; !stop.signal.aborted; rounds += 1) {
        await store.publish();
        await accounts.create({ name: `Account ${rounds}`, plan: "business" }, { actor: "test", address: "" });
        await db.transaction().execute(async (transaction) => {
          await transaction
            .updateTable("budget")
            .set({ used: rounds + 1 })
            .execute();
          await transaction
            .updateTable("dataset_asked")
            .set({ asked_at: rounds + 1 })
            .execute();
        });
      }
    })();
    const before = await store.snapshots.newest("rows");
    await backup(store);
    await backup(store);
    const after = await store.snapshots.newest("rows");
    stop.abort();
    await writing;
    expect(rounds).toBeGreaterThan(1);
    const place = await emptyPlace(undefined);
    await restore(place);
    const database = await opened(place);
    const restored = storeOf(database, place.dataDir);
    expect((await verifyStore(database, restored)).faults).toEqual([]);
    const newest = await restored.newest("rows");
    if (!newest || !before || !after) throw new Error("no generation");
    expect(newest.generation).toBeGreaterThanOrEqual(before.generation);
    expect(newest.generation).toBeLessThanOrEqual(after.generation);
    expect(newest).toEqual(await store.snapshots.generation("rows", newest.generation));
    expect(await restored.records(newest)).toEqual(await store.snapshots.records(newest));
    const { used } = await database.db.selectFrom("budget").selectAll().executeTakeFirstOrThrow();
    const { asked_at } = await database.db.selectFrom("dataset_asked").selectAll().executeTakeFirstOrThrow();
    expect(used).toBe(asked_at);
    const [{ count }] = (await database.db
      .selectFrom("account")
      .select((select) => select.fn.countAll().as("count"))
      .execute()) as [{ count: number }];
    const created = await database.db.selectFrom("audit_event").selectAll().where("actor", "=", "test").execute();
    // The creation of every account except the operator's is in the audit log.
    expect(created).toHaveLength(Number(count) - 1);
  });

  test("a later backup into the same folder copies only new bodies, and removes the files that are no longer needed", async () => {
    const store = await filled();
    const first = await backup(store);
    expect(first.added.count).toBe(first.manifest.bodies.length);
    expect((await backup(store)).added).toEqual({ count: 0, bytes: 0 });
    await store.publish();
    const third = await backup(store);
    expect(third.added.count).toBe(1);
    const files = [...third.manifest.tables, ...third.manifest.bodies, ...third.manifest.keys].map(
      ({ file }) => file.path,
    );
    const folders = ["tables", "bodies", "keys"];
    const present = await Promise.all(
      folders.map(async (folder) => (await readdir(pathIn(folder))).map((file) => `${folder}/${file}`)),
    );
    expect(present.flat().sort()).toEqual(files.sort());
    expect((await readdir(folderOf())).sort()).toEqual([...folders, MANIFEST_FILE].sort());
  });

  test("a changed byte in any file is reported with the name of the file", { timeout: 120_000 }, async () => {
    const store = await filled();
    const { manifest } = await backup(store);
    const paths = [...manifest.tables, ...manifest.bodies, ...manifest.keys].map(({ file }) => file.path);
    const { random } = store;
    for (const path of [...paths, ...Array.from({ length: 20 }, () => MANIFEST_FILE)]) {
      const whole = await readFile(pathIn(path));
      const altered = Buffer.from(whole);
      const at = Math.floor(random() * whole.length);
      altered[at] = (altered[at] ?? 0) ^ (1 + Math.floor(random() * 255));
      await writeFile(pathIn(path), altered);
      const checking = checkedBackup({ place: folderPlace(folderOf()), stores, onProgress, signal });
      await expect(checking, path).rejects.toThrow(pathIn(path));
      await writeFile(pathIn(path), whole);
    }
    const [path = ""] = paths;
    await rename(pathIn(path), join(room, "moved"));
    const checking = checkedBackup({ place: folderPlace(folderOf()), stores, onProgress, signal });
    await expect(checking).rejects.toThrow(`${pathIn(path)} is missing; use another copy of the backup`);
  });

  test("a target with data is refused and left unchanged", async () => {
    const store = await filled();
    await backup(store);
    const before = await contentOf(store);
    await expect(restore(store)).rejects.toThrow(/is not empty \(/);
    expect(await contentOf(store)).toEqual(before);
  });

  test("a body missing from the store is named in the manifest, and everything else is restored", async () => {
    const store = await filled();
    const newest = await store.snapshots.newest("others");
    await bodyStore(store.database, store.dataDir, systemClock).remove(newest?.contentHash ?? "");
    const { manifest } = await backup(store);
    expect(manifest.damagedBodies).toEqual([newest?.contentHash]);
    const place = await emptyPlace(undefined);
    await restore(place);
    const database = await opened(place);
    expect((await verifyStore(database, storeOf(database, place.dataDir))).faults).toEqual([
      { subject: "others 1", problem: expect.stringContaining("is gone") },
    ]);
  });

  test("a folder with other files, or with the backup of another store, is refused", async () => {
    const store = await filled();
    await backup(store);
    await expect(backup(store, { kind: "demo" })).rejects.toThrow("holds the backup of another store");
    const { database } = store;
    await database.db.updateTable("proof_key").set({ key_id: "another" }).execute();
    await expect(backup(store)).rejects.toThrow("holds the backup of another store; choose another place");
    await expect(backup(store, { place: folderPlace(store.dataDir) })).rejects.toThrow("holds other files");
  });

  // The test opens a SQLite store of its own as the source, so it runs once, where PostgreSQL is available as the
  // target.
  if (name === "postgres") {
    test("a backup of SQLite is restored into PostgreSQL with its original secret, and back into SQLite", async () => {
      const dataDir = join(room, "store");
      const sqlite = { dataDir, url: undefined };
      const database = await opened(sqlite);
      await migrateServices(database, stores);
      await claimStore(database, "real");
      const key = await signingKey(database, keyVault({ secret: undefined, dataDir }));
      const rows = [{ id: 1 }];
      await storeOf(database, dataDir).publish("rows", buildOf({ rows }), finishedRun("rows", 1), 1);
      await accountsOf(database, "vgl_", systemClock.now).create(
        { name: "Acme", plan: "business" },
        { actor: "a", address: "" },
      );
      await backup(sqlite);
      const place = await emptyPlace("postgres");
      await expect(restore(place)).rejects.toThrow("only with VIGIL_KEY_SECRET; set it to the content of");
      const secret = (await readFile(join(dataDir, "signing.key"), "utf8")).trim();
      await restore(place, secret);
      expect(await contentOf(place)).toEqual(await contentOf(sqlite));
      const postgres = await opened(place);
      expect(await signingKey(postgres, keyVault({ secret, dataDir: "" }))).toEqual(key);
      expect((await verifyStore(postgres, storeOf(postgres, place.dataDir))).faultCount).toBe(0);

      await rm(folderOf(), { recursive: true });
      await backup(place, { vault: keyVault({ secret, dataDir: "" }) });
      const again = { dataDir: join(room, "again"), url: undefined };
      await restore(again);
      expect(await contentOf(again)).toEqual(await contentOf(sqlite));
    });
  }
});

describe("a backup", () => {
  /** Creates a small store with a wrapped key, and takes a backup of the store. */
  async function backedUp(): Promise<{ readonly dataDir: string; readonly url: undefined }> {
    const store = { dataDir: join(room, "store"), url: undefined };
    const database = await opened(store);
    await migrateServices(database, stores);
    await claimStore(database, "demo");
    await signingKey(database, keyVault({ secret: undefined, dataDir: store.dataDir }));
    const rows = [{ id: 1 }];
    await storeOf(database, store.dataDir).publish("rows", buildOf({ rows }), finishedRun("rows", 1), 1);
    await backup(store, { kind: "demo" });
    return store;
  }

  const rewritten = async (change: (manifest: Manifest) => object): Promise<void> =>
    writeFile(pathIn(MANIFEST_FILE), manifestText(change(await manifestIn()) as Manifest));

  test.each([
    {
      what: "of a newer format",
      change: (manifest: Manifest) => ({ ...manifest, format: 2 }),
      sentence: "manifest.json has format 2, but this version reads 1; use the version that took the backup",
    },
    {
      what: "of a newer store",
      change: (manifest: Manifest) => ({
        ...manifest,
        version: "9.9.9",
        migrations: { migration_watches: ["999-new"] },
      }),
      sentence: "was taken by version 9.9.9 and needs the change migration_watches 999-new, which this version lacks",
    },
    {
      what: "with a path outside its folder",
      change: (manifest: Manifest) => ({
        ...manifest,
        keys: [{ name: "owner.key", file: { path: "../owner.key", bytes: 0, sha256: "0".repeat(64) } }],
      }),
      sentence: "manifest.json is damaged",
    },
    { what: "with another kind of manifest", change: () => ({ name: "other" }), sentence: "manifest.json is damaged" },
  ])("$what is refused with the reason", async ({ change, sentence }) => {
    await backedUp();
    await rewritten(change);
    await expect(restore({ dataDir: join(room, "new"), url: undefined })).rejects.toThrow(sentence);
  });

  test("without a manifest is refused as incomplete", async () => {
    await backedUp();
    await rm(pathIn(MANIFEST_FILE));
    const restoring = restore({ dataDir: join(room, "new"), url: undefined });
    await expect(restoring).rejects.toThrow(`${folderOf()} holds no complete backup`);
  });

  test("with wrapped secrets is refused if VIGIL_KEY_SECRET has another value", async () => {
    await backedUp();
    const place = { dataDir: join(room, "new"), url: undefined };
    await expect(restore(place, "x".repeat(32))).rejects.toThrow(
      "VIGIL_KEY_SECRET differs from its value on the original service",
    );
    expect(existsSync(place.dataDir)).toBe(false);
  });

  test("of a demo is restored as a demo", async () => {
    await backedUp();
    const place = { dataDir: join(room, "new"), url: undefined };
    await restore(place);
    await expect(openStore(place, "real")).rejects.toThrow("This store holds simulated data");
  });

  test("can be restored again after an interrupted restore, which leaves a store that cannot be opened", async () => {
    const store = await backedUp();
    const place = { dataDir: join(room, "new"), url: undefined };
    await mkdir(join(place.dataDir, "restoring", "bodies"), { recursive: true });
    await mkdir(join(place.dataDir, "bodies"));
    await expect(openStore(place, "demo")).rejects.toThrow("is unfinished; run `vigil restore` or `vigil copy` again");
    await restore(place);
    expect(await contentOf(place)).toEqual(await contentOf(store));
    expect((await readdir(place.dataDir)).sort()).toEqual(["bodies", "signing.key", "vigil.db"]);
  });

  test("is written by one process at a time, and a dead process blocks no other process", async () => {
    const store = await backedUp();
    await leaveLock(`${process.ppid}-0`);
    await expect(backup(store, { kind: "demo" })).rejects.toThrow(`process ${process.ppid} is writing a backup`);
    await rm(pathIn(".lock"), { recursive: true });
    await leaveLock("999999999-0");
    await backup(store, { kind: "demo" });
    // The process id of a container is often that of the container before it.
    await leaveLock(`${process.pid}-0`);
    await backup(store, { kind: "demo" });
    expect((await readdir(folderOf())).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("is written by only one of several processes that find the lock of a dead process", async () => {
    const place = folderPlace(folderOf());
    for (let round = 0; round < 20; round += 1) {
      await leaveLock("999999999-0");
      const openings = Array.from({ length: 5 }, () => place.openForWriting(signal));
      const writers = (await Promise.allSettled(openings)).filter(({ status }) => status === "fulfilled");
      expect(writers).toHaveLength(1);
      for (const opening of openings) {
        await opening.then(
          (writer) => writer.release(),
          (error: Error) => expect(error.message).toContain("is writing a backup"),
        );
      }
    }
  });
});
