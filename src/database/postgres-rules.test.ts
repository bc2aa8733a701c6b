import { type Kysely, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { onServer } from "../../test/support/postgres-databases.js";
import { availableStores, type OpenStore } from "../../test/support/stores.js";
import type { PostgresSettings } from "./database-location.js";
import { openDatabase, openUnmigrated } from "./open.js";
import type { OpenDatabase } from "./open-database.js";
import { ReadOnlyServer, StatementTimeout } from "./postgres-pool.js";
import type { Database } from "./schema.js";
import { isStoreLost } from "./store-error.js";
import { inTransaction } from "./transaction.js";

const postgres = (await availableStores()).find(({ name }) => name === "postgres");
const reason = postgres ? postgres.skipReason : "there is no PostgreSQL suite";

describe.skipIf(reason !== undefined)(reason === undefined ? "PostgreSQL" : `skipped: ${reason}`, () => {
  let store: OpenStore;
  const opened: OpenDatabase[] = [];

  beforeEach(async () => {
    if (!postgres) throw new Error("the suite is skipped without PostgreSQL");
    store = await postgres.open();
  });
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close();
    await store.dispose();
  });

  const url = (): URL => new URL(store.url ?? "");
  const open = async (settings: Partial<PostgresSettings> = {}, address = url().href): Promise<Kysely<Database>> => {
    const database = await openDatabase({ url: address, dataDir: store.dataDir, postgres: settings });
    opened.push(database);
    return database.db;
  };
  const lease = (name: string) => ({ name, holder: "me", expires_at: 1 });
  const backend = async (db: Kysely<Database>): Promise<number | undefined> =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;
  const errorOf = (work: Promise<unknown>): Promise<Error> =>
    work.then(
      () => expect.fail("the work succeeded"),
      (e) => e,
    );

  /** Waits for a running statement that contains a string, and ends the backend that runs it. */
  async function endBackend(text: string): Promise<void> {
    const { db } = store.database;
    const ended = async (): Promise<number> => {
      const { rows } = await sql<{ ended: boolean }>`
        select pg_terminate_backend(pid) as ended from pg_stat_activity
        where datname = current_database() and state = 'active' and pid <> pg_backend_pid()
          and query like ${`%${text}%`}`.execute(db);
      return rows.length;
    };
    await expect.poll(ended, { timeout: 10_000 }).toBe(1);
  }

  test("the server itself enforces a service's limits, and higher ones during migrations", async () => {
    const database = await openDatabase({
      url: store.url,
      dataDir: store.dataDir,
      postgres: { statementMs: 3_000, lockMs: 2_000, idleTransactionMs: 4_000, connectionsMax: 2 },
    });
    opened.push(database);
    const limits = async (): Promise<unknown> => {
      const names = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"];
      const columns = names.map((name) => sql`current_setting(${name})`);
      return Object.values(
        (
          await sql`select ${sql.join(columns.map((column, at) => sql`${column} as ${sql.ref(`c${at}`)}`))}`.execute(
            database.db,
          )
        ).rows[0] ?? {},
      );
    };
    expect(await limits()).toEqual(["3s", "2s", "4s"]);
    expect(await database.patiently?.(limits)).toEqual(["10min", "10min", "0"]);
    expect(await limits()).toEqual(["3s", "2s", "4s"]);
  });

  test("the server ends a statement that exceeds its limit, and the connection is used again", async () => {
    const db = await open({ statementMs: 300, connectionsMax: 2 });
    await db.connection().execute(async (connection) => {
      const before = await backend(connection);
      const error = await errorOf(sql`select pg_sleep(60)`.execute(connection));
      expect(error).toBeInstanceOf(StatementTimeout);
      expect(error.message).toBe("PostgreSQL did not answer within 0.3 s");
      expect(await backend(connection)).toBe(before);
    });
  });

  test("a wait for a locked row ends after its limit and counts as a store failure", async () => {
    const db = await open({ lockMs: 200 });
    await db.insertInto("lease").values(lease("a")).execute();
    await db.transaction().execute(async (holder) => {
      await holder.updateTable("lease").set({ holder: "other" }).execute();
      const error = await errorOf(db.updateTable("lease").set({ holder: "me" }).execute());
      expect(error).toMatchObject({ code: "55P03" });
      expect(isStoreLost(error)).toBe(true);
    });
  });

  test("the server ends an idle transaction, and none of its writes is stored", async () => {
    const db = await open({ idleTransactionMs: 200 });
    const running = db.transaction().execute(async (work) => {
      await work.insertInto("lease").values(lease("idle")).execute();
      const pid = await backend(work);
      const left = async (): Promise<number> =>
        (await sql`select 1 from pg_stat_activity where pid = ${pid}`.execute(store.database.db)).rows.length;
      await expect.poll(left, { timeout: 10_000 }).toBe(0);
      await sql`select 1`.execute(work);
    });
    expect(isStoreLost(await errorOf(running))).toBe(true);
    expect(await db.selectFrom("lease").selectAll().execute()).toEqual([]);
  });

  test("if a connection is lost, a read is repeated on another one, but a write or a transaction is not", async () => {
    const db = await open();
    await db.insertInto("lease").values(lease("a")).execute();
    const reading = db
      .selectFrom("lease")
      .select(["name", sql`pg_sleep(0.4)`.as("slept")])
      .execute();
    await endBackend("0.4");
    expect(await reading).toEqual([{ name: "a", slept: "" }]);

    const writing = errorOf(
      db
        .insertInto("lease")
        .columns(["name", "holder", "expires_at"])
        .expression(
          db.selectNoFrom([
            sql<string>`'b' || pg_sleep(60.5)`.as("name"),
            sql<string>`'me'`.as("holder"),
            sql<number>`1`.as("expires_at"),
          ]),
        )
        .execute(),
    );
    await endBackend("60.5");
    expect(await writing).toMatchObject({ code: "57P01" });

    let runs = 0;
    const both = errorOf(
      inTransaction(db, async (work) => {
        runs += 1;
        await work.selectFrom("lease").select(sql`pg_sleep(60.6)`.as("slept")).execute();
      }),
    );
    await endBackend("60.6");
    expect(await both).toMatchObject({ code: "57P01" });
    expect(runs).toBe(1);
  });

  test("if two transactions deadlock, each is committed exactly once", async () => {
    const db = await open();
    await db
      .insertInto("budget")
      .values([
        { cycle: "c", name: "a", used: 0 },
        { cycle: "c", name: "b", used: 0 },
      ])
      .execute();
    const arrived: (() => void)[] = [];
    // Both transactions hold their first row before either requests its second row.
    const meet = (): Promise<void> =>
      new Promise((resolve) => {
        arrived.push(resolve);
        if (arrived.length >= 2) for (const go of arrived) go();
      });
    let runs = 0;
    let committed = (): void => {};
    const oneCommitted = new Promise<void>((resolve) => {
      committed = resolve;
    });
    const increase = async (names: readonly string[]): Promise<void> => {
      await inTransaction(db, async (work) => {
        runs += 1;
        // The transaction that PostgreSQL ended runs again only after the other one has been committed. Otherwise, it
        // could cause a second deadlock.
        if (runs > 2) await oneCommitted;
        for (const [at, name] of names.entries()) {
          await work
            .updateTable("budget")
            .set((row) => ({ used: row("used", "+", 1) }))
            .where("name", "=", name)
            .execute();
          if (at === 0) await meet();
        }
      });
      committed();
    };
    await Promise.all([increase(["a", "b"]), increase(["b", "a"])]);
    expect(runs).toBe(3);
    expect(await db.selectFrom("budget").select("used").execute()).toEqual([{ used: 2 }, { used: 2 }]);
  });

  test("the first reachable server of several is used", async () => {
    const several = url();
    several.host = "127.0.0.1";
    several.port = "1";
    const address = several.href.replace("127.0.0.1:1", `127.0.0.1:1,${url().host}`);
    const db = await open({}, address);
    expect(await db.selectFrom("lease").selectAll().execute()).toEqual([]);
  });

  describe("a server that rejects writes", () => {
    const readOnly = (value: "on" | "off"): Promise<unknown> =>
      onServer((client) =>
        client.query(`alter database ${url().pathname.slice(1)} set default_transaction_read_only = ${value}`),
      );
    afterEach(() => readOnly("off"));

    test("a server that rejects writes is refused for a service and accepted for reading", async () => {
      await readOnly("on");
      const error = await errorOf(open());
      expect(error).toBeInstanceOf(ReadOnlyServer);
      expect(isStoreLost(error)).toBe(true);
      const reader = await openUnmigrated({ url: store.url, dataDir: store.dataDir });
      opened.push(reader);
      expect(await reader.db.selectFrom("lease").selectAll().execute()).toEqual([]);
    });

    test("after the first rejected write, the next write uses a new connection", async () => {
      const db = await open({ connectionsMax: 2 });
      const before = await backend(db);
      await sql`set default_transaction_read_only = on`.execute(db);
      const write = () => db.insertInto("lease").values(lease("a")).execute();
      expect(await errorOf(write())).toMatchObject({ code: "25006" });
      await write();
      expect(await backend(db)).not.toBe(before);
    });
  });
});
