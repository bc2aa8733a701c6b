import { expect, test } from "vitest";
import { describeEachStore } from "../../test/support/stores.js";
import { DAY_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { budgetStore, cycleOf, nextCycleOf } from "./budgets.js";

const NOON = Date.UTC(2026, 10, 21, 12);
const options = { unitsMax: { all: 5, some: 2 }, cycleDay: 1 };

await describeEachStore((open) => {
  test("units are granted until a budget is used up, and the refusal names that budget", async () => {
    const { database } = await open();
    const budgets = budgetStore(database, manualClock(NOON), options);
    expect(await budgets.take(["all", "some"])).toBeUndefined();
    expect(await budgets.take(["all", "some"])).toBeUndefined();
    expect(await budgets.take(["all", "some"])).toEqual({ name: "some", renewedOn: "2026-12-01" });
    expect(await budgets.uses()).toEqual([
      { name: "all", cycle: "2026-11-01", used: 2, max: 5 },
      { name: "some", cycle: "2026-11-01", used: 2, max: 2 },
    ]);
  });

  test("processes that share a store share its budgets", async () => {
    const store = await open();
    await budgetStore(store.database, manualClock(NOON), options).take(["some"]);
    const other = await store.openAgain();
    const second = budgetStore(other, manualClock(NOON), options);
    expect(await second.take(["some"])).toBeUndefined();
    expect(await second.take(["some"])).toMatchObject({ name: "some" });
  });

  test("concurrent callers never get more units than the budget has", async () => {
    const { database } = await open();
    const budgets = budgetStore(database, manualClock(NOON), options);
    const refusals = await Promise.all(Array.from({ length: 20 }, () => budgets.take(["all"])));
    expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(5);
  });

  test("a budget is full again in the next cycle", async () => {
    const { database } = await open();
    const clock = manualClock(NOON);
    const budgets = budgetStore(database, clock, options);
    await budgets.take(["some"]);
    await budgets.take(["some"]);
    clock.advance(10 * DAY_MS);
    expect(await budgets.take(["some"])).toBeUndefined();
  });

  test("taking from an unknown budget is an error", async () => {
    const { database } = await open();
    const budgets = budgetStore(database, manualClock(NOON), options);
    await expect(budgets.take(["nobody"])).rejects.toThrow("no budget is called nobody");
  });
});

test.each([
  ["2026-11-14T23:59:59Z", 15, "2026-10-15", "2026-11-15"],
  ["2026-11-15T00:00:00Z", 15, "2026-11-15", "2026-12-15"],
  ["2026-01-01T00:00:00Z", 2, "2025-12-02", "2026-01-02"],
  ["2026-12-31T23:59:59Z", 1, "2026-12-01", "2027-01-01"],
  ["2026-03-27T12:00:00Z", 28, "2026-02-28", "2026-03-28"],
])("%s, with cycles that begin on day %d, is in the cycle from %s; the next begins on %s", (at, day, cycle, next) => {
  expect([cycleOf(Date.parse(at), day), nextCycleOf(Date.parse(at), day)]).toEqual([cycle, next]);
});
