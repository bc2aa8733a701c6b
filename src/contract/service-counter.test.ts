import { expect, test } from "vitest";
import { serviceCounts } from "./service-counter.js";

const refusals = { name: "vigil_refusals_total", help: "Refusals", label: "reason", values: ["early", "late"] };

test("a counter starts at 0 for every value and counts each value separately", () => {
  const counts = serviceCounts([refusals]);
  counts.count(refusals, "late");
  counts.count(refusals, "late");
  expect(refusals.values.map((value) => counts.countOf(refusals, value))).toEqual([0, 2]);
});

test("counting a value that was not declared throws", () => {
  const counts = serviceCounts([refusals]);
  expect(() => counts.count(refusals, "never")).toThrow("vigil_refusals_total with the reason never");
  expect(() => serviceCounts([]).count(refusals, "late")).toThrow("vigil_refusals_total");
});
