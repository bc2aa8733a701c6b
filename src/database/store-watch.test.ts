import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { type StoreWatchParts, storeTrouble, storeWatch } from "./store-watch.js";

const fails = (code: string) => async (): Promise<void> => {
  throw Object.assign(new Error("secret-host refused"), { code });
};
const works = async (): Promise<void> => undefined;

function watched(parts: Partial<StoreWatchParts> = {}) {
  const clock = manualClock(1_000_000);
  const told: string[] = [];
  const state: { beat: () => Promise<void> } = { beat: works };
  const watch = storeWatch({
    beat: () => state.beat(),
    folder: undefined,
    clock,
    onTrouble: (_error, failures) => told.push(`lost ${failures}`),
    onRecovery: () => told.push("back"),
    ...parts,
  });
  return { clock, told, state, watch };
}

test("a store that takes writes has no trouble", async () => {
  const { watch, told } = watched();
  await watch.check();
  expect(watch.trouble()).toBeUndefined();
  expect(told).toEqual([]);
});

test("a store that is lost is told once, once a minute with the count of failures, and once when it is back", async () => {
  const { watch, told, state, clock } = watched();
  state.beat = fails("ECONNREFUSED");
  await watch.check();
  expect(watch.trouble()).toBe("the store cannot be reached");
  watch.note(new Error("a refresh"));
  await watch.check();
  expect(told).toEqual(["lost 1"]);
  clock.advance(MINUTE_MS);
  await watch.check();
  expect(told).toEqual(["lost 1", "lost 3"]);
  state.beat = works;
  await watch.check();
  expect(watch.trouble()).toBeUndefined();
  expect(told).toEqual(["lost 1", "lost 3", "back"]);
});

test("failures that others meet while the store takes writes are told at most once a minute", async () => {
  const { watch, told, clock } = watched();
  for (let second = 0; second < 90; second += 1) {
    watch.note(new Error("a refresh"));
    await watch.check();
    clock.advance(SECOND_MS);
  }
  expect(watch.trouble()).toBeUndefined();
  expect(told).toEqual(["lost 1", "lost 60"]);
});

test("a store that has not answered for longer than 5 s is in trouble before its check has ended", async () => {
  const { watch, state, clock } = watched();
  state.beat = () => clock.sleep(15 * SECOND_MS);
  const checking = watch.check();
  clock.advance(5 * SECOND_MS);
  expect(watch.trouble()).toBeUndefined();
  clock.advance(1);
  expect(watch.trouble()).toBe("the store has not answered for more than 5 s");
  clock.advance(10 * SECOND_MS);
  await checking;
  expect(watch.trouble()).toBeUndefined();
});

test.each([
  ["ENOSPC", "the disk of the store is full"],
  ["SQLITE_FULL", "the disk of the store is full"],
  ["EROFS", "the store cannot be written"],
  ["SQLITE_READONLY_DIRECTORY", "the store cannot be written"],
  ["SQLITE_BUSY", "another process holds the write lock of the store"],
  ["57P01", "the store cannot be reached"],
])("%s reads: %s", (code, sentence) => {
  expect(storeTrouble(Object.assign(new Error("of /secret/path"), { code }))).toBe(sentence);
});

test("a folder that takes no file of the size of a body is trouble, although the database takes rows", async () => {
  const { watch } = watched({ folder: "/somewhere", tryFile: fails("ENOSPC") });
  await watch.check();
  expect(watch.trouble()).toBe("the disk of the store is full");
});

test("trying the folder leaves nothing in it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vigil-watch-"));
  try {
    const { watch } = watched({ folder });
    await watch.check();
    expect(watch.trouble()).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
