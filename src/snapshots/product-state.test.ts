import { expect, test } from "vitest";
import { disposedAfterEach, finishedRun, openSqliteStore } from "../../test/support/stores.js";
import { dataset } from "../contract/dataset.js";
import { listOf, product } from "../contract/product.js";
import { bodyStore } from "../database/bodies.js";
import { HOUR_MS, MINUTE_MS } from "../kit/clock.js";
import { LoopTurns } from "../kit/loop-turns.js";
import { manualClock } from "../kit/manual-clock.js";
import type { DatasetStatus } from "./generation.js";
import { snapshotRegistry } from "./registry.js";
import { stateReasons } from "./state-reasons.js";
import { snapshotStore } from "./store.js";

const START = Date.UTC(2026, 10, 18, 12);

const shared = {
  title: "A dataset",
  description: "A dataset.",
  cadenceMs: HOUR_MS,
  gaps: [],
  gateRule: "none",
  gate: () => undefined,
  view: () => "view",
  newestAt: () => null,
};
const numbers = dataset({ ...shared, name: "numbers", staleAfterMs: HOUR_MS, parts: {} });
const totals = product({
  ...shared,
  name: "totals",
  staleAfterMs: 3 * HOUR_MS,
  reads: { numbers },
  parts: { totals: listOf<number>() },
  build: () => ({ totals: [] }),
});
const judging = product({ ...totals, name: "judging", lacking: () => undefined });
const extras = dataset({ ...shared, name: "extras", staleAfterMs: HOUR_MS, parts: {} });
const optional = product({ ...judging, name: "optional", optionalReads: { extras } });

const open = disposedAfterEach(openSqliteStore);

async function opened() {
  const { database, dataDir } = await open();
  const clock = manualClock(START);
  const bodies = bodyStore(database, dataDir, clock);
  const store = snapshotStore(database, bodies);
  const report = (): void => undefined;
  const registry = snapshotRegistry({
    store,
    datasets: [numbers, totals, judging, extras, optional],
    clock,
    turns: new LoopTurns(),
    report,
  });
  async function publish(name: string, changes: Partial<DatasetStatus> = {}) {
    const build = { records: { list: [clock.now()] }, newestAt: null, provenance: {} };
    const generation = await store.publish(name, build, finishedRun(name, clock.now(), changes), clock.now());
    await registry.refresh();
    return generation;
  }
  async function fail(name: string, outcome: "failed" | "unconfigured") {
    await store.recordRun(finishedRun(name, clock.now(), { outcome, error: "answered 500", checkedAt: START }));
    await registry.refresh();
  }
  return { clock, registry, publish, fail, bodies };
}

const kept = { state: "kept", confirmedAt: START, error: "numbers: answered 500", validators: {} } as const;

test("a product is stale as soon as its ingredient is, and its check time is never later than the ingredient's", async () => {
  const { clock, registry, publish } = await opened();
  await publish("numbers");
  clock.advance(30 * MINUTE_MS);
  await publish("totals");
  expect(registry.get(totals)).toMatchObject({ state: "ok", checkedAt: START });
  clock.advance(30 * MINUTE_MS - 1);
  expect(registry.get(totals).state).toBe("ok");
  clock.advance(1);
  const snapshot = registry.get(totals);
  expect(snapshot).toMatchObject({ state: "stale", staleIngredients: ["numbers"] });
  expect(stateReasons(totals, snapshot, clock.now())).toEqual(["its ingredient numbers is stale or cannot be read"]);
});

test("a product is stale while its ingredient is absent", async () => {
  const { registry, publish } = await opened();
  await publish("totals");
  expect(registry.get(totals)).toMatchObject({ state: "stale", staleIngredients: ["numbers"] });
});

test("a product that does not assess its own completeness is partial while an ingredient is partial", async () => {
  const { registry, publish } = await opened();
  await publish("numbers", { parts: { list: kept } });
  await publish("totals");
  await publish("judging");
  expect(registry.get(numbers).state).toBe("partial");
  expect(registry.get(totals)).toMatchObject({ state: "partial", lacking: "numbers: partial" });
  expect(registry.get(judging).state).toBe("ok");
});

test("an optional ingredient that was never tried, or is switched off, leaves a product complete", async () => {
  const { registry, publish, fail } = await opened();
  await publish("numbers");
  await publish("optional");
  expect(registry.get(optional).state).toBe("ok");
  await fail("extras", "unconfigured");
  expect(registry.get(optional).state).toBe("ok");
  await publish("extras");
  expect(registry.get(optional).state).toBe("ok");
  await fail("extras", "unconfigured");
  expect(registry.get(optional).state).toBe("ok");
});

test("a product is partial after an optional ingredient fails, until that ingredient is published again", async () => {
  const { clock, registry, publish, fail } = await opened();
  await publish("numbers");
  await publish("extras");
  await publish("optional");
  await fail("extras", "failed");
  const snapshot = registry.get(optional);
  expect(snapshot).toMatchObject({ state: "partial", lacking: "extras: its newest build failed" });
  expect(stateReasons(optional, snapshot, clock.now())).toEqual(["extras: its newest build failed"]);
  await publish("extras");
  expect(registry.get(optional).state).toBe("ok");
});

test("a product is partial if an optional ingredient was never built because its builds fail", async () => {
  const { registry, publish, fail } = await opened();
  await publish("numbers");
  await publish("optional");
  await fail("extras", "failed");
  expect(registry.get(optional)).toMatchObject({ state: "partial", lacking: "extras: absent, answered 500" });
});

test("a stale optional ingredient makes a product partial, not stale, and does not change the product's check time", async () => {
  const { clock, registry, publish } = await opened();
  await publish("extras");
  clock.advance(30 * MINUTE_MS);
  await publish("numbers");
  await publish("optional");
  clock.advance(30 * MINUTE_MS - 1);
  expect(registry.get(optional)).toMatchObject({ state: "ok", checkedAt: START + 30 * MINUTE_MS });
  clock.advance(1);
  expect(registry.get(optional)).toMatchObject({
    state: "partial",
    lacking: "extras: stale",
    checkedAt: START + 30 * MINUTE_MS,
  });
});
