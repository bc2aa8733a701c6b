import { describe, expect, test } from "vitest";
import { countingTally, identityOf, silentTally } from "./row-tally.js";

const rows = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => ({ id, isEven: id % 2 === 0 }));
const rules = {
  even: ({ isEven }: { readonly isEven: boolean }) => isEven,
  unused: false,
  small: ({ id }: { readonly id: number }) => id < 7,
} as const;

describe("a tally", () => {
  test("a tally counts a row under the first rule that leaves it out, with one example", () => {
    const tally = countingTally();
    const kept = tally.filter(tally.whole(rows), rules);
    expect(kept.map(({ id }) => id)).toEqual([2, 4, 6]);
    expect([tally.wholeCount, tally.leftOutRows]).toEqual([
      8,
      [
        { rule: "even", count: 4, example: "1" },
        { rule: "small", count: 1, example: "8" },
      ],
    ]);
  });

  test("a tally counts the rows that `narrowed` and `first` leave out", () => {
    const tally = countingTally();
    const even = rows.filter(({ isEven }) => isEven);
    expect(tally.narrowed("even", rows, even, ({ isEven }) => isEven)).toBe(even);
    expect(tally.first("limit", even, 3)).toEqual(even.slice(0, 3));
    expect(tally.first("limit", even, 4)).toEqual(even);
    expect(tally.leftOutRows).toEqual([
      { rule: "even", count: 4, example: "1" },
      { rule: "limit", count: 1, example: "8" },
    ]);
  });

  test("a tally finds an example after thousands of kept rows", () => {
    const many = Array.from({ length: 5_000 }, (_, id) => ({ id }));
    const tally = countingTally();
    tally.narrowed("last", many, many.slice(0, -1), ({ id }) => id < 4_999);
    expect(tally.leftOutRows).toEqual([{ rule: "last", count: 1, example: "4999" }]);
  });

  test("a counting tally and the silent tally keep the same rows", () => {
    const even = rows.filter(({ isEven }) => isEven);
    expect(silentTally.filter(silentTally.whole(rows), rules)).toEqual(countingTally().filter(rows, rules));
    expect(silentTally.narrowed("even", rows, even, () => true)).toBe(even);
    expect(silentTally.first("limit", rows, 2)).toEqual(rows.slice(0, 2));
    expect(silentTally.filter(rows, {})).not.toBe(rows);
  });
});

test.each([
  [{ id: "us1", title: "M 5" }, "us1"],
  [{ id: "", title: "M 5" }, "M 5"],
  [{ id: null, value: [1, 2] }, '{"id":null,"value":[1,2]}'],
  [["a", 1], '["a",1]'],
  ["a text", "a text"],
  [undefined, "undefined"],
  [{ id: "x".repeat(500) }, "x".repeat(120)],
  [{ id: `${"x".repeat(119)}😀` }, "x".repeat(119)],
  [{ id: "half a pair \ud83d" }, "half a pair \ufffd"],
])("the short name of the row %j is %j", (row, name) => {
  expect(identityOf(row)).toBe(name);
});
