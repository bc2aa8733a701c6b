import { chmod, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeEachStore, disposedAfterEach, openSqliteStore } from "../../test/support/stores.js";
import { hashOfKey, isWellFormedKey } from "./key-format.js";
import { ensureOwnerKey, ownerKeyHashes, replaceOwnerKey } from "./owner-key.js";

const NOW = Date.UTC(2026, 10, 18, 12);

await describeEachStore((open) => {
  test("the first start makes a key, writes it to its file and keeps only its hash", async () => {
    const { database, dataDir } = await open();
    const made = await ensureOwnerKey(database, dataDir, "vgl_", NOW);
    const { key = "" } = made;
    expect(isWellFormedKey(key)).toBe(true);
    const file = join(dataDir, "owner.key");
    expect(made).toEqual({ hashes: new Set([hashOfKey(key)]), key, file, isNew: true });
    expect(await readFile(file, "utf8")).toBe(`${key}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await database.db.selectFrom("access_key").selectAll().execute()).toEqual([
      { key_hash: hashOfKey(key), kind: "owner", created_at: NOW, revoked_at: null },
    ]);
  });

  test.each(["vgl_", "vgl_demo_"] as const)("a key has the prefix %s of its store", async (prefix) => {
    const { database, dataDir } = await open();
    const { key } = await ensureOwnerKey(database, dataDir, prefix, NOW);
    expect(key).toMatch(new RegExp(`^${prefix}[0-9a-f]{48}$`));
  });

  test("the second start keeps it", async () => {
    const { database, dataDir, openAgain } = await open();
    const first = await ensureOwnerKey(database, dataDir, "vgl_", NOW);
    const second = await ensureOwnerKey(await openAgain(), dataDir, "vgl_", NOW + 1);
    expect(second).toEqual({ ...first, isNew: false });
  });

  test.each([
    { file: "is gone", change: (file: string) => rm(file) },
    { file: "holds another key", change: (file: string) => writeFile(file, "vgl_something-else\n") },
    { file: "is empty", change: (file: string) => writeFile(file, "") },
  ])("a key whose file $file stays in force, but cannot be shown", async ({ change }) => {
    const { database, dataDir } = await open();
    const first = await ensureOwnerKey(database, dataDir, "vgl_", NOW);
    await change(first.file);
    const second = await ensureOwnerKey(database, dataDir, "vgl_", NOW + 1);
    expect(second).toEqual({ ...first, key: undefined, isNew: false });
  });

  test("replacing revokes the old key and keeps a note of it", async () => {
    const { database, dataDir } = await open();
    const first = await ensureOwnerKey(database, dataDir, "vgl_", NOW);
    const second = await replaceOwnerKey(database, dataDir, "vgl_", NOW + 5);
    expect(second.isNew).toBe(true);
    expect(second.key).not.toBe(first.key);
    expect(await ownerKeyHashes(database)).toEqual(second.hashes);
    expect(second.hashes).not.toContain(hashOfKey(first.key ?? ""));
    const rows = await database.db.selectFrom("access_key").selectAll().orderBy("created_at").execute();
    expect(rows.map(({ created_at, revoked_at }) => ({ created_at, revoked_at }))).toEqual([
      { created_at: NOW, revoked_at: NOW + 5 },
      { created_at: NOW + 5, revoked_at: null },
    ]);
    expect(await ensureOwnerKey(database, dataDir, "vgl_", NOW + 6)).toEqual({ ...second, isNew: false });
  });

  test("a second replacement leaves the time of the first revocation", async () => {
    const { database, dataDir } = await open();
    for (const at of [NOW, NOW + 1, NOW + 2]) await replaceOwnerKey(database, dataDir, "vgl_", at);
    const rows = await database.db.selectFrom("access_key").select("revoked_at").orderBy("created_at").execute();
    expect(rows.map(({ revoked_at }) => revoked_at)).toEqual([NOW + 1, NOW + 2, null]);
  });

  test("a key whose file cannot be written is not put in force", async () => {
    const { database, dataDir } = await open();
    await expect(ensureOwnerKey(database, join(dataDir, "missing"), "vgl_", NOW)).rejects.toThrow("ENOENT");
    expect(await ownerKeyHashes(database)).toEqual(new Set());
  });
});

const open = disposedAfterEach(openSqliteStore);

test("the key is nowhere in the files of the store", async () => {
  const { database, dataDir } = await open();
  const { key = "" } = await ensureOwnerKey(database, dataDir, "vgl_", NOW);
  const files = (await readdir(dataDir)).filter((name) => name !== "owner.key");
  expect(files).toContain("vigil.db");
  const bytes = Buffer.concat(await Promise.all(files.map((name) => readFile(join(dataDir, name)))));
  expect(bytes.includes(hashOfKey(key))).toBe(true);
  expect(bytes.includes(key)).toBe(false);
  // Nor its secret without the prefix.
  expect(bytes.includes(key.slice("vgl_".length, -8))).toBe(false);
});

// The mode counts only where writing makes the file; an existing one keeps its own.
test("a new key is for its owner alone also where the file was open to others", async () => {
  const { database, dataDir } = await open();
  const { file } = await ensureOwnerKey(database, dataDir, "vgl_", NOW);
  await chmod(file, 0o644);
  await replaceOwnerKey(database, dataDir, "vgl_", NOW + 1);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});
