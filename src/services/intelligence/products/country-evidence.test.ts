import { expect, test } from "vitest";
import { builtFrom, collectedFrom } from "../../../../test/support/collected-feeds.js";
import { resultOf } from "../../../../test/support/views.js";
import { silentTally } from "../../../contract/row-tally.js";
import type { AvailableSnapshot } from "../../../contract/snapshot.js";
import { HOUR_MS } from "../../../kit/clock.js";
import { ClockPace, type Steps } from "../../../kit/loop-turns.js";
import { mapValues } from "../../../kit/map-values.js";
import type { CountryFacts } from "../rules/evidence/draft.js";
import { type EvidenceIngredients, type EvidenceRead, evidenceReads } from "../rules/evidence/ingredients.js";
import { countryEvidence } from "./country-evidence.js";

const NOW = Date.UTC(2026, 10, 18, 12);
const off = { available: false, isOff: true, reason: "needs its key" } as const;
const missing = { available: false, isOff: false, reason: "not built yet" } as const;

const seen = (view: unknown, changes: Partial<AvailableSnapshot<unknown>> = {}): AvailableSnapshot<unknown> => ({
  ...collectedFrom([]),
  view,
  checkedAt: NOW,
  newestAt: NOW,
  ...changes,
});

/**
 * Creates the ingredients of a product from some snapshots. Every other dataset is off, because its settings are not
 * set.
 */
const ingredientsOf = (
  some: Partial<Record<EvidenceRead, AvailableSnapshot<unknown> | typeof missing>>,
): EvidenceIngredients =>
  // The cast is safe, because each snapshot has the part of its view that the rules read.
  ({ ...mapValues(evidenceReads, () => off), ...some }) as EvidenceIngredients;

const station = (countryCode: string, city: string) => ({
  countryCode,
  city,
  aqi: 160,
  riskLevel: "unhealthy",
  measuredAt: NOW - HOUR_MS,
  source: "OpenAQ",
});
const air = seen([station("UA", "Kyiv"), station("FR", "Lyon")]);
const disasters = seen([
  { name: "Amy", type: "storm", severity: "red", countryCode: "FR", status: "ongoing", source: "GDACS" },
]);

test("facts are stored by kind of data, and the view groups them by country in the order of their evidence ids", () => {
  const records = builtFrom(countryEvidence, ingredientsOf({ air, disasters }), NOW);
  expect(records.airQuality.map(({ countryCode, kind, at }) => [countryCode, kind, at])).toEqual([
    ["FR", "air-quality", NOW - HOUR_MS],
    ["UA", "air-quality", NOW - HOUR_MS],
  ]);
  expect(records.headline).toEqual([]);
  // The cast is safe, because the view is built in steps.
  const view = resultOf(countryEvidence.view(records, new ClockPace(), silentTally) as Steps<CountryFacts>);
  expect([...view].map(([code, facts]) => [code, facts.map(({ kind }) => kind)])).toEqual([
    ["FR", ["disaster", "air-quality"]],
    ["UA", ["air-quality"]],
  ]);
  expect(countryEvidence.newestAt(records)).toBe(NOW);
});

test("a build without any fact is refused", () => {
  const gateOf = (ingredients: EvidenceIngredients) =>
    countryEvidence.gate(builtFrom(countryEvidence, ingredients, NOW));
  expect(gateOf(ingredientsOf({}))).toBe("no dataset yields a fact on any country");
  expect(gateOf(ingredientsOf({ air }))).toBeUndefined();
});

test("each kind of data has the status of its datasets", () => {
  const statusesOf = (...args: Parameters<typeof ingredientsOf>) =>
    countryEvidence.partStatuses?.(ingredientsOf(...args));
  expect(statusesOf({ air, yields: missing })).toMatchObject({
    airQuality: { state: "fresh", confirmedAt: NOW, error: null },
    yields: { state: "missing", error: "us-treasury-yields: not built yet" },
    headline: { state: "off", error: "digest-full-en: needs its key" },
  });
  expect(statusesOf({ air: { ...air, state: "partial" } })?.airQuality).toEqual({
    state: "fresh",
    confirmedAt: NOW,
    error: null,
    lacking: "air-quality is partial",
  });
  expect(statusesOf({ air: { ...air, state: "stale" } })?.airQuality).toEqual({
    state: "missing",
    confirmedAt: NOW,
    error: "air-quality is stale",
  });
  expect(statusesOf({ weather: seen(new Map()), normals: missing })?.climate).toMatchObject({ state: "missing" });
});
