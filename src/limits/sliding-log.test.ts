import fc from "fast-check";
import { expect, test } from "vitest";
import type { Limit } from "./limiter.js";
import { SlidingLog } from "./sliding-log.js";

const T = Date.UTC(2026, 10, 20, 12);

// All times are multiples of 10 ms, as is the window, so that units often leave the window exactly at the queried time.
const anyStep = fc.record({
  passedMs: fc.constantFrom(0, 0, 10, 50),
  removes: fc.option(fc.nat(60), { freq: 2 }),
  max: fc.nat(70),
});

test("a sliding log holds the same times as a plain list, through growth, removals and changed limits", () => {
  const property = fc.property(fc.array(anyStep, { maxLength: 200, size: "max" }), (steps) => {
    const log = new SlidingLog(0);
    let list: number[] = [];
    let now = T;
    for (const { passedMs, removes, max } of steps) {
      const limit: Limit = { name: "any", max, window: { kind: "sliding", ms: 400 } };
      now += passedMs;
      list = list.filter((at) => at > now - 400);
      expect(log.unitsAt(now, limit)).toBe(list.length);
      if (list.length > 0) {
        const before = Math.min(list.length - 1, Math.max(0, list.length - max));
        expect(log.freeAt(now, limit)).toBe((list[before] ?? 0) + 400);
      }
      if (list.length < max) list.push(log.add(now, limit, 1));
      if (removes !== null) for (const removed of list.splice(removes, 1)) log.remove(removed);
    }
  });
  fc.assert(property);
});

test("removing an unknown time changes nothing", () => {
  const limit: Limit = { name: "any", max: 3, window: { kind: "sliding", ms: 400 } };
  const log = new SlidingLog(0);
  for (const at of [T, T + 2]) log.add(at, limit, 1);
  for (const at of [T - 1, T + 1, T + 3]) log.remove(at);
  expect(log.unitsAt(T + 2, limit)).toBe(2);
});
