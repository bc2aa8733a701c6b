import { chmod, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeEachStore, disposedAfterEach, openSqliteStore } from "../../test/support/stores.js";
import { OPERATOR_ACCOUNT } from "../contract/access/principal.js";
import { auditEvents } from "./audit-log.js";
import { hashOfKey, isWellFormedKey } from "./key-format.js";
import { ensureOwnerKey, replaceOwnerKey } from "./owner-key.js";

const NOW = Date.UTC(2026, 10, 18, 12);

await describeEachStore((open) => {
  test("the first start creates a key, writes it to its file and stores only its hash", async () => {
    const { database, dataDir } = await open();
    const keys = await ensureOwnerKey(database, dataDir, "vgl_", NOW);
    const { key = "" } = keys;
    expect(isWellFormedKey(key)).toBe(true);
    const file = join(dataDir, "owner.key");
    expect(await readFile(file, "utf8")).toBe(`${key}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const rows = await database.db.selectFrom("api_key").selectAll().execute();
    expect(rows).toMatchObject([
      { key_hash: hashOfKey(key), account_id: OPERATOR_ACCOUNT, scopes: "*", created_at: NOW, revoked_at: null },
    ]);
    expect(keys).toEqual({ id: rows[0]?.id, key, file, isNew: true });
    expect(rows[0]?.hint).toBe(`${key.slice(0, 8)}…`);
    const events = await auditEvents(database.db, { limit: 10 });
    expect(events).toMatchObject([{ at: NOW, action: "key.created", actor: "command line", subject: rows[0]?.id }]);
  });

  test.each(["vgl_", "vgl_demo_"] as const)("the key has the prefix of its store: %s", async (prefix) => {
    const { database, dataDir } = await open();
    const { key } = await ensureOwnerKey(database, dataDir, prefix, NOW);
    expect(key).toMatch(new RegExp(`^${prefix}[0-9a-f]{48}$`));
  });

  test("the second start keeps the key", async () => {
    const { database, dataDir, openAgain } = await open();
    const first = await ensureOwnerKey(database, dataDir, "vgl_", NOW);
    const second = await ensureOwnerKey(await openAgain(), dataDir, "vgl_", NOW + 1);
    expect(second).toEqual({ ...first, isNew: false });
  });

  test("if several nodes start for the first time together, one creates the key, and the file contains that key", async () => {
    const { database, dataDir, openAgain } = await open();
    const nodes = [database, ...(await Promise.all([1, 2, 3].map(() => openAgain())))];
    const keys = await Promise.all(nodes.map((node) => ensureOwnerKey(node, dataDir, "vgl_", NOW)));
    expect(keys.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(keys.map(({ id }) => id)).size).toBe(1);
    const rows = await database.db.selectFrom("api_key").selectAll().execute();
    expect(rows.map(({ key_hash, revoked_at }) => ({ key_hash, revoked_at }))).toEqual([
      { key_hash: hashOfKey((await readFile(join(dataDir, "owner.key"), "utf8")).trim()), revoked_at: null },
    ]);
    expect((await readdir(dataDir)).filter((name) => name.startsWith("owner.key"))).toEqual(["owner.key"]);
  });

  test.each([
    { file: "is gone", change: (file: string) => rm(file) },
    { file: "contains another key", change: (file: string) => writeFile(file, "vgl_something-else\n") },
    { file: "is empty", change: (file: string) => writeFile(file, "") },
  ])("if a key's file $file, the key stays valid but cannot be shown", async ({ change }) => {
    const { database, dataDir } = await open();
    const first = await ensureOwnerKey(database, dataDir, "vgl_", NOW);
    await change(first.file);
    const second = await ensureOwnerKey(database, dataDir, "vgl_", NOW + 1);
    expect(second).toEqual({ ...first, key: undefined, isNew: false });
  });

  test("replacing a key revokes the old one and keeps its record", async () => {
    const { database, dataDir } = await open();
    const first = await ensureOwnerKey(database, dataDir, "vgl_", NOW);
    const second = await replaceOwnerKey(database, dataDir, "vgl_", NOW + 5);
    expect(second.isNew).toBe(true);
    expect(second.key).not.toBe(first.key);
    const rows = await database.db.selectFrom("api_key").selectAll().orderBy("created_at").execute();
    expect(rows.map(({ key_hash, created_at, revoked_at }) => ({ key_hash, created_at, revoked_at }))).toEqual([
      { key_hash: hashOfKey(first.key ?? ""), created_at: NOW, revoked_at: NOW + 5 },
      { key_hash: hashOfKey(second.key ?? ""), created_at: NOW + 5, revoked_at: null },
    ]);
    expect(await ensureOwnerKey(database, dataDir, "vgl_", NOW + 6)).toEqual({ ...second, isNew: false });
  });

  test("a second replacement does not change the time of the first revocation", async () => {
    const { database, dataDir } = await open();
    for (const at of [NOW, NOW + 1, NOW + 2]) await replaceOwnerKey(database, dataDir, "vgl_", at);
    const rows = await database.db.selectFrom("api_key").select("revoked_at").orderBy("created_at").execute();
    expect(rows.map(({ revoked_at }) => revoked_at)).toEqual([NOW + 1, NOW + 2, null]);
  });

  test("a key whose file cannot be written does not become valid", async () => {
    const { database, dataDir } = await open();
    await writeFile(join(dataDir, "taken"), "");
    await expect(ensureOwnerKey(database, join(dataDir, "taken"), "vgl_", NOW)).rejects.toThrow("EEXIST");
    expect(await database.db.selectFrom("api_key").selectAll().execute()).toEqual([]);
  });
});

const open = disposedAfterEach(openSqliteStore);

test("no file of the data folder except owner.key contains the key", async () => {
  const { database, dataDir } = await open();
  const { key = "" } = await ensureOwnerKey(database, dataDir, "vgl_", NOW);
  const files = (await readdir(dataDir)).filter((name) => name !== "owner.key");
  expect(files).toContain("vigil.db");
  const bytes = Buffer.concat(await Promise.all(files.map((name) => readFile(join(dataDir, name)))));
  expect(bytes.includes(hashOfKey(key))).toBe(true);
  expect(bytes.includes(key)).toBe(false);
  // The files do not contain the secret without its prefix either.
  expect(bytes.includes(key.slice("vgl_".length, -8))).toBe(false);
});

// `writeFileSync` sets the mode only of a file that it creates, so the new key must not be written into the old file.
test("a new key's file is readable only by its owner, even if others could read the old file", async () => {
  const { database, dataDir } = await open();
  const { file } = await ensureOwnerKey(database, dataDir, "vgl_", NOW);
  await chmod(file, 0o644);
  await replaceOwnerKey(database, dataDir, "vgl_", NOW + 1);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});
