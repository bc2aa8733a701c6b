import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./clock.js";
import { nextAttemptAt } from "./retry-schedule.js";

const NOW = Date.UTC(2026, 10, 23);
const EXPIRES_AT = NOW + 3 * DAY_MS;
const middle = (): number => 0.5;
const failed = { attempts: 1, now: NOW, expiresAt: EXPIRES_AT, retryAt: undefined };

/** The waits between the attempts of a delivery that always fails, ms. */
function waits(random = middle): readonly number[] {
  const all: number[] = [];
  let now = NOW;
  for (let attempts = 1; ; attempts += 1) {
    const next = nextAttemptAt({ ...failed, attempts, now }, random);
    if (next === undefined) return all;
    all.push(next - now);
    now = next;
  }
}

test("the waits triple from five seconds to four hours, and the last attempt comes a minute before the delivery expires", () => {
  const seconds = waits().map((wait) => wait / SECOND_MS);
  expect(seconds.slice(0, 9)).toEqual([5, 15, 45, 135, 405, 1_215, 3_645, 10_935, 14_400]);
  expect(waits().reduce((sum, wait) => sum + wait, 0)).toBe(3 * DAY_MS - MINUTE_MS);
  expect(waits().length).toBeLessThan(30);
});

test("jitter spreads a wait over 80 to 120 percent", () => {
  expect([nextAttemptAt(failed, () => 0), nextAttemptAt(failed, () => 1)]).toEqual([NOW + 4_000, NOW + 6_000]);
});

test.each([
  [undefined, 5 * SECOND_MS],
  [NOW + SECOND_MS, 5 * SECOND_MS],
  [NOW + 10 * MINUTE_MS, 10 * MINUTE_MS],
  [NOW + 10 * HOUR_MS, HOUR_MS],
  [NOW - HOUR_MS, 5 * SECOND_MS],
])("a requested retry time of %s never shortens the wait, and lengthens it to at most an hour", (retryAt, wait) => {
  expect(nextAttemptAt({ ...failed, retryAt }, middle)).toBe(NOW + wait);
});

test("a failed delivery counts as dead in the last minute before it expires", () => {
  expect(nextAttemptAt({ ...failed, expiresAt: NOW + MINUTE_MS }, middle)).toBeUndefined();
});
