import { expect, test } from "vitest";
import { Alarm } from "./alarm.js";
import { manualClock } from "./manual-clock.js";

const never = new AbortController().signal;

test("an alarm ends the current sleep", async () => {
  const [alarm, clock] = [new Alarm(), manualClock(0)];
  const sleep = alarm.sleep(1_000, clock, never);
  alarm.ring();
  expect(await sleep).toBe(true);
  expect(clock.sleeping).toBe(0);
});

test("an alarm that rings before a sleep ends that sleep immediately, but no later sleep", async () => {
  const [alarm, clock] = [new Alarm(), manualClock(0)];
  alarm.ring();
  alarm.ring();
  expect(await alarm.sleep(1_000, clock, never)).toBe(true);
  const next = alarm.sleep(1_000, clock, never);
  expect(clock.sleeping).toBe(1);
  clock.advance(1_000);
  expect(await next).toBe(false);
});

test("an aborted signal ends a sleep", async () => {
  const [alarm, clock, stop] = [new Alarm(), manualClock(0), new AbortController()];
  const sleep = alarm.sleep(1_000, clock, stop.signal);
  stop.abort();
  expect(await sleep).toBe(false);
});
