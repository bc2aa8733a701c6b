import { beforeAll, expect, test } from "vitest";
import { loadServices } from "../src/services/registry.js";
import { datasetsOf, followList, unlimited } from "./support/delta-schedules.js";
import { startStack } from "./support/stack.js";

/** Number of random schedules per list. The acceptance suite runs many more. */
const SCHEDULES_PER_LIST = 5;

const { operations } = await loadServices();
const lists = operations.filter(({ operation }) => operation.list !== undefined);

// Builds the store with all datasets, which happens once per test run and takes longer than the time limit of a test.
beforeAll(async () => {
  const stack = await startStack({ filled: "all" });
  await stack.close();
}, 180_000);

test.each(lists)("an earlier answer of $path plus the later changes equals the current list", async (registered) => {
  const stack = await startStack({ filled: "all", datasets: datasetsOf(registered.operation), env: unlimited });
  try {
    const schedules = { schedules: SCHEDULES_PER_LIST, seed: 19 };
    const { deltas, added, changed, removed } = await followList(stack, registered, schedules);
    expect(deltas).toBeGreaterThan(0);
    expect(added + changed + removed).toBeGreaterThan(0);
  } finally {
    await stack.close();
  }
});
