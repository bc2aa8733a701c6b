import { expect, test } from "vitest";
import { BudgetExceeded } from "./errors.js";
import { Fuel } from "./fuel.js";

test("fuel can be spent down to zero, and the error for exceeding the budget names the kind of work", () => {
  const fuel = new Fuel(2_500, () => 0);
  for (let unit = 0; unit < 2_500; unit += 1) fuel.spend(1);
  fuel.resource = "sort comparisons";
  expect(fuel.spent).toBe(2_500);
  expect(() => fuel.spend(1)).toThrow(BudgetExceeded);
  expect(() => fuel.spend(1)).toThrow(
    "budget exceeded (more than 2500 steps of work; last kind of work: sort comparisons)",
  );
});

test("fuel refuses a charge beyond the budget before any work is done", () => {
  expect(() => new Fuel(100, () => 0).spend(101)).toThrow(BudgetExceeded);
});

test("after the end of a slice, charges still count and return true until the next slice starts", () => {
  let now = 0;
  const fuel = new Fuel(1_000_000, () => now);
  fuel.startSlice(5);
  expect(fuel.spend(1_500)).toBe(false);
  now = 5;
  expect(fuel.spend(1_500)).toBe(true);
  expect(fuel.spend(1)).toBe(true);
  fuel.startSlice(10);
  expect(fuel.spend(1)).toBe(false);
  expect(fuel.spent).toBe(3_002);
});

test("fuel reads the clock once per thousand units", () => {
  let looks = 0;
  const fuel = new Fuel(1_000_000, () => {
    looks += 1;
    return 0;
  });
  for (let unit = 0; unit < 100_000; unit += 1) fuel.spend(1);
  expect(looks).toBeLessThanOrEqual(101);
});
