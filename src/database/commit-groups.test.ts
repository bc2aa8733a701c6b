import { join } from "node:path";
import fc from "fast-check";
import { Kysely, type SqliteStatement, sql } from "kysely";
import { afterEach, expect, test } from "vitest";
import { disposedAfterEach, openSqliteStore } from "../../test/support/stores.js";
import type { GroupBounds } from "./commit-groups.js";
import type { SqliteConnection } from "./node-sqlite.js";
import { openDriver } from "./open.js";
import type { Database } from "./schema.js";
import { sqliteDialect } from "./sqlite-dialect.js";

const open = disposedAfterEach(openSqliteStore);
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const BOUNDS: GroupBounds = { membersMax: 64, msMax: 60_000 };

interface Watched {
  readonly db: Kysely<Database>;
  /** The statements that ran, in order. */
  readonly ran: string[];
  /** Runs before each statement and may throw in its place. */
  before: (statement: string, connection: SqliteConnection) => void;
  /** Returns the names that another connection sees. */
  names(): Promise<readonly string[]>;
}

/** A store with a separate connection. The statements on this connection are recorded. */
async function watched(groups = BOUNDS): Promise<Watched> {
  const { database, dataDir } = await open();
  const connection = await openDriver(join(dataDir, "vigil.db"));
  const watch: Watched = {
    ran: [],
    before: () => undefined,
    db: new Kysely<Database>({ dialect: sqliteDialect(observed(connection), { groups }) }),
    async names() {
      const rows = await database.db.selectFrom("lease").select("name").orderBy("name").execute();
      return rows.map(({ name }) => name);
    },
  };
  closing.push(() => watch.db.destroy());
  return watch;

  function observed(on: SqliteConnection): SqliteConnection {
    return {
      get inTransaction() {
        return on.inTransaction;
      },
      pragma: (pragma) => on.pragma(pragma),
      close: () => on.close(),
      prepare(text) {
        const statement = on.prepare(text);
        const noted = <T>(run: () => T): T => {
          watch.ran.push(text);
          watch.before(text, on);
          return run();
        };
        const both: SqliteStatement = {
          reader: statement.reader,
          all: (parameters) => noted(() => statement.all(parameters)),
          run: (parameters) => noted(() => statement.run(parameters)),
          iterate: (parameters) => statement.iterate(parameters),
        };
        return both;
      },
    };
  }
}

const row = (name: string) => ({ name, holder: "me", expires_at: 0 });
const add = (db: Kysely<Database>, name: string) => db.insertInto("lease").values(row(name)).execute();
const addInTransaction = (db: Kysely<Database>, name: string) => db.transaction().execute((on) => add(on, name));
const countOf = ({ ran }: Watched, statement: string): number => ran.filter((text) => text === statement).length;
const full = (): Error => Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
const outcomes = async (writes: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(writes)).map((settled) =>
    settled.status === "fulfilled" ? "done" : (settled.reason as Error).message,
  );

test("transactions and single writes that arrive together share one commit, and none is answered before it", async () => {
  const watch = await watched();
  const answeredBefore: string[] = [];
  const writes = ["a", "b", "c"].map((name) => addInTransaction(watch.db, name));
  writes.push(add(watch.db, "d"));
  for (const write of writes) void write.then(() => answeredBefore.push(String(countOf(watch, "commit"))));
  await Promise.all(writes);
  expect(answeredBefore).toEqual(["1", "1", "1", "1"]);
  expect([countOf(watch, "begin immediate"), countOf(watch, "savepoint member")]).toEqual([1, 4]);
  expect(await watch.names()).toEqual(["a", "b", "c", "d"]);
});

test("members of a group run one after the other in the order of their arrival", async () => {
  const { db } = await watched();
  const order: string[] = [];
  const write = (name: string) =>
    db.transaction().execute(async (on) => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      await add(on, name);
      order.push(`${name} ends`);
    });
  await Promise.all([write("a"), write("b"), write("c")]);
  expect(order).toEqual(["a", "b", "c"].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test("a failed member of a group gets its own error and stores nothing; the other members are stored", async () => {
  const watch = await watched();
  const failing = watch.db.transaction().execute(async (on) => {
    await add(on, "half");
    throw new Error("refused");
  });
  const writes = [
    addInTransaction(watch.db, "a"),
    failing,
    addInTransaction(watch.db, "a"),
    add(watch.db, "a"),
    add(watch.db, "b"),
  ];
  const duplicate = "UNIQUE constraint failed: lease.name";
  expect(await outcomes(writes)).toEqual(["done", "refused", duplicate, duplicate, "done"]);
  expect([await watch.names(), countOf(watch, "commit")]).toEqual([["a", "b"], 1]);
});

test("when the commit fails, all members get its error, nothing is stored, and the next write succeeds", async () => {
  const watch = await watched();
  watch.before = (statement) => {
    if (statement === "commit") throw full();
  };
  const refused = watch.db.transaction().execute(async () => {
    throw new Error("refused because of a row of this group");
  });
  const read = watch.db.selectFrom("lease").selectAll().execute();
  const writes = [addInTransaction(watch.db, "a"), add(watch.db, "b"), refused, read];
  expect(await outcomes(writes)).toEqual(Array.from({ length: 4 }, () => full().message));
  watch.before = () => undefined;
  await add(watch.db, "c");
  expect(await watch.names()).toEqual(["c"]);
});

test("when SQLite itself rolls a group back, its members get the error, and their later statements fail", async () => {
  const watch = await watched();
  watch.before = (statement, connection) => {
    if (!statement.startsWith("delete")) return;
    connection.prepare("rollback").run([]);
    throw full();
  };
  const first = addInTransaction(watch.db, "a");
  const stubborn = watch.db.transaction().execute(async (on) => {
    await on
      .deleteFrom("lease")
      .execute()
      .catch(() => undefined);
    await add(on, "outside");
  });
  const writes = [first, stubborn, addInTransaction(watch.db, "b")];
  expect(await outcomes(writes)).toEqual([full().message, full().message, "done"]);
  expect(await watch.names()).toEqual(["b"]);
});

test("a commit that fails and cannot be rolled back reports both errors", async () => {
  const watch = await watched();
  watch.before = (statement) => {
    if (statement === "commit" || statement === "rollback") throw new Error(`no ${statement}`);
  };
  await expect(add(watch.db, "a")).rejects.toMatchObject({
    errors: [{ message: "no commit" }, { message: "no rollback" }],
  });
});

test("a read during an open group sees the rows of the group, and is answered after their commit", async () => {
  const watch = await watched();
  const write = addInTransaction(watch.db, "a");
  const commitsSeen = watch.db
    .selectFrom("lease")
    .select("name")
    .execute()
    .then((rows) => [rows, countOf(watch, "commit")]);
  await write;
  expect(await commitsSeen).toEqual([[{ name: "a" }], 1]);
});

test("a streamed read commits the open group first", async () => {
  const watch = await watched();
  const write = addInTransaction(watch.db, "a");
  const names: string[] = [];
  for await (const { name } of watch.db.selectFrom("lease").select("name").stream()) names.push(name);
  await write;
  expect([names, countOf(watch, "commit")]).toEqual([["a"], 1]);
});

test("a read without an open group begins no transaction", async () => {
  const watch = await watched();
  await watch.db.selectFrom("lease").select("name").execute();
  expect(watch.ran).toEqual(['select "name" from "lease"']);
});

test.each([
  ["the maximum number of members", { membersMax: 3, msMax: 60_000 }, 3],
  ["the maximum duration", { membersMax: 64, msMax: 0 }, 7],
])(
  "a group is committed when it reaches %s, and the next group begins after other work of the event loop",
  async (_bound, bounds, commits) => {
    const watch = await watched(bounds);
    let turns = 0;
    let isDone = false;
    const others = (async () => {
      for (; !isDone; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    })();
    await Promise.all(Array.from({ length: 7 }, (_, at) => addInTransaction(watch.db, String(at))));
    isDone = true;
    await others;
    expect(countOf(watch, "commit")).toBe(commits);
    expect(turns).toBeGreaterThanOrEqual(commits);
  },
);

test("two transactions can run one after the other on a held connection", async () => {
  const { db, names } = await watched();
  await db.connection().execute(async (held) => {
    await addInTransaction(held, "a");
    await sql`select 1`.execute(held);
    await addInTransaction(held, "b");
  });
  expect(await names()).toEqual(["a", "b"]);
});

test("closing the store commits finished members and rolls back a transaction that is still running", async () => {
  const finished = await watched();
  const write = addInTransaction(finished.db, "a");
  // The member ends in the microtasks of this turn; its group would commit at the end of the turn.
  for (let step = 0; countOf(finished, "release member") === 0 && step < 100; step += 1) await undefined;
  await finished.db.destroy();
  await write;
  expect(await finished.names()).toEqual(["a"]);

  const running = await watched();
  let close = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const open = running.db.transaction().execute(async (on) => {
    await add(on, "b");
    close();
    await new Promise((resolve) => setImmediate(resolve));
  });
  const rejected = expect(open).rejects.toThrow("the store was closed in the middle of a transaction");
  await closed;
  await running.db.destroy();
  await rejected;
  expect(await running.names()).toEqual([]);
});

const step = fc.record({
  kind: fc.constantFrom("transaction" as const, "single" as const, "refused" as const),
  /** Number of turns of the event loop before the next step. */
  pause: fc.nat({ max: 2 }),
});

test("exactly the writes that were acknowledged are stored, whichever commits fail", async () => {
  const watch = await watched({ membersMax: 4, msMax: 60_000 });
  const written = (name: string, isRefused: boolean) =>
    watch.db.transaction().execute(async (on) => {
      await add(on, name);
      if (isRefused) throw new Error("refused");
    });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.array(fc.boolean(), { maxLength: 6 }),
      async (steps, fails) => {
        run += 1;
        const failing = [...fails];
        watch.before = (statement) => {
          if (statement === "commit" && failing.shift()) throw full();
        };
        const writes: { readonly name: string; readonly done: Promise<boolean> }[] = [];
        for (const [at, { kind, pause }] of steps.entries()) {
          const name = `${String(run).padStart(6, "0")} ${String(at).padStart(2, "0")}`;
          const done = kind === "single" ? add(watch.db, name) : written(name, kind === "refused");
          writes.push({
            name,
            done: done.then(
              () => true,
              () => false,
            ),
          });
          for (let turns = 0; turns < pause; turns += 1) await new Promise((resolve) => setImmediate(resolve));
        }
        const settled = await Promise.all(writes.map(async ({ name, done }) => ((await done) ? [name] : [])));
        watch.before = () => undefined;
        const stored = (await watch.names()).filter((name) => name.startsWith(String(run).padStart(6, "0")));
        expect(stored).toEqual(settled.flat());
      },
    ),
    { numRuns: 50 },
  );
});
