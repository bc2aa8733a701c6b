import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { disposedAfterEach, openSqliteStore } from "../../test/support/stores.js";

const open = disposedAfterEach(openSqliteStore);

test("a transaction holds the write lock from its beginning, so that a read in it can be built upon", async () => {
  const { database, dataDir } = await open();
  const other = new Sqlite(join(dataDir, "vigil.db"), { timeout: 0 });
  const insert = "insert into lease (name, holder, expires_at) values ('b', 'other', 0)";
  try {
    await database.db.transaction().execute(async (transaction) => {
      await transaction.selectFrom("lease").selectAll().execute();
      expect(() => other.exec(insert)).toThrow("database is locked");
      await transaction.insertInto("lease").values({ name: "a", holder: "me", expires_at: 0 }).execute();
    });
    other.exec(insert);
  } finally {
    other.close();
  }
  const rows = await database.db.selectFrom("lease").select("name").orderBy("name").execute();
  expect(rows).toEqual([{ name: "a" }, { name: "b" }]);
});

test("readers are not held up by a writer", async () => {
  const { database, dataDir } = await open();
  const other = new Sqlite(join(dataDir, "vigil.db"), { timeout: 0, readonly: true });
  try {
    await database.db.transaction().execute(async (transaction) => {
      await transaction.insertInto("lease").values({ name: "a", holder: "me", expires_at: 0 }).execute();
      expect(other.prepare("select name from lease").all()).toEqual([]);
    });
    expect(other.prepare("select name from lease").all()).toEqual([{ name: "a" }]);
  } finally {
    other.close();
  }
});
