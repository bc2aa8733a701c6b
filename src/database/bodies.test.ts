import { createHash } from "node:crypto";
import { readdir, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { describeEachStore, disposedAfterEach, openSqliteStore } from "../../test/support/stores.js";
import { manualClock } from "../kit/manual-clock.js";
import { bodyStore } from "./bodies.js";

const START = Date.UTC(2026, 10, 18, 12);
const bytes = Buffer.from([0, 255, 10, 13, 0, 39, 92]);
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

await describeEachStore((open) => {
  async function opened() {
    const { database, dataDir } = await open();
    return bodyStore(database, dataDir, manualClock(START));
  }

  test("gives back the bytes that were put, whatever they are", async () => {
    const bodies = await opened();
    await bodies.put(hashOf("a"), bytes);
    await bodies.put(hashOf("empty"), Buffer.alloc(0));
    expect(await bodies.get(hashOf("a"))).toEqual(bytes);
    expect(await bodies.get(hashOf("empty"))).toEqual(Buffer.alloc(0));
  });

  test("has nothing under an unknown hash", async () => {
    expect(await (await opened()).get(hashOf("unknown"))).toBeUndefined();
  });

  test("putting again replaces, so that a damaged body can be repaired", async () => {
    const bodies = await opened();
    await bodies.put(hashOf("a"), Buffer.from("damaged"));
    await bodies.put(hashOf("a"), bytes);
    expect(await bodies.get(hashOf("a"))).toEqual(bytes);
    expect(await bodies.list()).toHaveLength(1);
  });

  test("lists what is stored, and nothing once it is removed", async () => {
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

  test("removing what is not there is no fault", async () => {
    await expect((await opened()).remove(hashOf("unknown"))).resolves.toBeUndefined();
  });

  test("several bodies can be put at once", async () => {
    const bodies = await opened();
    const names = Array.from({ length: 20 }, (_, index) => String(index));
    await Promise.all(names.map((name) => bodies.put(hashOf(name), Buffer.from(name))));
    for (const name of names) expect(await bodies.get(hashOf(name))).toEqual(Buffer.from(name));
  });
});

await describeEachStore((open, name) => {
  const guarantee = "the same body can be put twice at once";
  const run = async () => {
    const { database, dataDir } = await open();
    const bodies = bodyStore(database, dataDir, manualClock(START));
    const puts = Array.from({ length: 10 }, () => bodies.put(hashOf("a"), bytes));
    await Promise.all(puts);
    expect(await bodies.get(hashOf("a"))).toEqual(bytes);
  };
  if (name === "postgres") test(guarantee, run);
  // Every writer of one process uses the same temporary name.
  else test(guarantee, run);
});

describe("files", () => {
  const open = disposedAfterEach(openSqliteStore);
  async function opened() {
    const { database, dataDir } = await open();
    const bodies = bodyStore(database, dataDir, manualClock(START));
    // Listing waits for the folder.
    await bodies.list();
    return { bodies, folder: join(dataDir, "bodies") };
  }

  test("are for the owner alone and leave no temporary file", async () => {
    const { bodies, folder } = await opened();
    await bodies.put(hashOf("a"), bytes);
    expect(await readdir(folder)).toEqual([hashOf("a")]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, hashOf("a")))).mode & 0o777).toBe(0o600);
  });

  test("a write that a crash cut short is listed as an orphan and can be removed", async () => {
    const { bodies, folder } = await opened();
    const leftover = `.${hashOf("a")}.4711.new`;
    await writeFile(join(folder, leftover), "half");
    await utimes(join(folder, leftover), START / 1_000, START / 1_000);
    expect(await bodies.list()).toEqual([{ contentHash: leftover, storedAt: START }]);
    expect(await bodies.get(hashOf("a"))).toBeUndefined();
    await bodies.remove(leftover);
    expect(await readdir(folder)).toEqual([]);
  });

  // A dangling link is to `list` what a temporary file is that is renamed between its two steps.
  test("a file that goes away while the folder is read is left out of the list", async () => {
    const { bodies, folder } = await opened();
    await bodies.put(hashOf("a"), bytes);
    await symlink(join(folder, "gone"), join(folder, `.${hashOf("b")}.4711.new`));
    expect((await bodies.list()).map(({ contentHash }) => contentHash)).toEqual([hashOf("a")]);
  });
});

test("rows remember when they were stored by the given clock", async () => {
  const clock = manualClock(START);
  const open = await openSqliteStore();
  try {
    // The table is the same on both dialects; only its choice goes by the dialect.
    const bodies = bodyStore({ ...open.database, dialect: "postgres" }, open.dataDir, clock);
    await bodies.put(hashOf("a"), bytes);
    clock.advance(5);
    await bodies.put(hashOf("b"), bytes);
    expect(await bodies.list()).toEqual([
      { contentHash: hashOf("a"), storedAt: START },
      { contentHash: hashOf("b"), storedAt: START + 5 },
    ]);
  } finally {
    await open.dispose();
  }
});
