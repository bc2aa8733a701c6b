import { expect, test } from "vitest";
import { MINUTE_MS } from "../../../../kit/clock.js";
import { manualClock } from "../../../../kit/manual-clock.js";
import { workBudget } from "./work-budget.js";

test("an account that has used up its time waits for the next minute, and other accounts do not", () => {
  const clock = manualClock(0);
  const budget = workBudget(clock, 100);
  budget.add("a", 60);
  expect(budget.isUsedUp("a")).toBe(false);
  budget.add("a", 40);
  expect([budget.isUsedUp("a"), budget.isUsedUp("b")]).toEqual([true, false]);
  clock.advance(MINUTE_MS);
  expect(budget.isUsedUp("a")).toBe(false);
});
