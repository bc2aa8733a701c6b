import { describe, expect, test } from "vitest";
import { buildOf, disposedAfterEach, finishedRun, openSqliteStore } from "../../test/support/stores.js";
import { dataset } from "../contract/dataset.js";
import type { PartStatus } from "../contract/snapshot.js";
import { bodyStore } from "../database/bodies.js";
import { DAY_MS, HOUR_MS } from "../kit/clock.js";
import { LoopTurns, type Steps } from "../kit/loop-turns.js";
import { manualClock } from "../kit/manual-clock.js";
import type { DatasetStatus } from "./generation.js";
import { snapshotRegistry } from "./registry.js";
import { type SnapshotStore, snapshotStore } from "./store.js";

const START = Date.UTC(2026, 10, 18, 12);
const EARLIER_BYTES_MAX = 50_000;
const fresh = { state: "fresh", confirmedAt: START, error: null, validators: {} } as const;

/** A dataset of one list of numbers. Its view is the sum of the numbers, and rejects a string. */
const sums = dataset({
  name: "sums",
  title: "Sums",
  description: "Numbers and their sum.",
  cadenceMs: HOUR_MS,
  staleAfterMs: 3 * HOUR_MS,
  contentAgeMaxMs: DAY_MS,
  gaps: [],
  parts: {},
  gateRule: "none",
  gate: () => undefined,
  view: (records: Readonly<Record<string, readonly unknown[]>>) => ({
    sum: (records["numbers"] ?? []).reduce<number>((sum, value) => {
      if (typeof value !== "number") throw new TypeError(`${value} is not a number`);
      return sum + value;
    }, 0),
  }),
  newestAt: () => null,
});
/** A dataset whose view is its stored rows. */
const rows = dataset({
  name: "rows",
  title: "Rows",
  description: "Rows with an id.",
  cadenceMs: HOUR_MS,
  staleAfterMs: 3 * HOUR_MS,
  gaps: [],
  parts: {},
  gateRule: "none",
  gate: () => undefined,
  view: (records: Readonly<Record<string, readonly unknown[]>>) => records["rows"] ?? [],
  viewHoldsRecords: true,
  newestAt: () => null,
});
const { contentAgeMaxMs: _limit, ...withoutAgeLimit } = sums;
const ageless = dataset({ ...withoutAgeLimit, name: "ageless" });
const unregistered = dataset({ ...sums, name: "unregistered" });

const open = disposedAfterEach(openSqliteStore);

async function opened() {
  const { database, dataDir, openAgain } = await open();
  const clock = manualClock(START);
  const bodies = bodyStore(database, dataDir, clock);
  const store = snapshotStore(database, bodies);
  const reports: unknown[] = [];
  const registryOn = (on: SnapshotStore) =>
    snapshotRegistry({
      store: on,
      datasets: [sums, ageless, rows],
      clock,
      turns: new LoopTurns(),
      report: (name, error) => reports.push([name, String(error)]),
      earlierBytesMax: EARLIER_BYTES_MAX,
    });
  const registry = registryOn(store);
  return {
    clock,
    bodies,
    store,
    registry,
    registryOn,
    reports,
    openAgain: async () => snapshotStore(await openAgain(), bodies),
    /** Publishes these numbers at the clock's time. */
    publish: (numbers: readonly unknown[], changes: Partial<DatasetStatus> = {}, newestAt: number | null = null) =>
      publishOn(store, numbers, clock.now(), changes, newestAt),
    /** Records, at the clock's time, a run that published nothing. */
    fail: (error: string, changes: Partial<DatasetStatus> = {}) =>
      store.recordRun(
        finishedRun("sums", clock.now(), { outcome: "failed", checkedAt: null, error, failuresInRow: 1, ...changes }),
      ),
  };
}

function publishOn(
  store: SnapshotStore,
  numbers: readonly unknown[],
  at: number,
  changes: Partial<DatasetStatus> = {},
  newestAt: number | null = null,
  name = "sums",
) {
  return store.publish(name, buildOf({ numbers }, newestAt), finishedRun(name, at, changes), at);
}

describe("a dataset whose view holds its records", () => {
  const publishRows = (store: SnapshotStore, list: readonly unknown[]) =>
    store.publish("rows", buildOf({ rows: list }), finishedRun("rows", START), START);

  test("shares equal records among its generations in memory", async () => {
    const { registry, store } = await opened();
    await publishRows(store, [{ id: "a" }, { id: "b", value: 1 }]);
    await registry.refresh();
    await publishRows(store, [{ id: "new" }, { id: "a" }, { id: "b", value: 2 }]);
    await registry.refresh();
    const [older, newer] = await Promise.all([registry.at(rows, 1), registry.at(rows, 2)]);
    expect(older?.view).toEqual([{ id: "a" }, { id: "b", value: 1 }]);
    expect(newer?.view).toEqual([{ id: "new" }, { id: "a" }, { id: "b", value: 2 }]);
    expect(newer?.view[1]).toBe(older?.view[0]);
  });

  test("shares equal records with a generation that is read from the store later", async () => {
    const { registryOn, store } = await opened();
    await publishRows(store, [{ id: "a" }]);
    await publishRows(store, [{ id: "a" }, { id: "b" }]);
    const registry = registryOn(store);
    await registry.refresh();
    const [older, newer] = await Promise.all([registry.at(rows, 1), registry.at(rows, 2)]);
    expect(older?.view).toEqual([{ id: "a" }]);
    expect(older?.view[0]).toBe(newer?.view[0]);
  });
});

describe("a dataset that was never built", () => {
  test("is absent before the first refresh and before the first build", async () => {
    const { registry } = await opened();
    const absent = { available: false, state: "absent", reason: "not built yet", attempt: null };
    expect(registry.get(sums)).toEqual(absent);
    await registry.refresh();
    expect(registry.get(sums)).toEqual(absent);
    expect(registry.status(sums)).toBeUndefined();
    expect(registry.generation(sums)).toBeUndefined();
  });

  test("has the reason for the last failure, and stays absent regardless of how much time passes", async () => {
    const { registry, clock, fail } = await opened();
    await fail("numbers: unavailable: no answer");
    await registry.refresh();
    clock.advance(365 * DAY_MS);
    const reason = "numbers: unavailable: no answer";
    expect(registry.get(sums)).toEqual({
      available: false,
      state: "absent",
      reason,
      attempt: { at: START, ended: "failed" },
    });
    expect(registry.status(sums)).toMatchObject({ outcome: "failed", checkedAt: null });
  });

  test("differs from an unregistered dataset, whose lookup throws", async () => {
    const { registry } = await opened();
    expect(() => registry.get(unregistered)).toThrow("dataset unregistered is not registered");
  });
});

describe("an ok dataset", () => {
  test("has its view and every value that an answer reports about the dataset", async () => {
    const { registry, publish } = await opened();
    const newestAt = START - HOUR_MS;
    const generation = await publish([1, 2], { nextAt: START + HOUR_MS, parts: { numbers: fresh } }, newestAt);
    await registry.refresh();
    expect(registry.get(sums)).toEqual({
      available: true,
      state: "ok",
      view: { sum: 3 },
      generation: 1,
      contentHash: generation.contentHash,
      builtAt: START,
      checkedAt: START,
      newestAt,
      nextBuildAt: START + HOUR_MS,
      attempt: { at: START, ended: "ok" },
      parts: { numbers: fresh },
    });
    expect(registry.generation(sums)).toEqual(generation);
  });

  test("yields the same object while nothing changes", async () => {
    const { registry, publish, clock } = await opened();
    await publish([1]);
    await registry.refresh();
    const first = registry.get(sums);
    clock.advance(HOUR_MS);
    expect(registry.get(sums)).toBe(first);
  });

  test("keeps its view across refreshes, so that the view is built once per generation", async () => {
    const { registry, publish, clock } = await opened();
    const viewNow = () => {
      const snapshot = registry.get(sums);
      return snapshot.available ? snapshot.view : undefined;
    };
    await publish([1]);
    await registry.refresh();
    const first = viewNow();
    clock.advance(1);
    await publish([1]);
    await registry.refresh();
    expect(viewNow()).toBe(first);
    expect(registry.get(sums)).toMatchObject({ generation: 1, builtAt: START, checkedAt: START + 1 });
  });

  test("adopts a generation published by another process", async () => {
    const { registry, openAgain, publish, clock } = await opened();
    await publish([1]);
    await registry.refresh();
    clock.advance(1);
    await publishOn(await openAgain(), [1, 1], clock.now());
    expect(registry.get(sums)).toMatchObject({ generation: 1, view: { sum: 1 } });
    await registry.refresh();
    expect(registry.get(sums)).toMatchObject({ generation: 2, view: { sum: 2 }, builtAt: START + 1 });
  });
});

describe("a dataset with parts", () => {
  const part = (state: PartStatus["state"]) => ({ ...fresh, state, error: state === "fresh" ? null : "no answer" });

  test.each([
    { condition: "both parts are fresh", parts: { a: part("fresh"), b: part("fresh") }, state: "ok" },
    { condition: "one part is kept", parts: { a: part("fresh"), b: part("kept") }, state: "partial" },
    { condition: "one part is missing", parts: { a: part("missing"), b: part("fresh") }, state: "partial" },
    { condition: "one part is kept and one missing", parts: { a: part("kept"), b: part("missing") }, state: "partial" },
    { condition: "its run reports no parts", parts: {}, state: "ok" },
  ])("has the state $state if $condition", async ({ parts, state }) => {
    const { registry, publish } = await opened();
    await publish([1], { parts });
    await registry.refresh();
    expect(registry.get(sums)).toMatchObject({ available: true, state, parts });
  });

  test("is partial after a run that kept a part, and ok after a complete run, within the same generation", async () => {
    const { registry, publish, clock } = await opened();
    await publish([1], { parts: { a: part("fresh") } });
    clock.advance(1);
    await publish([1], { parts: { a: part("kept") } });
    await registry.refresh();
    expect(registry.get(sums)).toMatchObject({ state: "partial", generation: 1 });
    clock.advance(1);
    await publish([1], { parts: { a: part("fresh") } });
    await registry.refresh();
    expect(registry.get(sums)).toMatchObject({ state: "ok", generation: 1 });
  });
});

describe("an ageing dataset", () => {
  const kept = { a: { ...fresh, state: "kept" } } as const;

  test.each([
    { reached: "because its last confirmation is too old", which: sums, newestAt: null, limitMs: 3 * HOUR_MS },
    { reached: "although its content is young", which: sums, newestAt: START, limitMs: 3 * HOUR_MS },
    {
      reached: "because its newest observation is too old",
      which: sums,
      newestAt: START - 22 * HOUR_MS,
      limitMs: 2 * HOUR_MS,
    },
    { reached: "without a limit to the age of its content", which: ageless, newestAt: 0, limitMs: 3 * HOUR_MS },
  ])("becomes stale exactly at its threshold, $reached", async ({ which, newestAt, limitMs }) => {
    const { registry, store, clock } = await opened();
    await publishOn(store, [1], START, {}, newestAt, which.name);
    await registry.refresh();
    clock.set(START + limitMs - 1);
    const before = registry.get(which);
    expect(before).toMatchObject({ state: "ok" });
    clock.advance(1);
    expect(registry.get(which)).toEqual({ ...before, state: "stale" });
    clock.advance(365 * DAY_MS);
    expect(registry.get(which)).toEqual({ ...before, state: "stale" });
  });

  test("is no longer stale when the clock is set back", async () => {
    const { registry, publish, clock } = await opened();
    await publish([1]);
    await registry.refresh();
    clock.advance(DAY_MS);
    expect(registry.get(sums)).toMatchObject({ state: "stale" });
    clock.set(START + HOUR_MS);
    expect(registry.get(sums)).toMatchObject({ state: "ok" });
    clock.set(START + 3 * HOUR_MS);
    expect(registry.get(sums)).toMatchObject({ state: "stale" });
  });

  test("is stale at once if its content is too old on arrival", async () => {
    const { registry, publish } = await opened();
    await publish([1], {}, START - DAY_MS);
    await registry.refresh();
    expect(registry.get(sums)).toMatchObject({ state: "stale" });
  });

  test("is fresh again after a confirmation of the same content", async () => {
    const { registry, publish, clock } = await opened();
    await publish([1]);
    clock.advance(3 * HOUR_MS);
    await registry.refresh();
    expect(registry.get(sums)).toMatchObject({ state: "stale" });
    await publish([1]);
    await registry.refresh();
    expect(registry.get(sums)).toMatchObject({ state: "ok", generation: 1, checkedAt: START + 3 * HOUR_MS });
  });

  test("becomes stale on time despite failed runs", async () => {
    const { registry, publish, fail, clock } = await opened();
    await publish([1]);
    clock.advance(3 * HOUR_MS);
    await fail("no answer", { checkedAt: START });
    await registry.refresh();
    expect(registry.get(sums)).toMatchObject({ state: "stale", checkedAt: START });
  });

  test("is stale rather than partial if both states apply", async () => {
    const { registry, publish, clock } = await opened();
    await publish([1], { parts: kept });
    await registry.refresh();
    expect(registry.get(sums)).toMatchObject({ state: "partial" });
    clock.advance(3 * HOUR_MS);
    expect(registry.get(sums)).toMatchObject({ state: "stale", parts: kept });
  });

  test("counts its age from the build if no confirmation is recorded", async () => {
    const { registry, publish, clock } = await opened();
    await publish([1], { checkedAt: null });
    await registry.refresh();
    clock.advance(3 * HOUR_MS - 1);
    expect(registry.get(sums)).toMatchObject({ state: "ok", checkedAt: START });
    clock.advance(1);
    expect(registry.get(sums)).toMatchObject({ state: "stale" });
  });
});

describe("an unreadable dataset", () => {
  test("has its damaged body as the reason, is reported once, and is ok again after a repair", async () => {
    const { registry, publish, bodies, clock, reports } = await opened();
    const { contentHash } = await publish([1, 2]);
    await bodies.put(contentHash, Buffer.from("damaged"));
    await registry.refresh();
    await registry.refresh();
    const reason = `body ${contentHash.slice(0, 12)} cannot be unpacked`;
    expect(registry.get(sums)).toMatchObject({ available: false, state: "unreadable", reason });
    expect(registry.generation(sums)).toBeUndefined();
    expect(reports).toEqual([["sums", `BodyDamaged: ${reason}`]]);
    clock.advance(1);
    await publish([1, 2]);
    await registry.refresh();
    expect(registry.get(sums)).toMatchObject({ state: "ok", generation: 1, view: { sum: 3 } });
  });

  test("has its missing body as the reason", async () => {
    const { registry, publish, bodies } = await opened();
    const { contentHash } = await publish([1]);
    await bodies.remove(contentHash);
    await registry.refresh();
    const reason = `body ${contentHash.slice(0, 12)} is gone`;
    expect(registry.get(sums)).toMatchObject({ available: false, state: "unreadable", reason });
  });

  test("logs the error of a view that rejects its records, without serving the error", async () => {
    const { registry, publish, reports } = await opened();
    await publish(["a text"]);
    await registry.refresh();
    const reason = "the stored records could not be read";
    expect(registry.get(sums)).toMatchObject({ available: false, state: "unreadable", reason });
    expect(reports).toEqual([["sums", "TypeError: a text is not a number"]]);
  });

  test("is readable again with the next generation", async () => {
    const { registry, publish, clock } = await opened();
    await publish(["a text"]);
    await registry.refresh();
    clock.advance(1);
    await publish([4]);
    await registry.refresh();
    expect(registry.get(sums)).toMatchObject({ state: "ok", generation: 2, view: { sum: 4 } });
  });

  test("is read again after a short failure of the store, without a new build", async () => {
    const { registryOn, publish, store, clock, reports } = await opened();
    await publish([1, 2]);
    let isLost = true;
    const registry = registryOn({
      ...store,
      records: (generation) => (isLost ? Promise.reject(new Error("connection lost")) : store.records(generation)),
    });
    await registry.refresh();
    expect(registry.get(sums)).toMatchObject({ available: false, state: "unreadable" });
    expect(registry.unreadable()).toEqual([]);
    clock.advance(15_000);
    await registry.refresh();
    expect(reports).toEqual([["sums", "Error: connection lost"]]);
    isLost = false;
    clock.advance(14_999);
    await registry.refresh();
    expect(registry.get(sums)).toMatchObject({ state: "unreadable" });
    clock.advance(1);
    await registry.refresh();
    expect(registry.get(sums)).toMatchObject({ state: "ok", generation: 1, view: { sum: 3 } });
  });

  test("with damaged content is due for a new build", async () => {
    const { registry, publish } = await opened();
    await publish(["a text"]);
    await registry.refresh();
    expect(registry.unreadable()).toEqual([sums]);
  });

  test("does not affect other datasets", async () => {
    const { registry, publish, store } = await opened();
    await publish(["a text"]);
    await publishOn(store, [5], START, {}, null, "ageless");
    await registry.refresh();
    expect(registry.get(sums)).toMatchObject({ state: "unreadable" });
    expect(registry.get(ageless)).toMatchObject({ state: "ok", view: { sum: 5 } });
  });

  test("a dataset whose body is lost after loading is still served from memory", async () => {
    const { registry, publish, bodies } = await opened();
    const { contentHash } = await publish([1]);
    await registry.refresh();
    await bodies.remove(contentHash);
    await registry.refresh();
    expect(registry.get(sums)).toMatchObject({ state: "ok", view: { sum: 1 } });
  });
});

describe("refresh", () => {
  /** Creates a store whose generation lookups pause until the test releases them one by one. */
  function paused(store: SnapshotStore) {
    const waiting: (() => void)[] = [];
    let looks = 0;
    const newestOfAll = async () => {
      looks++;
      const seen = await store.newestOfAll();
      await new Promise<void>((resolve) => waiting.push(resolve));
      return seen;
    };
    return {
      store: { ...store, newestOfAll },
      /** Releases the oldest paused lookup, waiting for one if necessary. */
      async letGo() {
        await expect.poll(() => waiting.length, { interval: 1 }).toBeGreaterThan(0);
        waiting.shift()?.();
      },
      get looks() {
        return looks;
      },
    };
  }

  test("loads once more for all calls made during a load, regardless of their number", async () => {
    const { store, registryOn } = await opened();
    const slow = paused(store);
    const registry = registryOn(slow.store);
    const calls = Array.from({ length: 50 }, () => registry.refresh());
    await slow.letGo();
    await slow.letGo();
    await Promise.all(calls);
    expect(slow.looks).toBe(2);
  });

  test("resolves a call made during a load only after adopting everything committed before the call", async () => {
    const { store, registryOn, publish } = await opened();
    const slow = paused(store);
    const registry = registryOn(slow.store);
    const first = registry.refresh();
    await expect.poll(() => slow.looks).toBe(1);
    await publish([7]);
    const second = registry.refresh();
    await slow.letGo();
    await first;
    await slow.letGo();
    await second;
    expect(registry.get(sums)).toMatchObject({ state: "ok", view: { sum: 7 } });
  });

  // This test would fail if the third call returned when the first load ends, before the load for the second call has
  // begun.
  test("resolves each of several calls made during a load only after adopting everything committed before that call", async () => {
    const { store, registryOn, publish } = await opened();
    const slow = paused(store);
    const registry = registryOn(slow.store);
    const first = registry.refresh();
    await expect.poll(() => slow.looks).toBe(1);
    await publish([7]);
    const second = registry.refresh();
    const third = registry.refresh().then(() => registry.get(sums));
    await slow.letGo();
    await first;
    await slow.letGo();
    await second;
    expect(await third).toMatchObject({ state: "ok", view: { sum: 7 } });
  });

  test("rejects if its load fails, changes nothing, and works the next time", async () => {
    const { store, registryOn, publish } = await opened();
    let down = true;
    const statuses = () => (down ? Promise.reject(new Error("connection lost")) : store.statuses());
    const registry = registryOn({ ...store, statuses });
    await publish([1]);
    await expect(registry.refresh()).rejects.toThrow("connection lost");
    expect(registry.get(sums)).toMatchObject({ state: "absent" });
    down = false;
    await registry.refresh();
    expect(registry.get(sums)).toMatchObject({ state: "ok" });
  });
});

describe("an earlier generation", () => {
  test("is served as published, but is stale if the newest generation is stale", async () => {
    const { clock, registry, publish } = await opened();
    await publish([1, 2]);
    await registry.refresh();
    clock.advance(HOUR_MS);
    await publish([1, 2, 3]);
    await registry.refresh();
    expect(await registry.at(sums, 1)).toMatchObject({ available: true, state: "ok", view: { sum: 3 }, generation: 1 });
    expect(await registry.at(sums, 2)).toBe(registry.get(sums));
    clock.advance(4 * HOUR_MS);
    expect(await registry.at(sums, 1)).toMatchObject({ state: "stale", builtAt: START });
  });

  test("is undefined if it never existed; if its view rejects the records, the read rejects", async () => {
    const { registry, publish } = await opened();
    await publish([1]);
    await publish(["no number"]);
    await registry.refresh();
    expect(await registry.at(sums, 7)).toBeUndefined();
    await expect(registry.at(sums, 2)).rejects.toThrow(TypeError);
  });

  test("is read from the store once for all callers that page through it", async () => {
    const { store, registryOn, publish } = await opened();
    await publish([1]);
    await publish([2]);
    let reads = 0;
    const counting: SnapshotStore = {
      ...store,
      readableRecords: (generation) => {
        reads += 1;
        return store.readableRecords(generation);
      },
    };
    const registry = registryOn(counting);
    await registry.refresh();
    const snapshots = await Promise.all(Array.from({ length: 20 }, () => registry.at(sums, 1)));
    expect(snapshots.map((snapshot) => snapshot?.view.sum)).toEqual(Array(20).fill(1));
    expect(reads).toBe(1);
  });
});

describe("the cache of earlier generations", () => {
  async function counted() {
    const { store, registryOn, publish } = await opened();
    const reads: number[] = [];
    const counting: SnapshotStore = {
      ...store,
      readableRecords: (generation) => {
        reads.push(generation.generation);
        return store.readableRecords(generation);
      },
    };
    return { publish, reads, registry: registryOn(counting) };
  }

  test("keeps the generation that was just replaced", async () => {
    const { publish, reads, registry } = await counted();
    await publish([1]);
    await registry.refresh();
    await publish([2]);
    await registry.refresh();
    expect((await registry.at(sums, 1))?.view.sum).toBe(1);
    expect(reads).toEqual([]);
  });

  test("evicts other generations to make room for large ones, and keeps the large ones", async () => {
    const { publish, reads, registry } = await counted();
    const many = Array.from({ length: 2_000 }, (_, index) => index * 7);
    for (const numbers of [[1], [2], many, [3]]) await publish(numbers);
    await registry.refresh();
    for (const generation of [1, 2, 1, 2]) await registry.at(sums, generation);
    expect(reads).toEqual([1, 2]);
    for (const generation of [3, 3, 1]) await registry.at(sums, generation);
    expect(reads).toEqual([1, 2, 3, 1]);
  });
});

test("a stored dataset that is not registered is ignored without an error", async () => {
  const { registry, store, reports } = await opened();
  await publishOn(store, [1], START, {}, null, "retired");
  await registry.refresh();
  expect(reports).toEqual([]);
});

test("a dataset whose stored build is still pending is absent, with the reason", async () => {
  const { store, clock } = await opened();
  const filling = dataset({
    ...sums,
    pending: (records: Readonly<Record<string, readonly unknown[]>>) =>
      (records["numbers"] ?? []).length < 2 ? "one of two" : undefined,
  });
  const turns = new LoopTurns();
  const registry = snapshotRegistry({ store, datasets: [filling], clock, turns, report: () => undefined });
  await publishOn(store, [1], clock.now(), {}, null);
  await registry.refresh();
  expect(registry.get(filling)).toMatchObject({ available: false, state: "absent", reason: "one of two" });
  expect(await registry.at(filling, 1)).toBeUndefined();
  await publishOn(store, [1, 2], clock.now(), {}, null);
  await registry.refresh();
  expect(registry.get(filling)).toMatchObject({ available: true, view: { sum: 3 } });
});

describe("a view that is built in steps", () => {
  /** Opens a registry with a view that adds one number per step. The test runs the turns of the registry one by one. */
  async function openedInSteps() {
    const { store, clock } = await opened();
    const built: number[] = [];
    const inSteps = dataset({
      ...sums,
      *view(records: Readonly<Record<string, readonly unknown[]>>): Steps<{ readonly sum: number }> {
        let sum = 0;
        for (const value of records["numbers"] ?? []) {
          if (typeof value !== "number") throw new TypeError(`${value} is not a number`);
          sum += value;
          yield;
        }
        built.push(sum);
        return { sum };
      },
    });
    const deferred: (() => void)[] = [];
    // A clock that advances with every read, so that each turn has room for one step.
    let nowMs = 0;
    const now = (): number => {
      nowMs += 1;
      return nowMs;
    };
    const turns = new LoopTurns({ sliceMs: 1, now, defer: (callback) => deferred.push(callback) });
    const reports: string[] = [];
    const report = (_dataset: string, error: unknown): void => void reports.push(String(error));
    const registry = snapshotRegistry({ store, datasets: [inSteps], clock, turns, report });
    /** Waits until work is queued, and gives it one turn. */
    const turn = async (): Promise<void> => {
      await expect.poll(() => deferred.length, { interval: 1 }).toBeGreaterThan(0);
      deferred.shift()?.();
    };
    return {
      registry,
      inSteps,
      built,
      reports,
      turn,
      publish: (numbers: readonly unknown[]) => publishOn(store, numbers, clock.now()),
      /** Runs queued turns until `work` is done, and counts these turns. */
      async settled<T>(work: Promise<T>) {
        let turnsTaken = 0;
        let isOver = false;
        const over = (): void => {
          isOver = true;
        };
        work.then(over, over);
        while (!isOver) {
          const callback = deferred.shift();
          if (callback) turnsTaken += 1;
          callback?.();
          await new Promise((resolve) => setImmediate(resolve));
        }
        return { result: await work, turnsTaken };
      },
    };
  }

  test("takes a turn for every slice, and the previous view is served until the new one is done", async () => {
    const { registry, inSteps, publish, turn, settled } = await openedInSteps();
    await publish([1]);
    await settled(registry.refresh());
    await publish([1, 2, 3, 4, 5]);
    const refreshed = registry.refresh();
    for (let step = 0; step < 4; step += 1) {
      await turn();
      expect(registry.get(inSteps)).toMatchObject({ state: "ok", generation: 1, view: { sum: 1 } });
    }
    expect((await settled(refreshed)).turnsTaken).toBeGreaterThanOrEqual(1);
    expect(registry.get(inSteps)).toMatchObject({ state: "ok", generation: 2, view: { sum: 15 } });
  });

  test("is also built in steps for an earlier generation, once for all callers", async () => {
    const { registry, inSteps, built, publish, settled } = await openedInSteps();
    await publish([1, 2, 3, 4, 5]);
    await publish([1]);
    await settled(registry.refresh());
    const { result, turnsTaken } = await settled(Promise.all([registry.at(inSteps, 1), registry.at(inSteps, 1)]));
    expect(result).toMatchObject([{ view: { sum: 15 } }, { view: { sum: 15 } }]);
    expect(turnsTaken).toBeGreaterThanOrEqual(5);
    expect(built).toEqual([1, 15]);
  });

  test("if it fails half-way, leaves the previous view in place, marked as stale until the next generation", async () => {
    const { registry, inSteps, reports, publish, turn, settled } = await openedInSteps();
    await publish([1]);
    await settled(registry.refresh());
    await publish([1, 2, "three", 4]);
    const refreshed = registry.refresh();
    await turn();
    await turn();
    expect(registry.get(inSteps)).toMatchObject({ state: "ok", generation: 1 });
    await settled(refreshed);
    const newerUnreadable = { generation: 2, reason: "the stored records could not be read" };
    expect(registry.get(inSteps)).toMatchObject({ state: "stale", generation: 1, newerUnreadable });
    expect(reports).toEqual(["TypeError: three is not a number"]);
    await expect(settled(registry.at(inSteps, 2))).rejects.toThrow("three is not a number");
    await publish([4]);
    await settled(registry.refresh());
    expect(registry.get(inSteps)).toMatchObject({ state: "ok", generation: 3, view: { sum: 4 } });
  });

  test("is built once for two concurrent refreshes, and then for a generation published in the meantime", async () => {
    const { registry, inSteps, built, publish, turn, settled } = await openedInSteps();
    await publish([1, 2, 3]);
    const first = registry.refresh();
    const second = registry.refresh();
    await turn();
    await publish([4, 5]);
    const third = registry.refresh();
    await settled(Promise.all([first, second, third]));
    expect(built).toEqual([6, 9]);
    expect(registry.get(inSteps)).toMatchObject({ state: "ok", generation: 2, view: { sum: 9 } });
  });
});
