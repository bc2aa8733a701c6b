import { expect, test } from "vitest";
import type { Stored } from "../check.js";
import { compared } from "../compare.js";
import { countryFacts } from "./intelligence.js";

const stored = (dataset: string, parts: Stored["parts"]): Stored => ({ dataset, generation: 1, builtAt: 0, parts });

const october = Date.UTC(2026, 9);
const prices = stored("us-cpi", {
  headline: [
    { month: Date.UTC(2025, 9), index: 320 },
    { month: Date.UTC(2026, 8), index: 333 },
    { month: october, index: 330 },
  ],
});
const fact = {
  countryCode: "US",
  label: "Consumer prices, CPI-U",
  value: "3.13 percent",
  factText:
    "US consumer prices (CPI-U, seasonally adjusted) for October 2026 were 3.13 percent above those of a year earlier and 0.9 percent below the month before.",
  at: october,
};

function problemsOf(changes: Partial<typeof fact>): readonly string[] {
  const check = countryFacts.find(({ what }) => what.endsWith("consumerPrices"));
  const own = stored("country-evidence", { consumerPrices: [{ ...fact, ...changes }] });
  const expected = check?.recompute(own, (name) => (name === "us-cpi" ? prices : undefined));
  return [...compared(expected as Parameters<typeof compared>[0], own.parts)].flatMap(({ problem }) => problem ?? []);
}

test("the fact on consumer prices follows from the index", () => {
  expect(problemsOf({})).toEqual([]);
});

test.each([
  [{ value: "3.12 percent" }, 'consumerPrices[0].value is "3.12 percent", recomputed "3.13 percent"'],
  [{ at: october + 1 }, `consumerPrices[0].at is ${october + 1}, recomputed ${october}`],
  [
    { factText: "3.13 percent above those of a year earlier and 0.9 percent above the month before" },
    'consumerPrices[0].factText is "3.13 percent above those of a year earlier and 0.9 percent above the month before", recomputed a sentence with "3.13 percent above those of a year earlier" and "0.9 percent below the month before"',
  ],
])("a wrong fact is found: %j", (changes, problem) => {
  expect(problemsOf(changes)).toEqual([problem]);
});
