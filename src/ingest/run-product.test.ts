import { expect, test } from "vitest";
import { disposedAfterEach, finishedRun, openSqliteStore } from "../../test/support/stores.js";
import { dataset } from "../contract/dataset.js";
import { type AnyProduct, listOf, product } from "../contract/product.js";
import { silentTally } from "../contract/row-tally.js";
import { settingReader } from "../contract/setting.js";
import { SourceFailure } from "../contract/source.js";
import { bodyStore } from "../database/bodies.js";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { ingredientStore } from "../snapshots/builds/ingredients.js";
import { snapshotStore } from "../snapshots/store.js";
import type { RunTools } from "./run.js";
import { runProduct } from "./run-product.js";

const START = Date.UTC(2026, 10, 18, 12);

const numbers = dataset({
  name: "numbers",
  title: "Numbers",
  description: "Numbers.",
  cadenceMs: HOUR_MS,
  staleAfterMs: HOUR_MS,
  gaps: [],
  parts: {},
  gateRule: "none",
  gate: () => undefined,
  view: (records: Readonly<Record<string, readonly unknown[]>>) => (records["list"] ?? []) as readonly number[],
  newestAt: () => null,
});

interface Total {
  readonly sum: number;
}

/** A product that remembers the sums of all its builds, newest last. */
const totals = product({
  name: "totals",
  title: "Totals",
  description: "Sums of numbers.",
  cadenceMs: 15 * MINUTE_MS,
  staleAfterMs: HOUR_MS,
  gaps: [],
  reads: { numbers },
  onChange: { spacingMs: 0 },
  parts: { totals: listOf<Total>() },
  build({ numbers: { view } }, { kept }) {
    if (view.includes(0)) throw new SourceFailure("changed", "zero is not a number here");
    const sum = view.reduce((all, number) => all + number, 0);
    return { totals: [...kept.totals.filter((total) => total.sum !== sum), { sum }] };
  },
  gateRule: "a positive sum",
  gate: (records) => ((records.totals.at(-1)?.sum ?? 0) > 0 ? undefined : "the sum is not positive"),
  view: (records) => records.totals.map(({ sum }) => sum),
  newestAt: () => null,
});

const extras = dataset({ ...numbers, name: "extras" });

/** A product with the sum of the numbers. The sum includes the extras while they can be read. */
const withExtras = product({
  ...totals,
  optionalReads: { extras },
  build: ({ numbers: { view }, extras: optional }) => ({
    totals: [{ sum: [...view, ...(optional.available ? optional.view : [])].reduce((all, number) => all + number, 0) }],
  }),
  partStatuses: ({ extras: optional }) => ({
    totals: optional.available
      ? { state: "fresh", confirmedAt: optional.checkedAt, error: null }
      : { state: optional.isOff ? "off" : "missing", confirmedAt: null, error: optional.reason },
  }),
});

const open = disposedAfterEach(openSqliteStore);

async function opened(declared: AnyProduct = totals) {
  const { database, dataDir } = await open();
  const clock = manualClock(START);
  const bodies = bodyStore(database, dataDir, clock);
  const store = snapshotStore(database, bodies);
  // The cast is safe, because a product sends no requests and therefore uses no other tools.
  const tools = {
    store,
    clock,
    random: () => 0.5,
    settingOf: settingReader({}),
    ingredients: ingredientStore(store),
  } as unknown as RunTools;
  const faults: unknown[] = [];
  return {
    bodies,
    clock,
    store,
    publish: (list: readonly number[], nextAt: number | null = null, name = "numbers") =>
      store.publish(
        name,
        { records: { list }, newestAt: null, provenance: {} },
        finishedRun(name, clock.now(), { nextAt }),
        clock.now(),
      ),
    fail: (name: string, outcome: "failed" | "unconfigured") =>
      store.recordRun(finishedRun(name, clock.now(), { outcome, error: `${name}: ${outcome}` })),
    stored: async () => {
      const newest = await store.newest("totals");
      return store.records({ contentHash: newest?.contentHash ?? "" });
    },
    faults,
    run: () =>
      runProduct(tools, declared, {
        signal: new AbortController().signal,
        onFault: (error) => faults.push(error),
      }),
  };
}

test("the provenance of a published product names the generations that the product was built from", async () => {
  const { publish, run, store } = await opened();
  const { contentHash } = await publish([1, 2]);
  const { outcome, status, generation } = await run();
  expect([outcome, status.ingredients, status.checkedAt]).toEqual(["published", { numbers: 1 }, START]);
  expect(generation?.ingredients).toEqual([{ dataset: "numbers", generation: 1, contentHash }]);
  expect(await store.newest("totals")).toEqual(generation);
  expect(await store.records({ contentHash: generation?.contentHash ?? "" })).toEqual({ totals: [{ sum: 3 }] });
});

test("a build that equals the last one creates no generation, but the status has the ingredient's new generation", async () => {
  const { publish, run } = await opened();
  await publish([1, 2]);
  await run();
  await publish([2, 1]);
  expect(await run()).toMatchObject({
    outcome: "unchanged",
    generation: { generation: 1 },
    status: { ingredients: { numbers: 2 } },
  });
});

test("a build reads the records of the previous build", async () => {
  const { publish, run, store } = await opened();
  await publish([1]);
  await run();
  await publish([5]);
  const { generation } = await run();
  expect(await store.records({ contentHash: generation?.contentHash ?? "" })).toEqual({
    totals: [{ sum: 1 }, { sum: 5 }],
  });
});

test("a build is repeated soon if the run of an ingredient will be continued within seconds", async () => {
  const { publish, run, clock } = await opened();
  await publish([1], clock.now() + 5 * SECOND_MS);
  expect((await run()).status.nextAt).toBe(clock.now() + 30 * SECOND_MS);
  await publish([1, 2], clock.now() + 2 * MINUTE_MS);
  expect((await run()).status.nextAt).toBe(clock.now() + totals.cadenceMs);
});

test("an absent ingredient fails the run with a sentence that names it", async () => {
  const { run, clock } = await opened();
  expect(await run()).toMatchObject({
    outcome: "failed",
    generation: undefined,
    status: {
      error: "its ingredient numbers is absent: not built yet",
      failuresInRow: 1,
      nextAt: clock.now() + MINUTE_MS,
      ingredients: { numbers: 0 },
    },
  });
});

test("a refused build leaves the stored snapshot and the time of its last check unchanged", async () => {
  const { publish, run, clock } = await opened();
  await publish([1]);
  const { generation } = await run();
  clock.advance(MINUTE_MS);
  await publish([-1]);
  const refused = await run();
  expect(refused).toMatchObject({
    outcome: "failed",
    status: { error: "held by the gate: the sum is not positive", checkedAt: START, ingredients: { numbers: 2 } },
  });
  expect(refused.generation).toEqual(generation);
  await publish([0]);
  expect((await run()).status).toMatchObject({ error: "zero is not a number here", failuresInRow: 2 });
});

test("a build counts as confirmed at the time at which its ingredient was confirmed", async () => {
  const { publish, run, clock } = await opened();
  await publish([1]);
  clock.advance(10 * MINUTE_MS);
  const { status } = await run();
  expect(status).toMatchObject({
    checkedAt: START,
    parts: { totals: { state: "fresh", confirmedAt: START, error: null } },
  });
});

test("a build uses the newest readable generation of an ingredient if a newer one is unreadable", async () => {
  const { publish, run, bodies } = await opened();
  await publish([1]);
  const { contentHash } = await publish([2]);
  await bodies.remove(contentHash);
  const { generation, status } = await run();
  expect(generation?.ingredients).toMatchObject([{ dataset: "numbers", generation: 1 }]);
  // The status contains the unreadable generation, so that this generation does not cause further builds.
  expect(status.ingredients).toEqual({ numbers: 2 });
});

test("a generation of an ingredient is opened only once", async () => {
  let views = 0;
  const { view, ...others } = numbers;
  const counted = dataset({
    ...others,
    view(records: Parameters<typeof view>[0], pace) {
      views += 1;
      return view(records, pace, silentTally) as readonly number[];
    },
  });
  const { publish, run } = await opened({ ...totals, reads: { numbers: counted } });
  await publish([1]);
  await run();
  await run();
  expect(views).toBe(1);
  await publish([2]);
  await run();
  expect(views).toBe(2);
});

test("an optional ingredient is read and named in the provenance", async () => {
  const { publish, run, stored } = await opened(withExtras);
  await publish([1]);
  await publish([5], null, "extras");
  const { status, generation } = await run();
  expect(await stored()).toEqual({ totals: [{ sum: 6 }] });
  expect(status.ingredients).toEqual({ numbers: 1, extras: 1 });
  expect(generation?.ingredients).toMatchObject([{ dataset: "numbers" }, { dataset: "extras" }]);
});

test("a product is built without an absent optional ingredient, and its status shows whether that ingredient is off or failing", async () => {
  const { publish, run, stored, fail } = await opened(withExtras);
  await publish([1]);
  expect(await run()).toMatchObject({
    outcome: "published",
    status: {
      ingredients: { numbers: 1, extras: 0 },
      parts: { totals: { state: "missing", error: "not built yet" } },
    },
    generation: { ingredients: [{ dataset: "numbers" }] },
  });
  expect(await stored()).toEqual({ totals: [{ sum: 1 }] });
  await fail("extras", "unconfigured");
  expect((await run()).status.parts["totals"]).toMatchObject({ state: "off", error: "extras: unconfigured" });
  await fail("extras", "failed");
  expect((await run()).status.parts["totals"]).toMatchObject({ state: "missing", error: "extras: failed" });
});

test("an optional ingredient that was switched off is not read", async () => {
  const { publish, run, stored, fail } = await opened(withExtras);
  await publish([1]);
  await publish([5], null, "extras");
  await fail("extras", "unconfigured");
  const { status, generation } = await run();
  expect(await stored()).toEqual({ totals: [{ sum: 1 }] });
  expect(status.parts["totals"]).toMatchObject({ state: "off" });
  expect(generation?.ingredients).toMatchObject([{ dataset: "numbers" }]);
});

test("an absent required ingredient fails the run even if the optional one is available", async () => {
  const { publish, run } = await opened(withExtras);
  await publish([5], null, "extras");
  expect((await run()).status).toMatchObject({
    outcome: "failed",
    error: "its ingredient numbers is absent: not built yet",
  });
});

test("an old optional ingredient does not make a build older than its required ingredient", async () => {
  const { publish, run, clock } = await opened(withExtras);
  await publish([5], null, "extras");
  clock.advance(10 * MINUTE_MS);
  await publish([1]);
  expect((await run()).status.checkedAt).toBe(clock.now());
});

test("an internal error of the build is recorded as a failed run, and the earlier build stays", async () => {
  const thrown = new TypeError("cannot read x of undefined");
  const { publish, run, stored, store, faults } = await opened({
    ...totals,
    build(ingredients, context) {
      if (context.kept["totals"]?.length) throw thrown;
      return totals.build(ingredients as never, context as never);
    },
  } as AnyProduct);
  await publish([1, 2]);
  await run();
  await publish([1, 2, 3]);
  expect(await run()).toMatchObject({ outcome: "failed" });
  expect(faults).toEqual([thrown]);
  expect(await stored()).toEqual({ totals: [{ sum: 3 }] });
  expect((await store.statuses()).find(({ dataset: name }) => name === "totals")).toMatchObject({
    outcome: "failed",
    error: "internal error: cannot read x of undefined",
    failuresInRow: 1,
  });
});
