import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { restlessPace, resultOf } from "../../test/support/views.js";
import { differenceSteps, type ListDifference } from "./list-difference.js";
import { ClockPace } from "./loop-turns.js";

interface Row {
  readonly id: string;
  readonly value: number;
}

const row = (id: string, value = 0): Row => ({ id, value });

function difference(older: readonly Row[], newer: readonly Row[], pace = new ClockPace()): ListDifference {
  return resultOf(differenceSteps({ older, newer, keyOf: ({ id }) => id }, pace));
}

/** The keys that `differenceSteps` assigns to the rows of a list. */
function keysOf(rows: readonly Row[]): readonly string[] {
  const counts = new Map<string, number>();
  return rows.map(({ id }) => {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id}#${count}`;
  });
}

/**
 * The older list with the changes applied: the changed and removed rows taken out, and the upserts inserted at their
 * positions.
 */
function applied(older: readonly Row[], newer: readonly Row[], { upserts, removed }: ListDifference): readonly Row[] {
  const named = new Set([...upserts.map(({ key }) => key), ...removed]);
  const keys = keysOf(older);
  const list = older.filter((_, index) => !named.has(keys[index] ?? ""));
  for (const { index } of upserts) list.splice(index, 0, newer[index] as Row);
  return list;
}

describe("the difference of two lists", () => {
  test("the difference of equal lists is empty", () => {
    const rows = [row("a"), row("b")];
    expect(difference(rows, structuredClone(rows))).toEqual({ upserts: [], removed: [] });
    expect(difference([], [])).toEqual({ upserts: [], removed: [] });
  });

  test("the difference contains the rows that were added, changed and removed", () => {
    expect(difference([row("a"), row("b"), row("c")], [row("new"), row("a"), row("c", 1)])).toEqual({
      upserts: [
        { key: "new", index: 0, isNew: true },
        { key: "c", index: 2, isNew: false },
      ],
      removed: ["b"],
    });
  });

  test("the difference contains as few moved rows as possible", () => {
    const rows = ["a", "b", "c", "d"].map((id) => row(id));
    const [a, b, c, d] = rows as [Row, Row, Row, Row];
    expect(difference(rows, [d, a, b, c])).toEqual({ upserts: [{ key: "d", index: 0, isNew: false }], removed: [] });
    expect(difference(rows, [b, c, d, a])).toEqual({ upserts: [{ key: "a", index: 3, isNew: false }], removed: [] });
  });

  test("in the difference, rows with the same key get numbered keys", () => {
    expect(difference([row("a", 1), row("a", 2)], [row("a", 1), row("a", 3), row("a", 4)])).toEqual({
      upserts: [
        { key: "a#2", index: 1, isNew: false },
        { key: "a#3", index: 2, isNew: true },
      ],
      removed: [],
    });
  });

  test("the difference turns the older list into the newer one", () => {
    const rows = fc.array(fc.record({ id: fc.constantFrom(..."abcdefghij"), value: fc.integer({ max: 2, min: 0 }) }));
    fc.assert(
      fc.property(rows, rows, (older, newer) => {
        expect(applied(older, newer, difference(older, newer))).toEqual(newer);
      }),
      { numRuns: 2_000 },
    );
  });

  test("neither shared row objects nor keys that are known to be unique change the difference", () => {
    const pool = Array.from({ length: 12 }, (_, index) => row("abcdefghij"[index % 10] as string, index % 3));
    const rows = fc.array(fc.constantFrom(...pool), { maxLength: 30 });
    fc.assert(
      fc.property(rows, rows, (older, newer) => {
        const changes = difference(older, newer);
        expect(changes).toEqual(difference(older, structuredClone(newer)));
        expect(applied(older, newer, changes)).toEqual(newer);
        const isUnique = [older, newer].every((list) => new Set(list.map(({ id }) => id)).size === list.length);
        if (!isUnique) return;
        const keyed = { older, newer, keyOf: ({ id }: Row) => id, hasUniqueKeys: true };
        expect(resultOf(differenceSteps(keyed, new ClockPace()))).toEqual(changes);
      }),
      { numRuns: 2_000 },
    );
  });

  test("the difference contains rows that moved further than the comparison looks ahead", () => {
    const older = Array.from({ length: 500 }, (_, index) => row(`row-${index}`));
    const shift = fc.record({ from: fc.nat(499), count: fc.integer({ min: 1, max: 200 }), to: fc.nat(499) });
    fc.assert(
      fc.property(fc.array(shift, { maxLength: 4 }), (shifts) => {
        const newer = [...older];
        for (const { from, count, to } of shifts) newer.splice(to, 0, ...newer.splice(from, count));
        const changes = difference(older, newer);
        expect(changes.removed).toEqual([]);
        expect(changes.upserts.every(({ isNew }) => !isNew)).toBe(true);
        expect(applied(older, newer, changes)).toEqual(newer);
      }),
    );
  });

  test("the difference contains all rows of lists that have nothing in common", () => {
    const older = Array.from({ length: 100 }, (_, index) => row(`old-${index}`));
    const newer = Array.from({ length: 70 }, (_, index) => row(`new-${index}`));
    const { upserts, removed } = difference(older, newer);
    expect([upserts.length, removed.length]).toEqual([70, 100]);
  });

  test("the difference is computed in slices", () => {
    const older = Array.from({ length: 2_000 }, (_, index) => row(`row-${index}`));
    const newer = older.map(({ id }, index) => row(id, index % 10 === 0 ? 1 : 0)).reverse();
    const { pace, looks } = restlessPace();
    expect(difference(older, newer, pace)).toEqual(difference(older, newer));
    expect(looks()).toBeGreaterThan(100);
  });
});
