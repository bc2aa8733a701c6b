import { expect, test } from "vitest";
import { DAY_MS } from "../../kit/clock.js";
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

const october1 = Date.UTC(2026, 9, 1);
const events = [
  { id: "gdelt-1", country: "Sudan", occurredAt: october1, fatalities: 0, fatalitiesKnown: false },
  { id: "gdelt-2", country: "Nowhere", occurredAt: october1, fatalities: 0, fatalitiesKnown: false },
];
const conflict = {
  countryCode: "SD",
  label: "Conflict events, GDELT",
  value: "1 event",
  factText: "GDELT lists 1 conflict event in Sudan on 1 October 2026; it does not count deaths.",
  at: october1,
};

test.each([
  ["all facts on conflict are right", "no problem", [conflict], []],
  [
    "a fact on conflict has a wrong count",
    "both counts",
    [{ ...conflict, value: "2 events" }],
    ['alphaEvents[0].value is "2 events", recomputed "1 event"'],
  ],
  [
    "a fact on conflict is missing",
    "the numbers of facts",
    [{ ...conflict, countryCode: "TD" }],
    ["alphaEvents has 1 rows, recomputed 2"],
  ],
  ["there is no fact on conflict at all, as in a build without that dataset", "no problem", [], []],
])("if %s, the check reports %s, and it ignores events in unknown countries", (_state, _reported, facts, problems) => {
  const check = countryFacts.find(({ what }) => what.endsWith("alphaEvents"));
  const own = stored("country-evidence", { alphaEvents: facts });
  const expected = check?.recompute(own, () => stored("alpha-events", { acled: [], gdelt: events }));
  const comparisons = [...compared(expected as Parameters<typeof compared>[0], own.parts)];
  expect(comparisons.flatMap(({ problem }) => problem ?? [])).toEqual(problems);
});

test("only the days of GDELT's events that were collected count towards a recomputed trend", () => {
  const check = countryFacts.find(({ what }) => what.endsWith("alphaEvents"));
  const dated = (id: string, country: string, daysBefore: number) => ({
    id: `gdelt-${id}`,
    country,
    occurredAt: october1 - daysBefore * DAY_MS,
    fatalities: 0,
    fatalitiesKnown: false,
  });
  const collected = (dayCount: number) =>
    Array.from({ length: dayCount * 20 }, (_, at) => dated(String(at), "Sudan", Math.floor(at / 20)));
  const fact = (label: string, value: string, factText: string) => ({ ...conflict, label, value, factText });
  const problems = (gdelt: readonly object[], ...facts: readonly object[]) => {
    const own = stored("country-evidence", { alphaEvents: facts });
    const expected = check?.recompute(own, () => stored("alpha-events", { acled: [], gdelt }));
    return [...compared(expected as Parameters<typeof compared>[0], own.parts)].flatMap(({ problem }) => problem ?? []);
  };
  const few = fact("Conflict events, GDELT", "60 events", "GDELT lists 60 conflict events in Sudan.");
  const old = Array.from({ length: 31 }, (_, back) => dated(`old-${back}`, "Mali", back));
  expect(problems([...collected(4), dated("old", "Mali", 29)], few)).toEqual([]);
  const inMali = { ...fact("Conflict events, GDELT", "3 events", "3 conflict events"), countryCode: "ML" };
  expect(problems([...collected(4), ...old], few, inMali)).toEqual([]);
  const all = fact("Conflict events, GDELT", "600 events", "GDELT lists 600 conflict events in Sudan.");
  const trend = fact(
    "Trend: conflict events that GDELT lists",
    "300 to 300 events",
    "They held at 300 events (2 to 16 September 2026) and 300 events (17 September to 1 October 2026).",
  );
  expect(problems(collected(31), all, trend)).toEqual([]);
  // Earlier versions stated a trend over days that had not been collected. Such a trend is a fault.
  expect(problems([...collected(4), dated("old", "Mali", 29)], few, trend)).toHaveLength(1);
});

test("a fact on consumer prices is accepted if its numbers follow from the index", () => {
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
