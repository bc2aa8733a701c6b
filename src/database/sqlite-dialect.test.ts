import { join } from "node:path";
import { Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import { disposedAfterEach, openSqliteStore } from "../../test/support/stores.js";
import { openDriver } from "./open.js";
import type { Database } from "./schema.js";
import { sqliteDialect } from "./sqlite-dialect.js";

const open = disposedAfterEach(openSqliteStore);

test("a transaction holds the write lock from its beginning, so that its reads stay valid", async () => {
  const { database, dataDir } = await open();
  const other = await openDriver(join(dataDir, "vigil.db"));
  const insert = "insert into lease (name, holder, expires_at) values ('b', 'other', 0)";
  try {
    await database.db.transaction().execute(async (transaction) => {
      await transaction.selectFrom("lease").selectAll().execute();
      expect(() => other.prepare(insert).run([])).toThrow("database is locked");
      await transaction.insertInto("lease").values({ name: "a", holder: "me", expires_at: 0 }).execute();
    });
    other.prepare(insert).run([]);
  } finally {
    other.close();
  }
  const rows = await database.db.selectFrom("lease").select("name").orderBy("name").execute();
  expect(rows).toEqual([{ name: "a" }, { name: "b" }]);
});

test("a writer does not block readers", async () => {
  const { database, dataDir } = await open();
  const other = await openDriver(join(dataDir, "vigil.db"));
  try {
    await database.db.transaction().execute(async (transaction) => {
      await transaction.insertInto("lease").values({ name: "a", holder: "me", expires_at: 0 }).execute();
      expect(other.prepare("select name from lease").all([])).toEqual([]);
    });
    expect(other.prepare("select name from lease").all([])).toEqual([{ name: "a" }]);
  } finally {
    other.close();
  }
});

const insertA = { name: "a", holder: "me", expires_at: 0 };

test("waiting for another process's write lock does not block the event loop, and reads continue meanwhile", async () => {
  const { database, dataDir } = await open();
  const other = await openDriver(join(dataDir, "vigil.db"));
  try {
    other.prepare("begin immediate").run([]);
    let isWritten = false;
    const writes = Promise.all([
      database.db.insertInto("lease").values(insertA).execute(),
      database.db.transaction().execute((transaction) =>
        transaction
          .insertInto("lease")
          .values({ ...insertA, name: "b" })
          .execute(),
      ),
    ]).then(() => {
      isWritten = true;
    });
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await database.db.selectFrom("lease").selectAll().execute()).toEqual([]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(isWritten).toBe(false);
    other.prepare("commit").run([]);
    await writes;
  } finally {
    other.close();
  }
  const rows = await database.db.selectFrom("lease").select("name").orderBy("name").execute();
  expect(rows).toEqual([{ name: "a" }, { name: "b" }]);
});

test("a write fails after it has waited lockMsMax for the write lock; the connection stays usable", async () => {
  const { dataDir } = await open();
  const other = await openDriver(join(dataDir, "vigil.db"));
  const database = await openDriver(join(dataDir, "vigil.db"));
  const db = new Kysely<Database>({ dialect: sqliteDialect(database, { lockMsMax: 20 }) });
  try {
    other.prepare("begin immediate").run([]);
    const write = () => db.insertInto("lease").values(insertA).execute();
    await expect(write()).rejects.toMatchObject({ code: "SQLITE_BUSY" });
    await expect(db.transaction().execute(async () => undefined)).rejects.toMatchObject({ code: "SQLITE_BUSY" });
    other.prepare("commit").run([]);
    await write();
    await expect(
      db.transaction().execute(async () => {
        throw new Error("rolled back");
      }),
    ).rejects.toThrow("rolled back");
    expect(await db.selectFrom("lease").select("name").execute()).toEqual([{ name: "a" }]);
  } finally {
    await db.destroy();
    other.close();
  }
});

test("users of the connection take turns in order of arrival", async () => {
  const { database } = await open();
  const order: string[] = [];
  const write = (name: string) =>
    database.db.transaction().execute(async (transaction) => {
      order.push(`${name} begins`);
      await transaction.selectFrom("lease").selectAll().execute();
      order.push(`${name} ends`);
    });
  await Promise.all([write("first"), write("second"), write("third")]);
  expect(order).toEqual(["first", "second", "third"].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test("rows can be streamed one by one", async () => {
  const { database } = await open();
  await database.db
    .insertInto("lease")
    .values([insertA, { ...insertA, name: "b" }])
    .execute();
  const names: string[] = [];
  for await (const { name } of database.db.selectFrom("lease").select("name").orderBy("name").stream())
    names.push(name);
  expect(names).toEqual(["a", "b"]);
});

test("a write returns the number of changed rows", async () => {
  const { database } = await open();
  await database.db.insertInto("lease").values(insertA).execute();
  const { numUpdatedRows } = await database.db.updateTable("lease").set({ expires_at: 1 }).executeTakeFirstOrThrow();
  expect(numUpdatedRows).toBe(1n);
});

test("a read that is repeated after another process changed the schema returns the new columns", async () => {
  const { database, dataDir } = await open();
  const { db } = database;
  const all = sql<object>`select * from lease`;
  const names = sql<object>`select name from lease`;
  await db.insertInto("lease").values(insertA).execute();
  const before = [await all.execute(db), await names.execute(db)];
  const other = await openDriver(join(dataDir, "vigil.db"));
  try {
    other.prepare("alter table lease add column note text default 'new'").run([]);
  } finally {
    other.close();
  }
  const after = [await all.execute(db), await names.execute(db)];
  expect(before.map(({ rows }) => rows)).toEqual([[insertA], [{ name: "a" }]]);
  expect(after.map(({ rows }) => rows)).toEqual([[{ ...insertA, note: "new" }], [{ name: "a" }]]);
});

test("all statements are answered, even if there are more distinct statements than the cache holds", async () => {
  const { database } = await open();
  for (const round of [1, 2]) {
    for (let at = 0; at < 300; at += 1) {
      const { rows } = await sql<{ value: number }>`select ${sql.lit(at)} as value`.execute(database.db);
      expect(rows, `round ${round}`).toEqual([{ value: at }]);
    }
  }
});
