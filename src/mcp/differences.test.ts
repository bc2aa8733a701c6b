import { expect, test } from "vitest";
import { ClockPace, type Steps } from "../kit/loop-turns.js";
import { type Difference, differenceSteps } from "./differences.js";

/** Runs steps to their end and counts their slices. The pace measures work in reads of the clock. */
function sliced(readsPerSlice: number, start: (pace: ClockPace) => Steps<void>): number {
  let reads = 0;
  const pace = new ClockPace(() => {
    reads += 1;
    return reads;
  });
  const steps = start(pace);
  let slices = 0;
  do {
    slices += 1;
    pace.startSlice(reads + readsPerSlice);
  } while (!steps.next().done);
  return slices;
}

function differencesOf(from: unknown, to: unknown, readsPerSlice = 1): readonly Difference[] {
  const differences: Difference[] = [];
  sliced(readsPerSlice, (pace) =>
    differenceSteps({ path: "", from, to }, { pace, add: (difference) => differences.push(difference) }),
  );
  return differences;
}

test("equal values have no differences, whatever the order of their members", () => {
  expect(differencesOf({ a: 1, b: [{ id: "x" }] }, { b: [{ id: "x" }], a: 1 })).toEqual([]);
});

test("members that were added, removed or changed are listed with their paths", () => {
  const [from, to] = [
    { a: { b: 1, c: 2 }, gone: null },
    { a: { b: 3, c: 2 }, more: 0 },
  ];
  expect(differencesOf(from, to)).toEqual([
    { path: "a.b", from: 1, to: 3 },
    { path: "gone", from: null },
    { path: "more", to: 0 },
  ]);
});

test("rows are compared by identity, not by position", () => {
  const from = {
    rows: [
      { id: "a", n: 1 },
      { id: "b", n: 2 },
    ],
  };
  const to = {
    rows: [
      { id: "b", n: 3 },
      { id: "c", n: 4 },
      { id: "a", n: 1 },
    ],
  };
  expect(differencesOf(from, to)).toEqual([
    { path: "rows[?id=='b'].n", from: 2, to: 3 },
    { path: "rows[?id=='c']", to: { id: "c", n: 4 } },
  ]);
});

test("rows without an identity are compared by their content, counting repetitions", () => {
  expect(differencesOf([1, 1, 2], [1, 2, 2, 3])).toEqual([
    { path: "[]", from: 1 },
    { path: "[]", to: 2 },
    { path: "[]", to: 3 },
  ]);
});

test("values of different kinds differ as a whole", () => {
  expect(differencesOf([1], { a: 1 })).toEqual([{ path: "@", from: [1], to: { a: 1 } }]);
});

test("a list of numbers behind an object with many members is read once, and not once for each member", () => {
  let reads = 0;
  const counted = (rows: readonly unknown[]) =>
    new Proxy(rows, {
      get(target, name, receiver) {
        if (typeof name === "string" && /^\d+$/.test(name)) reads += 1;
        return Reflect.get(target, name, receiver);
      },
    });
  const names = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`member${at}`, at]));
  const rowsFrom = (start: number) => [names, ...Array.from({ length: 1_000 }, (_, at) => start + at)];
  expect(differencesOf(counted(rowsFrom(0)), counted(rowsFrom(500)))).toHaveLength(1_000);
  // Both lists have 1,001 rows. The rows are read to compare the lists and to group the rows.
  expect(reads).toBeLessThan(3 * 2_002);
});

test("at most 32 members are tried as the identity of rows", () => {
  const rows = (value: number) => [
    { ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`n${at}`, at])), name: "a", value },
  ];
  expect(differencesOf(rows(1), rows(2)).map(({ path }) => path)).toEqual(["[]", "[]"]);
});

test("a long comparison ends its slice when the clock says so", () => {
  const rows = (value: number) => Array.from({ length: 10_000 }, (_, at) => ({ id: `row ${at}`, value }));
  const count = (readsPerSlice: number) =>
    sliced(readsPerSlice, (pace) =>
      differenceSteps({ path: "", from: rows(1), to: rows(2) }, { pace, add: () => undefined }),
    );
  expect(count(Number.POSITIVE_INFINITY)).toBe(1);
  expect(count(1_000)).toBeGreaterThan(10);
});

test("an error of the receiver ends the comparison", () => {
  const add = () => {
    throw new Error("enough");
  };
  const steps = differenceSteps({ path: "", from: [1], to: [2] }, { pace: new ClockPace(), add });
  expect(() => steps.next()).toThrow("enough");
});
