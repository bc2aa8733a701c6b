import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { clockStartingAt, DAY_MS, HOUR_MS, isWithin, MINUTE_MS, monotonicMs, SECOND_MS, systemClock } from "./clock.js";
import { manualClock } from "./manual-clock.js";

describe("the machine's clock", () => {
  test("the machine's clock reads the time of day", () => {
    const before = Date.now();
    const now = systemClock.now();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });

  test("a sleep with an already aborted signal rejects immediately with the signal's reason", async () => {
    const reason = new Error("stopping");
    await expect(systemClock.sleep(DAY_MS, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test("an abort ends a sleep with the abort's reason and leaves no listener", async () => {
    const stopping = new AbortController();
    const reason = new Error("stopping");
    const sleep = systemClock.sleep(DAY_MS, stopping.signal);
    expect(getEventListeners(stopping.signal, "abort")).toHaveLength(1);
    stopping.abort(reason);
    await expect(sleep).rejects.toBe(reason);
    expect(getEventListeners(stopping.signal, "abort")).toEqual([]);
  });

  test.each([0, -5])("a sleep of %i ms ends without an abort and leaves no listener", async (ms) => {
    const stopping = new AbortController();
    await systemClock.sleep(ms, stopping.signal);
    expect(getEventListeners(stopping.signal, "abort")).toEqual([]);
  });

  test("a sleep longer than the timer maximum does not end immediately", async () => {
    const stopping = new AbortController();
    const sleep = systemClock.sleep(Number.MAX_SAFE_INTEGER, stopping.signal).then(() => "woke");
    await systemClock.sleep(0);
    stopping.abort("still asleep");
    await expect(sleep).rejects.toBe("still asleep");
  });
});

test("a clock with a different start time advances with its base clock", async () => {
  const base = manualClock(1_000);
  const clock = clockStartingAt(5_000, base);
  expect(clock.now()).toBe(5_000);
  const sleep = clock.sleep(10);
  base.advance(10);
  await sleep;
  expect(clock.now()).toBe(5_010);
});

test("monotonic readings never decrease", () => {
  const readings = Array.from({ length: 1_000 }, monotonicMs);
  expect(readings).toEqual([...readings].sort((a, b) => a - b));
});

test("the span constants have the lengths in their names", () => {
  expect([SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS]).toEqual([1_000, 60_000, 3_600_000, 86_400_000]);
});

describe("isWithin", () => {
  test.each([
    [0, true],
    [9, true],
    [10, false],
    [-1, false],
  ])("with a limit of 10 ms, isWithin at %i ms after the start is %s", (passedMs, isStill) => {
    expect(isWithin(1_000 + passedMs, 1_000, 10)).toBe(isStill);
  });

  test("isWithin is false if the start is minus infinity", () => {
    expect(isWithin(1_000, Number.NEGATIVE_INFINITY, 10)).toBe(false);
  });
});
