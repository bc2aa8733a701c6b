import { expect, test } from "vitest";
import type { PartStatus } from "../../../../contract/snapshot.js";
import { DAY_MS, HOUR_MS } from "../../../../kit/clock.js";
import { airQuality } from "../../../climate/datasets/air-quality.js";
import { evidenceOn, evidenceOnChangesAt } from "./current-evidence.js";
import { type EvidenceAge, type EvidenceDraft, evidenceAgesMax } from "./draft.js";

const NOON = Date.UTC(2026, 10, 18, 12);

const draft = (age: EvidenceAge, at: number): EvidenceDraft => ({
  kind: "conflict",
  label: "Label",
  value: age,
  factText: "Fact.",
  at,
  age,
  url: "https://source.example/",
});

const freshSince = (confirmedAt: number): PartStatus => ({ state: "fresh", confirmedAt, error: null });

const facts = {
  view: new Map([["UA", [draft("airQuality", NOON), draft("headline", NOON)]]]),
  parts: { airQuality: freshSince(NOON), headline: freshSince(NOON + DAY_MS) },
};
const valuesAt = (now: number) => evidenceOn("UA", facts, now).map(({ value }) => value);

test("once a dataset becomes stale after the build, its facts are omitted", () => {
  const staleAt = NOON + airQuality.staleAfterMs;
  expect(valuesAt(staleAt - 1)).toEqual(["airQuality", "headline"]);
  expect(valuesAt(staleAt)).toEqual(["headline"]);
  expect(evidenceOnChangesAt("UA", facts, NOON)).toBe(staleAt);
  expect(evidenceOnChangesAt("UA", facts, staleAt)).toBe(NOON + DAY_MS + HOUR_MS);
});

test("a dataset that is confirmed again keeps its facts until they are too old", () => {
  const confirmed = { ...facts, parts: { ...facts.parts, airQuality: freshSince(NOON + 4 * HOUR_MS) } };
  const tooOldAt = NOON + evidenceAgesMax.airQuality + 1;
  expect(evidenceOn("UA", confirmed, tooOldAt - 1)).toHaveLength(2);
  expect(evidenceOn("UA", confirmed, tooOldAt)).toHaveLength(1);
  expect(evidenceOnChangesAt("UA", confirmed, NOON)).toBe(tooOldAt);
});

test("a country without facts has no evidence until the next build", () => {
  expect(evidenceOn("FR", facts, NOON)).toEqual([]);
  expect(evidenceOnChangesAt("FR", facts, NOON)).toBe(Number.POSITIVE_INFINITY);
});
