import { expect, test } from "vitest";
import { LoopDelay } from "./loop-delay.js";

/** A probe whose timer fires this late, each time that `late` is called. */
function probe() {
  let at = 0;
  let due: (() => void) | undefined;
  let waitMs = 0;
  const delay = new LoopDelay({
    now: () => at,
    schedule(callback, ms) {
      due = callback;
      waitMs = ms;
      return () => {
        due = undefined;
      };
    },
  });
  return {
    delay,
    isScheduled: () => due !== undefined,
    late(ms: number): void {
      at += waitMs + ms;
      due?.();
    },
  };
}

test("the delay is the least of the last five samples", () => {
  const { delay, late } = probe();
  for (const ms of [300, 500, 400, 350]) late(ms);
  expect(delay.ms).toBe(0);
  late(600);
  expect(delay.ms).toBe(300);
  late(700);
  expect(delay.ms).toBe(350);
});

test("one long pause is no delay, and one sample in time ends a delay", () => {
  const { delay, late } = probe();
  for (const ms of [0, 0, 5_000, 0, 0]) late(ms);
  expect(delay.ms).toBe(0);
  for (const ms of [900, 900, 900, 900, 900]) late(ms);
  expect(delay.ms).toBe(900);
  late(0);
  expect(delay.ms).toBe(0);
});

test("a closed probe takes no more samples", () => {
  const { delay, isScheduled } = probe();
  expect(isScheduled()).toBe(true);
  delay.close();
  expect(isScheduled()).toBe(false);
});
