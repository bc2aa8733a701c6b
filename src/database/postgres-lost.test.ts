import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { availableStores, type OpenStore } from "../../test/support/stores.js";
import { startTcpProxy, type TcpProxy } from "../../test/support/tcp-proxy.js";
import { openDatabase } from "./open.js";
import type { OpenDatabase } from "./open-database.js";

const postgres = (await availableStores()).find(({ name }) => name === "postgres");
const reason = postgres ? postgres.skipReason : "there is no PostgreSQL suite";

describe.skipIf(reason !== undefined)(reason === undefined ? "a lost or slow PostgreSQL" : `skipped: ${reason}`, () => {
  let store: OpenStore;
  let proxy: TcpProxy;
  let database: OpenDatabase;
  const uncaught: unknown[] = [];
  const note = (error: unknown): unknown => uncaught.push(error);

  /** Opens the same store through the proxy, with these time limits. */
  const openThroughProxy = (connectMs = 20_000, statementMs = 20_000): Promise<OpenDatabase> => {
    const url = new URL(store.url ?? "");
    url.host = `127.0.0.1:${proxy.port}`;
    return openDatabase({ url: url.href, dataDir: store.dataDir, postgres: { connectMs, statementMs } });
  };

  beforeEach(async () => {
    if (!postgres) throw new Error("the suite is skipped without PostgreSQL");
    store = await postgres.open();
    const { hostname, port } = new URL(store.url ?? "");
    proxy = await startTcpProxy({ host: hostname, port: Number(port || 5432) });
    process.on("uncaughtException", note);
  });
  afterEach(async () => {
    process.off("uncaughtException", note);
    await database.close();
    await proxy.close();
    await store.dispose();
    expect(uncaught.splice(0)).toEqual([]);
  });

  test("losing a connection fails only the transaction on it", async () => {
    database = await openThroughProxy();
    const lost = database.db.transaction().execute(async (work) => {
      await sql`select 1`.execute(work);
      proxy.cut();
      // This pause is long enough for the pool to notice the loss while no statement is waiting.
      await new Promise((resolve) => setImmediate(() => setTimeout(resolve, 20)));
      await sql`select 1`.execute(work);
    });
    await expect(lost).rejects.toThrow();
    expect((await sql<{ one: number }>`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }]);
  });

  test("when the server ends backends, only the statements running on them fail", async () => {
    database = await openThroughProxy();
    const { db } = database;
    const direct = store.database.db;
    const lock = await direct.startTransaction().execute();
    await sql`select pg_advisory_xact_lock(1)`.execute(lock);
    // This statement waits for the lock while the others fail.
    const waiting = sql`select 1 as one from pg_advisory_xact_lock(1)`.execute(db).catch((error) => error);
    const waits = sql`
      select pid from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and locktype = 'advisory' and not granted`;
    try {
      await expect.poll(async () => (await waits.execute(direct)).rows).toHaveLength(1);
      for (let round = 0; round < 3; round += 1) {
        const under = Array.from({ length: 4 }, () => sql`select pg_sleep(60)`.execute(db).catch((error) => error));
        const backends = sql`
          from pg_stat_activity
          where pid <> pg_backend_pid() and datname = current_database() and query like 'select pg_sleep%'
            and state = 'active'`;
        const count = async (what: string): Promise<number> => {
          const result = await sql<{ n: string }>`select count(${sql.raw(what)}) as n ${backends}`.execute(direct);
          return Number(result.rows[0]?.n);
        };
        await expect.poll(() => count("pid"), { timeout: 20_000 }).toBe(4);
        await count("pg_terminate_backend(pid)");
        expect((await Promise.all(under)).map(({ code }) => code)).toEqual(Array(4).fill("57P01"));
      }
    } finally {
      await lock.commit().execute();
    }
    expect(await waiting).toMatchObject({ rows: [{ one: 1 }] });
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  });

  test("if the server hangs, every statement fails within its time limit; once the server continues, it is used again", async () => {
    database = await openThroughProxy(300, 200);
    const { db } = database;
    await sql`select 1`.execute(db);
    proxy.freeze();
    // More queries than the pool has connections, so that some wait for an answer, some for a new connection and some
    // for a free one.
    const queries = Array.from({ length: 20 }, () => sql`select 1`.execute(db).catch((error: Error) => error.message));
    const transaction = db
      .transaction()
      .execute((work) => sql`select 1`.execute(work))
      .catch((error: Error) => error.message);
    const failed = await Promise.all([...queries, transaction]);
    for (const message of failed) expect(message).toMatch(/did not answer within 0.2 s|connect/);
    expect(failed.join()).toContain("did not answer within 0.2 s");
    proxy.thaw();
    await expect.poll(() => sql`select 1`.execute(db).then(() => "answered", String)).toBe("answered");
  });

  test("a slow server answers every statement and transaction, even many at the same time", async () => {
    database = await openThroughProxy();
    const { db } = database;
    proxy.delay(50);
    const reads = Array.from({ length: 30 }, (_, index) =>
      sql<{ n: number }>`select ${sql.lit(index)} as n`.execute(db),
    );
    const writes = Array.from({ length: 5 }, (_, index) =>
      db.transaction().execute(async (work) => {
        await sql`select 1`.execute(work);
        await work
          .insertInto("lease")
          .values({ name: `slow ${index}`, holder: "me", expires_at: 1 })
          .execute();
      }),
    );
    expect((await Promise.all(reads)).map(({ rows }) => rows[0]?.n)).toEqual(reads.map((_, index) => index));
    await Promise.all(writes);
    const stored = await store.database.db.selectFrom("lease").select("name").where("name", "like", "slow %").execute();
    expect(stored).toHaveLength(5);
  });

  test("if the server is too slow, statements fail within their time limit; once the server is fast, it is used again", async () => {
    database = await openThroughProxy(300, 200);
    const { db } = database;
    await sql`select 1`.execute(db);
    proxy.delay(5_000);
    const queries = Array.from({ length: 20 }, () => sql`select 1`.execute(db).catch((error: Error) => error.message));
    for (const message of await Promise.all(queries)) expect(message).toMatch(/did not answer within 0.2 s|connect/);
    proxy.delay(0);
    await expect.poll(() => sql`select 1`.execute(db).then(() => "answered", String)).toBe("answered");
  });

  test("if the server hangs, closing the store waits no longer than the time limit of a statement", async () => {
    database = await openThroughProxy(300, 200);
    proxy.freeze();
    const query = sql`select 1`.execute(database.db).catch((error: Error) => error.message);
    await database.close();
    expect(await query).toMatch(/did not answer|connect/);
  });

  test("acknowledged writes survive a lost connection", async () => {
    database = await openThroughProxy();
    const { db } = database;
    const acknowledged: string[] = [];
    const write = async (name: string): Promise<void> => {
      await db.insertInto("lease").values({ name, holder: "me", expires_at: 1 }).execute();
      acknowledged.push(name);
    };
    for (let round = 0; round < 10; round += 1) {
      const writes = Array.from({ length: 12 }, (_, index) => write(`${round}.${index}`).catch(() => undefined));
      await writes[round];
      proxy.cut();
      await Promise.all(writes);
    }
    const rows = await store.database.db.selectFrom("lease").select("name").execute();
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(acknowledged));
  });
});
