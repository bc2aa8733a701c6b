import { expect, test } from "vitest";
import { DAY_MS } from "../kit/clock.js";
import { headersIn } from "../kit/head-lines.js";
import type { Limit, Standing } from "./limiter.js";
import { rateLimitLines } from "./rate-limit-lines.js";

const T = Date.UTC(2026, 10, 20, 12);

const minute: Limit = { name: "default", max: 600, window: { kind: "sliding", ms: 60_000 } };
const daily: Limit = { name: "daily", max: 10_000, window: { kind: "utc-day" } };

const rateLimitHeaders = (...of: Parameters<typeof rateLimitLines>) => headersIn(rateLimitLines(...of));

function standing(limit: Limit, remaining: number, resetAt: number): Standing {
  return { limit, remaining, resetAt };
}

test("the newer headers state every limit's policy and standing; the older headers state the limit with the fewest units left", () => {
  const standings = [standing(minute, 599, T + 59_001), standing(daily, 20, T + DAY_MS / 2)];
  expect(rateLimitHeaders(standings, undefined, T)).toEqual({
    "RateLimit-Policy": '"default";q=600;w=60, "daily";q=10000;w=86400',
    RateLimit: '"default";r=599;t=60, "daily";r=20;t=43200',
    "RateLimit-Limit": "10000",
    "RateLimit-Remaining": "20",
    "RateLimit-Reset": "43200",
    "X-RateLimit-Limit": "10000",
    "X-RateLimit-Remaining": "20",
    "X-RateLimit-Reset": String(T + DAY_MS / 2),
  });
});

test("a refusal has Retry-After, and its older headers state the refusing limit, not the one with fewer units", () => {
  const refused = standing(minute, 1, T + 30_000);
  const headers = rateLimitHeaders([refused, standing(daily, 0, T + DAY_MS)], refused, T);
  expect(headers).toMatchObject({ "RateLimit-Limit": "600", "RateLimit-Remaining": "0", "RateLimit-Reset": "30" });
  expect(headers).toMatchObject({ "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": String(T + 30_000) });
  expect(headers["Retry-After"]).toBe("30");
});

test.each([
  ["in the past", -1, "0", "1"],
  ["now", 0, "0", "1"],
  ["in a millisecond", 1, "1", "1"],
  ["in a second and a bit", 1_001, "2", "2"],
])("a reset %s is stated in whole seconds, rounded up", (_name, aheadMs, reset, retry) => {
  const refused = standing(minute, 0, T + aheadMs);
  const headers = rateLimitHeaders([refused], refused, T);
  expect(headers).toMatchObject({
    RateLimit: `"default";r=0;t=${reset}`,
    "RateLimit-Reset": reset,
    "Retry-After": retry,
  });
});

test("if several limits have equally few units left, the older headers state the first of these limits", () => {
  const standings = [standing(daily, 5, T), standing(minute, 5, T)];
  expect(rateLimitHeaders(standings, undefined, T)["RateLimit-Limit"]).toBe("10000");
});

test("the policy names the limits of this call, whatever limits earlier calls had", () => {
  const policy = (...limits: Limit[]) =>
    rateLimitHeaders(
      limits.map((limit) => standing(limit, 1, T)),
      undefined,
      T,
    )["RateLimit-Policy"];
  const lowered: Limit = { ...minute, max: 60 };
  expect([policy(minute), policy(minute, daily), policy(daily, minute), policy(lowered), policy(minute)]).toEqual([
    '"default";q=600;w=60',
    '"default";q=600;w=60, "daily";q=10000;w=86400',
    '"daily";q=10000;w=86400, "default";q=600;w=60',
    '"default";q=60;w=60',
    '"default";q=600;w=60',
  ]);
});

test("a window with a fraction of a second and a name with quotes produce well-formed fields", () => {
  const odd: Limit = { name: 'a "b" \\', max: 1, window: { kind: "sliding", ms: 1_500 } };
  const headers = rateLimitHeaders([standing(odd, 1, T)], undefined, T);
  expect(headers["RateLimit-Policy"]).toBe('"a \\"b\\" \\\\";q=1;w=2');
  expect(headers["RateLimit"]).toBe('"a \\"b\\" \\\\";r=1;t=0');
});

test("an empty list of standings produces no headers", () => {
  expect(rateLimitHeaders([], undefined, T)).toEqual({});
});
