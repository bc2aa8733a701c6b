import { describe, expect, test } from "vitest";
import { resultOf } from "../../../test/support/views.js";
import { ClockPace } from "../../kit/loop-turns.js";
import { changeSteps, type ListChanges, listChangesCache, wholeList } from "./list-changes.js";

const list = { rows: "rows", identity: ({ id }: { readonly id: string }) => id };
const row = (id: string, value = 0) => ({ id, value });
const whole = (rows: readonly unknown[]) => () => ({ rows, isUnique: false });

describe("the changes of a list that depends on the time", () => {
  const changesOf = (first: readonly unknown[], later: readonly unknown[], newer: readonly unknown[]) =>
    resultOf(changeSteps({ list, older: [whole(first), whole(later)], newer: whole(newer) }, new ClockPace())).changes;

  test("the changes remove rows that have left the time window, even if the generation has not changed", () => {
    const now = [row("b"), row("c")];
    expect(changesOf([row("a"), ...now], now, now)).toEqual([{ kind: "removed", id: "a" }]);
  });

  test("the changes add rows that may have entered the window since the read, and remove rows that may be gone", () => {
    const first = [row("a")];
    const later = [row("entered"), row("entered and gone"), row("a")];
    expect(changesOf(first, later, [row("entered"), row("a")])).toEqual([
      { kind: "added", id: "entered", index: 0 },
      { kind: "removed", id: "entered and gone" },
    ]);
  });
});

test("the whole list has the rows passed to `paginate`, or those of the answer if the operation has no pages", () => {
  const rows = [row("a"), row("b")];
  expect(wholeList(list, (paginate) => ({ rows: paginate(rows).rows }))).toEqual({ rows, isUnique: false });
  expect(wholeList(list, () => ({ rows }))).toEqual({ rows, isUnique: false });
});

test("a list is unique if its rows are known to have distinct values of the declared identity", () => {
  const rowsWith = (uniqueText: (row: { readonly id: string }) => string) => ({
    length: 1,
    slice: () => [row("a")],
    uniqueText,
  });
  const isUnique = (rows: ReturnType<typeof rowsWith>) =>
    wholeList(list, (paginate) => ({ rows: paginate(rows).rows })).isUnique;
  expect(isUnique(rowsWith(list.identity))).toBe(true);
  expect(isUnique(rowsWith(({ id }) => id.slice(1)))).toBe(false);
});

describe("the cache of changes", () => {
  const listChanges = (idLength = 1): ListChanges => ({
    changes: [{ kind: "removed", id: "x".repeat(idLength) }],
    rowCount: 0,
    addedCount: 0,
    removedCount: 1,
  });
  const counted = (changes: ListChanges, validUntil = Number.POSITIVE_INFINITY) => {
    const calls = { count: 0 };
    const make = async () => {
      calls.count += 1;
      return { listChanges: changes, validUntil };
    };
    return { calls, make };
  };

  test("the cache computes changes once for concurrent and later callers", async () => {
    const cache = listChangesCache(1_000_000);
    const { calls, make } = counted(listChanges());
    const [first, second] = await Promise.all([cache.get("a", 0, make), cache.get("a", 0, make)]);
    expect([first, await cache.get("a", 1, make)]).toEqual([second, second]);
    expect(calls.count).toBe(1);
  });

  test("the cache computes changes again after they have expired, and for a call at an earlier time", async () => {
    const cache = listChangesCache(1_000_000);
    const { calls, make } = counted(listChanges(), 10);
    for (const now of [5, 9, 10, 4]) await cache.get("a", now, make);
    expect(calls.count).toBe(3);
  });

  test("the cache does not keep a failed comparison", async () => {
    const cache = listChangesCache(1_000_000);
    const failing = async (): Promise<never> => {
      throw new Error("gone");
    };
    await expect(cache.get("a", 0, failing)).rejects.toThrow("gone");
    const { make } = counted(listChanges());
    expect(await cache.get("a", 0, make)).toEqual(listChanges());
  });

  test("the cache is bounded in bytes, including the bytes of the ids", async () => {
    const cache = listChangesCache(50_000);
    const { calls, make } = counted(listChanges(10_000));
    for (const key of ["a", "b", "c", "c", "a"]) await cache.get(key, 0, make);
    expect(calls.count).toBe(4);
    const large = counted(listChanges(100_000));
    for (const key of ["d", "d"]) await cache.get(key, 0, large.make);
    expect(large.calls.count).toBe(2);
  });
});
