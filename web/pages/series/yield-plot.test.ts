import { expect, test } from "vitest";
import { curveOn, TENORS, TENORS_MAX, tenorsWithout, yieldCurvePlot, yieldHistoryPlot } from "./yield-plot.js";

const curves = [
  { date: Date.UTC(2001, 6, 30), threeMonth: 3.5, tenYear: 5.1, thirtyYear: 5.6 },
  { date: Date.UTC(2001, 7, 3), oneMonth: 3.6, threeMonth: 3.5, tenYear: 5.2 },
];

test("a day without a curve gets the curve of the last business day before it; a day before all curves gets the first curve; an undefined or invalid day gets the last curve", () => {
  expect(curveOn(curves, "2001-08-02")?.date).toBe(curves[0]?.date);
  expect(curveOn(curves, "2001-08-03")?.date).toBe(curves[1]?.date);
  expect(curveOn(curves, "1980-01-01")?.date).toBe(curves[0]?.date);
  expect(curveOn(curves, undefined)?.date).toBe(curves[1]?.date);
  expect(curveOn(curves, "no day")?.date).toBe(curves[1]?.date);
  expect(curveOn([], undefined)).toBeUndefined();
});

test("a plot of two days has every tenor that either day has", () => {
  const plot = yieldCurvePlot(curves);
  expect(plot.tenors).toEqual(["1 month", "3 months", "10 years", "30 years"]);
  expect(plot.lines.map(({ name, values }) => [name, values])).toEqual([
    ["2001-07-30", [null, 3.5, 5.1, 5.6]],
    ["2001-08-03", [3.6, 3.5, 5.2, null]],
  ]);
  expect(tenorsWithout(curves[1] as (typeof curves)[1])).toHaveLength(TENORS.length - 3);
});

test("a history has a gap where a tenor has no yield, and has at most one line per colour", () => {
  expect(yieldHistoryPlot(curves, ["thirtyYear"]).lines[0]?.values).toEqual([5.6, null]);
  const all = TENORS.map(({ id }) => id);
  expect(yieldHistoryPlot(curves, all).lines).toHaveLength(TENORS_MAX);
});
