import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { describeEachStore } from "../../test/support/stores.js";
import { openDatabase } from "./open.js";

/** An instant beyond 32 bits, so that a column of the wrong width would fail. */
const AT = Date.UTC(2026, 10, 18, 12);

await describeEachStore((open, name) => {
  test("an open store names its dialect", async () => {
    expect((await open()).database.dialect).toBe(name);
  });

  test("running the migrations twice keeps all stored data", async () => {
    const { database, openAgain } = await open();
    const applied = () => sql<{ name: string }>`select name, timestamp from kysely_migration`.execute(database.db);
    await database.db.insertInto("lease").values({ name: "a", holder: "me", expires_at: AT }).execute();
    const before = await applied();
    expect(before.rows.length).toBeGreaterThan(0);
    const again = await openAgain();
    expect((await applied()).rows).toEqual(before.rows);
    expect(await again.db.selectFrom("lease").selectAll().execute()).toEqual([
      { name: "a", holder: "me", expires_at: AT },
    ]);
  });

  test("instants and counts in bigint columns are returned as numbers, and missing values as null", async () => {
    const { db } = (await open()).database;
    const row = {
      dataset: "a",
      generation: 3,
      content_hash: "h",
      body_bytes: 5_000_000_000,
      built_at: AT,
      newest_at: null,
      record_counts: "{}",
      provenance: "{}",
      changes: null,
      build_account: null,
    };
    await db.insertInto("snapshot").values(row).execute();
    expect(await db.selectFrom("snapshot").selectAll().execute()).toEqual([row]);
  });

  test("rows of the run log are numbered in the order of insertion", async () => {
    const { db } = (await open()).database;
    const line = {
      run_id: "r",
      dataset: "a",
      part: "p",
      source: "s",
      request_key: "k",
      url: "u",
      fetched_at: AT,
      outcome: "ok",
    };
    await db.insertInto("source_run").values([line, line]).execute();
    const ids = await db.selectFrom("source_run").select("id").orderBy("id").execute();
    expect(ids).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test("a transaction commits completely or not at all", async () => {
    const { db } = (await open()).database;
    const half = db.transaction().execute(async (transaction) => {
      await transaction.insertInto("lease").values({ name: "a", holder: "me", expires_at: AT }).execute();
      throw new Error("halfway");
    });
    await expect(half).rejects.toThrow("halfway");
    expect(await db.selectFrom("lease").selectAll().execute()).toEqual([]);
  });

  test("a store that a newer version has migrated is refused, and the error says which version to start", async () => {
    const { database, openAgain } = await open();
    await sql`insert into kysely_migration (name, timestamp) values ('999-later', '2030')`.execute(database.db);
    await expect(openAgain()).rejects.toThrow(
      "a newer version of Vigil has changed this store (kysely_migration 999-later); start that version or a newer one",
    );
  });

  test("if migrations must not be applied, a store that needs them is refused and stays unchanged", async () => {
    const { database, dataDir, url } = await open();
    const openOnly = async () => openDatabase({ dataDir, url, mayMigrate: false });
    await (await openOnly()).close();
    await sql`delete from kysely_migration where name = '014-session-address'`.execute(database.db);
    await expect(openOnly()).rejects.toThrow(
      "needs the changes of this version (kysely_migration 014-session-address is the first); run `vigil migrate`",
    );
    await sql`insert into kysely_migration (name, timestamp) values ('014-session-address', '2026')`.execute(
      database.db,
    );
  });

  test("a store can be closed twice", async () => {
    const { openAgain } = await open();
    const database = await openAgain();
    await Promise.all([database.close(), database.close()]);
    await database.close();
    await expect(database.db.selectFrom("lease").selectAll().execute()).rejects.toThrow();
  });
});

/**
 * The test drops every table except `lease`. The first migration then fails when it creates `lease`, its fourth table.
 */
await describeEachStore((open) => {
  // SQLite can roll back a migration too, although Kysely's own adapter reports that it cannot.
  test("a migration that fails in the middle is rolled back", async () => {
    const { database, openAgain } = await open();
    const { db } = database;
    const tablesBefore = await db.introspection.getTables();
    // Tables that refer to other tables are dropped first.
    const referredTo = ["api_key", "account"];
    const others = tablesBefore
      .map((table) => table.name)
      .filter((table) => table !== "lease" && !referredTo.includes(table));
    for (const table of [...others, ...referredTo]) await db.schema.dropTable(table).execute();
    await sql`delete from kysely_migration`.execute(db);
    await expect(openAgain()).rejects.toThrow("schema");
    const tables = await db.introspection.getTables();
    expect(tables.map((table) => table.name)).toEqual(["lease"]);
  });
});

describe("openDatabase", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "vigil-open-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test("openDatabase creates a folder that only its owner can access", async () => {
    const dataDir = join(folder, "deep", "data");
    const database = await openDatabase({ dataDir });
    await database.close();
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  });

  test("openDatabase reports the path of the folder if the path is a file", async () => {
    const dataDir = join(folder, "data");
    await writeFile(dataDir, "");
    await expect(openDatabase({ dataDir })).rejects.toThrow(dataDir);
  });

  test("openDatabase refuses a file that is not a database and leaves it unchanged", async () => {
    const letter = "this is a letter, not a database. ".repeat(100);
    await writeFile(join(folder, "vigil.db"), letter);
    await expect(openDatabase({ dataDir: folder })).rejects.toThrow("file is not a database");
    expect(await readFile(join(folder, "vigil.db"), "utf8")).toBe(letter);
  });

  // The error says that the schema could not be updated. It must also contain the driver's message.
  test("openDatabase reports an unreachable server with the driver's message", async () => {
    const url = "postgres://nobody@127.0.0.1:1/none";
    await expect(openDatabase({ dataDir: folder, url })).rejects.toThrow("ECONNREFUSED");
  });
});

describe("SQLite", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "vigil-open-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test.each([
    { pragma: "journal_mode", value: "wal" },
    { pragma: "synchronous", value: 2 },
    { pragma: "foreign_keys", value: 1 },
    { pragma: "busy_timeout", value: 0 },
  ])("a SQLite file is opened with $pragma $value", async ({ pragma, value }) => {
    const database = await openDatabase({ dataDir: folder });
    const { rows } = await sql<Record<string, unknown>>`${sql.raw(`pragma ${pragma}`)}`.execute(database.db);
    await database.close();
    expect(Object.values(rows[0] ?? {})).toEqual([value]);
  });
});
