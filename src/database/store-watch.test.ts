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
  const messages: string[] = [];
  const state: { beat: () => Promise<void> } = { beat: works };
  const watch = storeWatch({
    beat: () => state.beat(),
    folder: undefined,
    clock,
    onTrouble: (_error, failures) => messages.push(`lost ${failures}`),
    onRecovery: () => messages.push("back"),
    ...parts,
  });
  return { clock, messages, state, watch };
}

test("a writable store has no trouble", async () => {
  const { watch, messages } = watched();
  await watch.check();
  expect(watch.trouble()).toBeUndefined();
  expect(messages).toEqual([]);
});

test("a lost store is reported once, then once a minute with the number of failures, and once when it is back", async () => {
  const { watch, messages, state, clock } = watched();
  state.beat = fails("ECONNREFUSED");
  await watch.check();
  expect(watch.trouble()).toBe("the store cannot be reached");
  watch.note(new Error("a refresh"));
  await watch.check();
  expect(messages).toEqual(["lost 1"]);
  clock.advance(MINUTE_MS);
  await watch.check();
  expect(messages).toEqual(["lost 1", "lost 3"]);
  state.beat = works;
  await watch.check();
  expect(watch.trouble()).toBeUndefined();
  expect(messages).toEqual(["lost 1", "lost 3", "back"]);
});

test("failures that are noted elsewhere while the store is writable are reported at most once a minute", async () => {
  const { watch, messages, clock } = watched();
  for (let second = 0; second < 90; second += 1) {
    watch.note(new Error("a refresh"));
    await watch.check();
    clock.advance(SECOND_MS);
  }
  expect(watch.trouble()).toBeUndefined();
  expect(messages).toEqual(["lost 1", "lost 60"]);
});

test("a store is in trouble after 5 s without an answer, before its check has ended", async () => {
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
])("error code %s is reported as: %s", (code, sentence) => {
  expect(storeTrouble(Object.assign(new Error("of /secret/path"), { code }))).toBe(sentence);
});

test("a store whose folder has no room for a body is in trouble, even if the database accepts rows", async () => {
  const { watch } = watched({ folder: "/somewhere", tryFile: fails("ENOSPC") });
  await watch.check();
  expect(watch.trouble()).toBe("the disk of the store is full");
});

test("checking the folder leaves no file in it", async () => {
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
