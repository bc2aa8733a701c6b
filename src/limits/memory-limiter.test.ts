import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import type { Charge, Limit } from "./limiter.js";
import { memoryLimiter } from "./memory-limiter.js";

const T = Date.UTC(2026, 10, 20, 12);
const MIDNIGHT = Date.UTC(2026, 10, 21);

const second: Limit = { name: "second", max: 2, window: { kind: "sliding", ms: 1_000 } };
const daily: Limit = { name: "daily", max: 2, window: { kind: "utc-day" } };

function on(limit: Limit, ...subjects: string[]): Charge[] {
  return subjects.map((subject) => ({ subject, limit }));
}

test("each call drops a few subjects whose windows are empty", () => {
  const limiter = memoryLimiter();
  for (let index = 0; index < 100; index += 1) limiter.take(on(second, `subject ${index}`), T + index);
  expect(limiter.subjectsCount).toBe(100);
  // The call adds no subject, and drops two of those whose windows are empty.
  limiter.take(on(second, "subject 99"), T + 1_050);
  expect(limiter.subjectsCount).toBe(98);
  for (let call = 0; call < 60; call += 1) limiter.take(on(second, "subject 99"), T + 1_050 + 1_000 * call);
  expect(limiter.subjectsCount).toBe(1);
});

test("subjects of a daily limit are dropped after midnight", () => {
  const limiter = memoryLimiter();
  limiter.take(on(daily, "a", "b"), T);
  limiter.take([], MIDNIGHT - 1);
  expect(limiter.subjectsCount).toBe(2);
  limiter.take([], MIDNIGHT);
  expect(limiter.subjectsCount).toBe(0);
});

test("subjects are still dropped after the table has been empty", () => {
  const limiter = memoryLimiter();
  for (let at = T; at < T + 10_000; at += 1_000) {
    limiter.take(on(second, `subject ${at}`), at);
    expect(limiter.subjectsCount).toBe(1);
  }
});

test("a subject that is charged again is kept", () => {
  const limiter = memoryLimiter();
  limiter.take(on(second, "a"), T);
  limiter.take(on(second, "b"), T + 1);
  limiter.take(on(second, "a"), T + 500);
  limiter.take([], T + 1_001);
  expect(limiter.subjectsCount).toBe(1);
  expect(limiter.look(on(second, "a", "b"), T + 1_001).map(({ remaining }) => remaining)).toEqual([1, 2]);
});

function from(limit: Limit, ...addresses: string[]): Charge[] {
  return addresses.map((subject) => ({ subject, limit, isAddress: true }));
}

test("a full table drops the address whose latest charge is the oldest, and refuses no caller", () => {
  const limiter = memoryLimiter({ addressesMax: 2 });
  limiter.take(from(second, "a"), T);
  limiter.take(from(second, "b"), T + 1);
  limiter.take(from(second, "a"), T + 2);
  expect(limiter.take(from(second, "c"), T + 3).refused).toBeUndefined();
  const remaining = limiter.look(from(second, "a", "b", "c"), T + 3).map((standing) => standing.remaining);
  expect(remaining).toEqual([0, 2, 1]);
  expect(limiter.subjectsCount).toBe(2);
});

test("the address whose latest charge is the oldest is dropped, even if the new charge is under another limit", () => {
  const limiter = memoryLimiter({ addressesMax: 2 });
  limiter.take(from(daily, "a"), T);
  limiter.take(from(second, "b"), T + 1);
  limiter.take(from(second, "c"), T + 2);
  expect(limiter.look(from(daily, "a"), T + 2)[0]?.remaining).toBe(2);
  expect(limiter.look(from(second, "b"), T + 2)[0]?.remaining).toBe(1);
});

test("101,000 concurrent addresses neither use up the units of accounts nor cause refusals of new callers", () => {
  const limiter = memoryLimiter();
  limiter.take(on(second, "account", "account"), T);
  for (let index = 0; index < 101_000; index += 1) limiter.take(from(second, `192.0.2.${index}`), T + 1);
  expect(limiter.subjectsCount).toBe(100_001);
  expect(limiter.take(on(second, "account"), T + 2).refused).toBeDefined();
  expect(limiter.take(on(second, "another account"), T + 2).refused).toBeUndefined();
  expect(limiter.take(from(second, "198.51.100.1"), T + 2).refused).toBeUndefined();
});

test("an account that is named like an address is counted separately", () => {
  const limiter = memoryLimiter();
  limiter.take(on(second, "192.0.2.1", "192.0.2.1"), T);
  expect(limiter.take(from(second, "192.0.2.1"), T).standings[0]?.remaining).toBe(1);
});

test("setting the clock back gives a dropped subject no extra units", () => {
  const limiter = memoryLimiter();
  limiter.take(on(second, "a", "a"), T);
  limiter.take([], T + 1_000);
  expect(limiter.subjectsCount).toBe(0);
  expect(limiter.take(on(second, "a"), T + 500).standings[0]?.resetAt).toBe(T + 2_000);
  limiter.take(on(daily, "a", "a"), MIDNIGHT - 10_000);
  limiter.take([], MIDNIGHT + 10_000);
  expect(limiter.take(on(daily, "a"), MIDNIGHT - 10_000).standings[0]?.resetAt).toBe(MIDNIGHT + DAY_MS);
});

test("a clock that was far ahead does not delay callers after it is set right", () => {
  const limiter = memoryLimiter();
  limiter.take([...on(second, "a"), ...on(daily, "a")], T + 30 * DAY_MS);
  limiter.take([], T + 32 * DAY_MS);
  expect(limiter.subjectsCount).toBe(0);
  const { standings } = limiter.take([...on(second, "a"), ...on(daily, "a")], T);
  expect(standings.map(({ resetAt }) => resetAt)).toEqual([T + 1_000, MIDNIGHT]);
});

test("a refusal leaves no trace of a new subject", () => {
  const limiter = memoryLimiter();
  limiter.take(on(second, "full", "full"), T);
  expect(limiter.take(on(second, "new", "full"), T).refused).toBeDefined();
  limiter.look(on(second, "other"), T);
  expect(limiter.subjectsCount).toBe(1);
});

test("closing drops all counters", async () => {
  const limiter = memoryLimiter();
  limiter.take(on(second, "a"), T);
  await limiter.close();
  expect(limiter.subjectsCount).toBe(0);
  expect(limiter.take(on(second, "a", "a"), T).refused).toBeUndefined();
});

test.each([
  ["an hour", HOUR_MS],
  ["a year", 365 * DAY_MS],
])("if a clock that was ahead by %s is set back, the units of sliding windows are dropped", (_, aheadMs) => {
  const limiter = memoryLimiter();
  const charges = [
    { subject: "a", limit: { name: "minute", max: 2, window: { kind: "sliding", ms: MINUTE_MS } } },
    { subject: "a", limit: { name: "day", max: 3, window: { kind: "utc-day" } } },
  ] as const;
  const noon = Date.UTC(2026, 10, 18, 12);
  limiter.take(charges, noon + aheadMs);
  limiter.take(charges, noon + aheadMs);
  expect(limiter.take(charges, noon + aheadMs).refused).toBeDefined();
  expect(limiter.take(charges, noon).refused).toBeUndefined();
  // Units already spent from the allowance of the same day stay spent.
  expect(limiter.take(charges, noon + 1).refused !== undefined).toBe(aheadMs === HOUR_MS);
});

test("if a clock is set back by 30 s or less, the limiter goes on counting as if the clock still showed its latest time", () => {
  const limiter = memoryLimiter();
  const charges = [
    { subject: "a", limit: { name: "minute", max: 1, window: { kind: "sliding", ms: MINUTE_MS } } },
  ] as const;
  const noon = Date.UTC(2026, 10, 18, 12);
  limiter.take(charges, noon);
  expect(limiter.take(charges, noon - 30 * SECOND_MS).refused).toBeDefined();
  expect(limiter.take(charges, noon + MINUTE_MS).refused).toBeUndefined();
});

test("units counted together for several calls can be refunded one by one, but no more than were counted", () => {
  const limiter = memoryLimiter();
  const charges = [...on({ ...second, max: 10 }, "a"), ...on({ ...daily, max: 10 }, "a")];
  limiter.take(charges, T);
  const counted = limiter.count(charges, T, 3);
  expect(counted.standings.map(({ remaining }) => remaining)).toEqual([6, 6]);
  expect(Array.from({ length: 5 }, () => counted.giveBackAt(0))).toEqual([true, true, true, false, false]);
  expect(counted.giveBackAt(1)).toBe(true);
  expect(limiter.look(charges, T).map(({ remaining }) => remaining)).toEqual([9, 7]);
});
