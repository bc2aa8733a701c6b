import { expect, test } from "vitest";
import { DAY_MS } from "../kit/clock.js";
import type { Charge, Limit } from "./limiter.js";
import { memoryLimiter } from "./memory-limiter.js";

const T = Date.UTC(2026, 10, 20, 12);
const MIDNIGHT = Date.UTC(2026, 10, 21);

const second: Limit = { name: "second", max: 2, window: { kind: "sliding", ms: 1_000 } };
const daily: Limit = { name: "daily", max: 2, window: { kind: "utc-day" } };

function on(limit: Limit, ...subjects: string[]): Charge[] {
  return subjects.map((subject) => ({ subject, limit }));
}

test("forgets the subjects whose windows are empty, a few per call", () => {
  const limiter = memoryLimiter();
  for (let index = 0; index < 100; index += 1) limiter.take(on(second, `subject ${index}`), T + index);
  expect(limiter.subjectsCount).toBe(100);
  // Each call adds none and forgets two of those that are due.
  limiter.take(on(second, "subject 99"), T + 1_050);
  expect(limiter.subjectsCount).toBe(98);
  for (let call = 0; call < 60; call += 1) limiter.take(on(second, "subject 99"), T + 1_050 + 1_000 * call);
  expect(limiter.subjectsCount).toBe(1);
});

test("forgets the subjects of a day after midnight", () => {
  const limiter = memoryLimiter();
  limiter.take(on(daily, "a", "b"), T);
  limiter.take([], MIDNIGHT - 1);
  expect(limiter.subjectsCount).toBe(2);
  limiter.take([], MIDNIGHT);
  expect(limiter.subjectsCount).toBe(0);
});

test("goes on forgetting after all were forgotten", () => {
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

test("a full table refuses new subjects and serves the known ones, until a window is empty", () => {
  const limiter = memoryLimiter({ subjectsMax: 2 });
  limiter.take(on(second, "a"), T);
  limiter.take(on(second, "b"), T + 1);
  const { refused, standings } = limiter.take(on(second, "a", "c"), T + 2);
  expect(refused).toEqual({ limit: second, remaining: 0, resetAt: T + 1_002 });
  expect(standings).toEqual([{ limit: second, remaining: 1, resetAt: T + 1_000 }, refused]);
  expect(limiter.take(on(second, "a"), T + 999).refused).toBeUndefined();
  expect(limiter.take(on(second, "c"), T + 1_000).refused).toBeDefined();
  expect(limiter.take(on(second, "c"), T + 1_001).refused).toBeUndefined();
  expect(limiter.subjectsCount).toBe(2);
});

test("a full table refuses a call with more newcomers than it has room for, and one newcomer twice is one", () => {
  const limiter = memoryLimiter({ subjectsMax: 1 });
  expect(limiter.take([...on(second, "a"), ...on(daily, "a")], T).refused?.limit).toBe(daily);
  expect(limiter.subjectsCount).toBe(0);
  expect(limiter.take(on(second, "a", "a"), T).refused).toBeUndefined();
});

test("room comes from the subjects of every limit", () => {
  const limiter = memoryLimiter({ subjectsMax: 3 });
  limiter.take(on(second, "a", "b", "c"), T);
  expect(limiter.take(on(daily, "d", "e", "f"), T + 999).refused).toBeDefined();
  expect(limiter.take(on(daily, "d", "e", "f"), T + 1_000).refused).toBeUndefined();
});

test("a clock that goes back finds a forgotten subject no freer than it was", () => {
  const limiter = memoryLimiter();
  limiter.take(on(second, "a", "a"), T);
  limiter.take([], T + 1_000);
  expect(limiter.subjectsCount).toBe(0);
  expect(limiter.take(on(second, "a"), T + 500).standings[0]?.resetAt).toBe(T + 2_000);
  limiter.take(on(daily, "a", "a"), T);
  limiter.take([], T + DAY_MS);
  expect(limiter.take(on(daily, "a"), T).standings[0]?.resetAt).toBe(MIDNIGHT + DAY_MS);
});

test("a clock that was far ahead does not hold up those who come after it was set right", () => {
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

test("closing forgets everything", async () => {
  const limiter = memoryLimiter();
  limiter.take(on(second, "a"), T);
  await limiter.close();
  expect(limiter.subjectsCount).toBe(0);
  expect(limiter.take(on(second, "a", "a"), T).refused).toBeUndefined();
});
