import { expect, test } from "vitest";
import { icePlot } from "./climate-plots.js";

const data = {
  measuredAt: 0,
  iceTrend12m: [
    { month: "2025-12", extentMkm2: 12.445, anomalyMkm2: -1.482 },
    { month: "2026-02", extentMkm2: 14.1 },
  ],
};

test("the median of sea ice is its extent minus its anomaly, and a missing month is a gap", () => {
  const [extent, median] = icePlot(data, "extent").lines;
  expect(extent?.values).toEqual([12.445, null, 14.1]);
  expect(median?.values).toEqual([13.927, null, null]);
  expect(icePlot(data, "anomaly").lines.map(({ values }) => values)).toEqual([[-1.482, null, null]]);
});

test("a plot of sea ice without data has no points", () => expect(icePlot({ measuredAt: 0 }, "extent").xs).toEqual([]));
