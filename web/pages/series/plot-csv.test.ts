import { expect, test } from "vitest";
import { plotCsv } from "./plot-csv.js";

test("the CSV file of a plot states its unit and source, keeps the numbers, and leaves missing months empty", () => {
  const text = plotCsv(
    {
      id: "x",
      title: "Prices",
      unit: "index, 1982-84 = 100",
      digits: 1,
      step: "month",
      xs: [Date.UTC(2025, 8), Date.UTC(2025, 9)],
      lines: [{ id: "a", name: "All items", colour: 1, values: [344.644, null] }],
    },
    ["Source: Bureau\nof Labor Statistics"],
  );
  expect(text.split("\r\n")).toEqual([
    "# Prices",
    "# Source: Bureau of Labor Statistics",
    'month,"All items (index, 1982-84 = 100)"',
    "2025-09,344.644",
    "2025-10,",
    "",
  ]);
});
