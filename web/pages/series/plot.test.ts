import { expect, test } from "vitest";
import { cut, gapsOf, monthsBetween, newestPlace, type Plot, placeName } from "./plot.js";

const months = monthsBetween(Date.UTC(2025, 7), Date.UTC(2026, 0));
const plot: Plot = {
  id: "x",
  title: "X",
  unit: "index",
  digits: 1,
  step: "month",
  xs: months,
  lines: [
    { id: "a", name: "A", colour: 1, values: [1, 2, null, 4, 5, 6] },
    { id: "b", name: "B", colour: 2, values: [null, null, null, 4, 5, 6] },
    { id: "c", name: "C", colour: 3, values: [1, 2, null, 4, 5, 6] },
  ],
};

test("every month between the first and the last has a place, so a month missing from the data leaves a gap", () =>
  expect(months.map((month) => placeName(plot, month))).toEqual([
    "2025-08",
    "2025-09",
    "2025-10",
    "2025-11",
    "2025-12",
    "2026-01",
  ]));

test("a gap that several lines have is listed once, with the names of the lines", () =>
  expect(gapsOf(plot).map(({ from, to, names }) => [placeName(plot, from), placeName(plot, to), names])).toEqual([
    ["2025-08", "2025-10", ["B"]],
    ["2025-10", "2025-10", ["A", "C"]],
  ]));

test("a section of a plot includes both of its ends, and is empty outside the plot", () => {
  const part = cut(plot, Date.UTC(2025, 9), Date.UTC(2025, 11));
  expect(part.xs).toHaveLength(3);
  expect(part.lines[0]?.values).toEqual([null, 4, 5]);
  expect(cut(plot, Date.UTC(2030, 0), Date.UTC(2031, 0)).xs).toEqual([]);
  expect(cut(plot, Date.UTC(2025, 11), Date.UTC(2025, 9)).xs).toEqual([]);
});

test("a curve is not cut by a range of times", () => {
  const curve: Plot = { ...plot, step: "tenor", xs: [0, 1, 2, 3, 4, 5] };
  expect(cut(curve, Date.UTC(2025, 9), Date.UTC(2025, 11))).toBe(curve);
});

test("the newest place is the last one with a value, or the very last one if there are no values", () => {
  const line = { id: "a", name: "A", colour: 1 } as const;
  const xs = months.slice(0, 3);
  expect(newestPlace({ ...plot, xs, lines: [{ ...line, values: [1, 2, null] }] })).toBe(1);
  expect(newestPlace({ ...plot, xs, lines: [{ ...line, values: [null, null, null] }] })).toBe(2);
});
