import { expect, test } from "vitest";
import { DAY_MS } from "../kit/clock.js";
import { DayCounter } from "./day-counter.js";
import type { Limit } from "./limiter.js";

const MIDNIGHT = Date.UTC(2026, 10, 21);
const daily: Limit = { name: "daily", max: 10, window: { kind: "utc-day" } };

test("removing a unit of a past day does not change the current day", () => {
  const counter = new DayCounter(0);
  const past = counter.add(MIDNIGHT - 1, daily, 1);
  const present = counter.add(MIDNIGHT, daily, 1);
  counter.remove(past);
  expect(counter.unitsAt(MIDNIGHT)).toBe(1);
  counter.remove(present);
  expect(counter.unitsAt(MIDNIGHT)).toBe(0);
});

test("a counter is empty after the midnight that ends its newest day", () => {
  const counter = new DayCounter(0);
  counter.add(MIDNIGHT, daily, 1);
  counter.add(MIDNIGHT - 1, daily, 1);
  expect([counter.unitsAt(MIDNIGHT - 1), counter.emptyAt]).toEqual([2, MIDNIGHT + DAY_MS]);
  expect(counter.unitsAt(counter.emptyAt - 1)).toBe(2);
  expect(counter.unitsAt(counter.emptyAt)).toBe(0);
});
