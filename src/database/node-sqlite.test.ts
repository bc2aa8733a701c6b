import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { NODE_SQLITE_FROM, openNodeSqlite, type SqliteConnection } from "./node-sqlite.js";

const isThere = Number.parseInt(process.versions.node, 10) >= NODE_SQLITE_FROM;
const reason = isThere ? "" : `, skipped: the SQLite of Node.js ${process.versions.node} is not used`;

describe.skipIf(!isThere)(`the SQLite of Node.js${reason}`, () => {
  let folder: string;
  let database: SqliteConnection;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "vigil-node-sqlite-"));
    database = openNodeSqlite(join(folder, "a.db"));
    database.pragma("journal_mode = WAL");
    database.prepare("create table t (id integer primary key, bytes blob)").run([]);
  });
  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("the SQLite of Node.js returns rows as plain objects with a Buffer for bytes, all at once or one by one", () => {
    expect(database.prepare("insert into t (bytes) values (?)").run([Buffer.from("x")])).toMatchObject({ changes: 1 });
    const rows = database.prepare("select * from t where id = ?");
    expect(rows.reader).toBe(true);
    expect(rows.all([1])).toStrictEqual([{ id: 1, bytes: Buffer.from("x") }]);
    expect([...rows.iterate([1])]).toStrictEqual([{ id: 1, bytes: Buffer.from("x") }]);
    expect(database.prepare("delete from t").reader).toBe(false);
  });

  test("the SQLite of Node.js throws errors with SQLite's error codes, and does not wait for locks", () => {
    const other = openNodeSqlite(join(folder, "a.db"));
    other.prepare("begin immediate").run([]);
    expect(() => database.prepare("insert into t default values").run([])).toThrow(
      expect.objectContaining({ code: "SQLITE_BUSY" }),
    );
    other.close();
    writeFileSync(join(folder, "b.db"), "no database".repeat(1_000));
    expect(() => openNodeSqlite(join(folder, "b.db")).pragma("journal_mode = WAL")).toThrow(
      expect.objectContaining({ code: "SQLITE_NOTADB" }),
    );
  });

  test("the SQLite of Node.js survives the garbage collection of thousands of statements", async () => {
    for (let round = 0; round < 20; round += 1) {
      for (let index = 0; index < 500; index += 1) database.prepare(`select ${index}`).all([]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(database.prepare("select 1 as one").all([])).toEqual([{ one: 1 }]);
  });
});
