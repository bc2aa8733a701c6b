import { expect, test } from "vitest";
import { cpiPlot } from "./cpi-plot.js";
import { gapsOf } from "./plot.js";

const reading = (index: number, percent?: number) => ({
  index,
  ...(percent !== undefined && { monthOverMonth: { percent } }),
});
const months = [
  { month: Date.UTC(2025, 8), headline: reading(344.6, 0.1), core: reading(400, 0.2) },
  { month: Date.UTC(2025, 10), headline: reading(346.7), core: reading(401) },
  { month: Date.UTC(2025, 11), headline: reading(347.5, 0.22) },
];

test("a month that was never collected is a gap in the index and its changes", () => {
  const index = cpiPlot(months, "index", ["headline", "core"]);
  expect(index.lines.map(({ values }) => values)).toEqual([
    [344.6, null, 346.7, 347.5],
    [400, null, 401, null],
  ]);
  const [change] = cpiPlot(months, "mom", ["headline"]).lines;
  expect(change?.values).toEqual([0.1, null, null, 0.22]);
  expect(gapsOf(cpiPlot(months, "mom", ["headline"]))).toEqual([
    { from: Date.UTC(2025, 9), to: Date.UTC(2025, 10), names: ["All items"] },
  ]);
});

test("an empty list of months makes an empty plot", () => expect(cpiPlot([], "yoy", ["headline"]).xs).toEqual([]));
