import { createHash } from "node:crypto";
import { readdir, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { describeEachStore, disposedAfterEach, openSqliteStore } from "../../test/support/stores.js";
import { manualClock } from "../kit/manual-clock.js";
import { bodyStore, UnreadableBody } from "./bodies.js";
import type { OpenDatabase } from "./open-database.js";

const START = Date.UTC(2026, 10, 18, 12);
const bytes = Buffer.from([0, 255, 10, 13, 0, 39, 92]);
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

await describeEachStore((open) => {
  async function opened() {
    const { database, dataDir } = await open();
    return bodyStore(database, dataDir, manualClock(START));
  }

  test("the stored bytes of a body are returned unchanged", async () => {
    const bodies = await opened();
    await bodies.put(hashOf("a"), bytes);
    await bodies.put(hashOf("empty"), Buffer.alloc(0));
    expect(await bodies.get(hashOf("a"))).toEqual(bytes);
    expect(await bodies.get(hashOf("empty"))).toEqual(Buffer.alloc(0));
  });

  test("reading an unknown hash returns undefined", async () => {
    expect(await (await opened()).get(hashOf("unknown"))).toBeUndefined();
  });

  test("storing a body again replaces it, so that a damaged body can be repaired", async () => {
    const bodies = await opened();
    await bodies.put(hashOf("a"), Buffer.from("damaged"));
    await bodies.put(hashOf("a"), bytes);
    expect(await bodies.get(hashOf("a"))).toEqual(bytes);
    expect(await bodies.list()).toHaveLength(1);
  });

  test("`list` returns the stored bodies, and no removed ones", async () => {
    const bodies = await opened();
    expect(await bodies.list()).toEqual([]);
    await bodies.put(hashOf("a"), bytes);
    await bodies.put(hashOf("b"), bytes);
    expect((await bodies.list()).map(({ contentHash }) => contentHash).sort()).toEqual(
      [hashOf("a"), hashOf("b")].sort(),
    );
    await bodies.remove(hashOf("a"));
    expect((await bodies.list()).map(({ contentHash }) => contentHash)).toEqual([hashOf("b")]);
    expect(await bodies.get(hashOf("a"))).toBeUndefined();
  });

  test("removing a missing body succeeds", async () => {
    await expect((await opened()).remove(hashOf("unknown"))).resolves.toBeUndefined();
  });

  test("several bodies can be stored concurrently", async () => {
    const bodies = await opened();
    const names = Array.from({ length: 20 }, (_, index) => String(index));
    await Promise.all(names.map((name) => bodies.put(hashOf(name), Buffer.from(name))));
    for (const name of names) expect(await bodies.get(hashOf(name))).toEqual(Buffer.from(name));
  });

  // In a folder, each write uses a temporary file of its own, so concurrent writes do not collide.
  test("the same body can be stored several times concurrently", async () => {
    const bodies = await opened();
    const puts = Array.from({ length: 10 }, () => bodies.put(hashOf("a"), bytes));
    await Promise.all(puts);
    expect(await bodies.get(hashOf("a"))).toEqual(bytes);
  });
});

await describeEachStore((open, name) => {
  /** A body store in which either one body or everything is unreadable. */
  async function openedWithout(unreadable: "one body" | "the store") {
    const { database, dataDir } = await open();
    if (name === "postgres") await failReads(database, unreadable === "one body" ? "XX001" : "57P03");
    else if (unreadable === "the store") await writeFile(join(dataDir, "bodies"), "a file in place of the folder");
    const bodies = bodyStore(database, dataDir, manualClock(START));
    if (name === "sqlite" && unreadable === "one body") {
      await bodies.list();
      // A link to itself fails for every user, root included.
      const file = join(dataDir, "bodies", hashOf("a"));
      await symlink(file, file);
    }
    return bodies;
  }

  test("a body that cannot be read is reported as unreadable", async () => {
    await expect((await openedWithout("one body")).get(hashOf("a"))).rejects.toThrow(UnreadableBody);
  });

  test("a failure of the whole store is not reported as an unreadable body", async () => {
    await expect((await openedWithout("the store")).get(hashOf("a"))).rejects.not.toThrow(UnreadableBody);
  });
});

/** Replaces the table of bodies with a view in which every read fails with this code. */
async function failReads({ db }: OpenDatabase, code: string): Promise<void> {
  const body = `begin raise exception 'missing chunk number 0 for toast value 16391' using errcode = '${code}'; end`;
  await sql`create function failing() returns bytea language plpgsql as ${sql.lit(body)}`.execute(db);
  await sql`alter table body rename to stored_body`.execute(db);
  await sql`create view body as select ${sql.lit(hashOf("a"))} as content_hash, failing() as bytes`.execute(db);
}

describe("files", () => {
  const open = disposedAfterEach(openSqliteStore);
  async function opened() {
    const { database, dataDir } = await open();
    const bodies = bodyStore(database, dataDir, manualClock(START));
    // `list` waits until the folder has been created.
    await bodies.list();
    return { bodies, folder: join(dataDir, "bodies") };
  }

  test("body files are private to the owner, and no temporary file remains", async () => {
    const { bodies, folder } = await opened();
    await bodies.put(hashOf("a"), bytes);
    expect(await readdir(folder)).toEqual([hashOf("a")]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, hashOf("a")))).mode & 0o777).toBe(0o600);
  });

  test("the leftover file of an interrupted write is listed and can be removed", async () => {
    const { bodies, folder } = await opened();
    const leftover = `.${hashOf("a")}.4711.new`;
    await writeFile(join(folder, leftover), "half");
    await utimes(join(folder, leftover), START / 1_000, START / 1_000);
    expect(await bodies.list()).toEqual([{ contentHash: leftover, bytes: "half".length, storedAt: START }]);
    expect(await bodies.get(hashOf("a"))).toBeUndefined();
    await bodies.remove(leftover);
    expect(await readdir(folder)).toEqual([]);
  });

  test("a file that cannot be read is repaired by storing the body again", async () => {
    const { bodies, folder } = await opened();
    await symlink(join(folder, hashOf("a")), join(folder, hashOf("a")));
    await bodies.put(hashOf("a"), bytes);
    expect(await bodies.get(hashOf("a"))).toEqual(bytes);
  });

  // `list` first reads the names in the folder and then the size of each file. To `list`, a dangling link looks like a
  // temporary file that was renamed in between.
  test("a file that disappears while the folder is read is not listed", async () => {
    const { bodies, folder } = await opened();
    await bodies.put(hashOf("a"), bytes);
    await symlink(join(folder, "gone"), join(folder, `.${hashOf("b")}.4711.new`));
    expect((await bodies.list()).map(({ contentHash }) => contentHash)).toEqual([hashOf("a")]);
  });
});

test("the table of bodies stores the time of the injected clock", async () => {
  const clock = manualClock(START);
  const open = await openSqliteStore();
  try {
    // SQLite has the same table as PostgreSQL, but `bodyStore` uses the table only for PostgreSQL.
    const bodies = bodyStore({ ...open.database, dialect: "postgres" }, open.dataDir, clock);
    await bodies.put(hashOf("a"), bytes);
    clock.advance(5);
    await bodies.put(hashOf("b"), bytes);
    expect(await bodies.list()).toEqual([
      { contentHash: hashOf("a"), bytes: bytes.length, storedAt: START },
      { contentHash: hashOf("b"), bytes: bytes.length, storedAt: START + 5 },
    ]);
  } finally {
    await open.dispose();
  }
});
