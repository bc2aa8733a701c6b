import { expect, test } from "vitest";
import type { Plot } from "./plot.js";
import { tableRows } from "./plot-changes.js";

const plot = (months: readonly (readonly [month: number, value: number])[]): Plot => ({
  id: "x",
  title: "X",
  unit: "index",
  digits: 1,
  step: "month",
  xs: months.map(([month]) => month),
  lines: [{ id: "a", name: "A", colour: 1, values: months.map(([, value]) => value) }],
});

test("revised, new and gone months are marked, and a revised month has both values", () => {
  const then = plot([
    [1, 10],
    [2, 20],
    [3, 30],
  ]);
  const now = plot([
    [1, 10],
    [2, 21],
    [4, 40],
  ]);
  expect(tableRows(then, now)).toEqual([
    { x: 4, values: [40], change: "new since" },
    { x: 3, values: [30], change: "gone since" },
    { x: 2, values: [20], valuesNow: [21], change: "changed since" },
    { x: 1, values: [10] },
  ]);
});

test("the tenors of a curve stay shortest first, with or without a later plot", () => {
  const curve = (oneMonth: number): Plot => ({
    ...plot([
      [0, oneMonth],
      [1, 4.2],
      [2, 4.8],
    ]),
    step: "tenor",
    tenors: ["1 month", "10 years", "30 years"],
  });
  const then = curve(3.9);
  expect(tableRows(then, undefined).map(({ x }) => x)).toEqual([0, 1, 2]);
  expect(tableRows(then, curve(4)).map(({ x }) => x)).toEqual([0, 1, 2]);
});

test("without a later plot, the rows are those of the plot, newest first", () =>
  expect(
    tableRows(
      plot([
        [1, 10],
        [2, 20],
      ]),
      undefined,
    ).map(({ x }) => x),
  ).toEqual([2, 1]));
