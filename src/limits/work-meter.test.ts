import { expect, test } from "vitest";
import { WorkMeter } from "./work-meter.js";

const T = 7_000_000;

test("once the units of a minute are spent, a subject waits until the oldest of them leave the window", () => {
  const meter = new WorkMeter({ unitsMax: 100 });
  meter.add("a", 60, T);
  expect(meter.waitMs("a", T)).toBe(0);
  meter.add("a", 60, T + 10_000);
  expect(meter.waitMs("a", T + 10_000)).toBe(50_000);
  expect(meter.waitMs("a", T + 59_999)).toBe(1);
  expect(meter.waitMs("a", T + 60_000)).toBe(0);
});

test("a refusal lasts until enough units have dropped out of the window, not just the oldest one", () => {
  const meter = new WorkMeter({ unitsMax: 100 });
  meter.add("a", 1, T);
  meter.add("a", 300, T + 30_000);
  expect(meter.waitMs("a", T + 30_000)).toBe(60_000);
  expect(meter.waitMs("a", T + 60_000)).toBe(30_000);
  expect(meter.waitMs("a", T + 90_000)).toBe(0);
});

test("work within one second adds up", () => {
  const meter = new WorkMeter({ unitsMax: 100 });
  for (let count = 0; count < 10; count += 1) meter.add("a", 10, T + count);
  expect(meter.waitMs("a", T + 10)).toBeGreaterThan(0);
});

test("subjects are counted separately", () => {
  const meter = new WorkMeter({ unitsMax: 100 });
  meter.add("a", 100, T);
  expect(meter.waitMs("a", T)).toBeGreaterThan(0);
  expect(meter.waitMs("b", T)).toBe(0);
});

test("work of an hour ago does not count", () => {
  const meter = new WorkMeter({ unitsMax: 100 });
  meter.add("a", 1_000, T);
  meter.add("a", 1, T + 3_600_000);
  expect(meter.waitMs("a", T + 3_600_000)).toBe(0);
});

test("the number of subjects is bounded, and the least recently active one is dropped", () => {
  const meter = new WorkMeter({ unitsMax: 1, subjectsMax: 2 });
  for (const subject of ["a", "b", "c"]) meter.add(subject, 1, T);
  expect(["a", "b", "c"].map((subject) => meter.waitMs(subject, T) > 0)).toEqual([false, true, true]);
});
