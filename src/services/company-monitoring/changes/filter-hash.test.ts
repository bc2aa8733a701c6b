import { expect, test } from "vitest";
import { filterHash } from "./filter-hash.js";

test("a filter hash is 64 hex characters", () => {
  expect(filterHash({})).toMatch(/^[0-9a-f]{64}$/);
});

test("a filter hash ignores the order of filters and values, repeated values and filters without values", () => {
  const hash = filterHash({ lifecycle: ["active", "paused"], coverage: ["stale"] });
  expect(filterHash({ coverage: ["stale"], lifecycle: ["paused", "active", "active"] })).toBe(hash);
  expect(filterHash({ lifecycle: [], coverage: [] })).toBe(filterHash({}));
});

test("different filters have different hashes", () => {
  const hashes = [
    {},
    { lifecycle: ["active"] },
    { coverage: ["active"] },
    { lifecycle: ["active", "paused"] },
    { lifecycle: ["active,paused"] },
    { lifecycle: ["active"], coverage: ["paused"] },
  ].map((filters: Readonly<Record<string, readonly string[]>>) => filterHash(filters));
  expect(new Set(hashes).size).toBe(hashes.length);
});
