import { expect, test } from "vitest";
import { HOUR_MS } from "../../../kit/clock.js";
import type { Finding } from "../scan/finding.js";
import { decide } from "./decision.js";
import { evidenceOf } from "./evidence.js";
import { finding } from "./testing/findings.js";

const START = Date.UTC(2026, 10, 22);
const decision = (findings: readonly Finding[], hours = 1) => decide(findings.map(evidenceOf), START + hours * HOUR_MS);
const wireB = { publisher: "Wire B", origin: "wire-b", title: "Blaze at Orrin refinery in Ghent" };

test("an event with two independent origins is published", () => {
  const { outcome, assessment } = decision([finding(), finding(wireB)]);
  expect(outcome).toBe("publish");
  expect(assessment).toMatchObject({ category: "accident", direction: "negative", magnitude: "MEDIUM" });
  expect(assessment.confidence).toEqual({
    attribution: 0.95,
    occurrenceTruth: 0.888,
    materialImpact: 0.862,
    overall: 0.862,
  });
});

test("an event in a single filing of the company is published", () => {
  const filing = finding({
    provider: "MONITORING_PROVIDER_FILINGS",
    authorityTier: "EVIDENCE_AUTHORITY_TIER_PRIMARY_VERIFIED",
    title: "8-K - ORRIN INC (0001234567) (Filer)",
    filingItems: ["4.02"],
    attribution: 1,
  });
  expect(decision([filing])).toMatchObject({
    outcome: "publish",
    assessment: { category: "restatement", magnitude: "HIGH" },
  });
});

test("an event with one origin is held, reconsidered after 6, 24 and 48 hours, and expires after 72", () => {
  const times = [1, 7, 25, 49].map((hours) => decision([finding()], hours));
  expect(times.map(({ outcome }) => outcome)).toEqual(["hold", "hold", "hold", "hold"]);
  expect(times.map(({ nextAt = 0 }) => (nextAt - START) / HOUR_MS)).toEqual([6, 24, 48, 72]);
  expect(decision([finding()], 72)).toMatchObject({ outcome: "expire" });
  expect(decision([finding()], 72).nextAt).toBeUndefined();
});

test("copies of one text count once, and so do several pages of one publisher", () => {
  const copies = [
    finding(),
    finding({ origin: "portal" }),
    finding({ title: "Orrin refinery fire: what we know of the blaze" }),
  ];
  const { outcome, assessment } = decision(copies);
  expect([outcome, assessment.evidence.length, assessment.syndicatedCount]).toEqual(["hold", 1, 2]);
});

test("an event with an uncertain attribution is held, regardless of its sources", () => {
  const unsure = [finding({ attribution: 0.85 }), finding({ ...wireB, attribution: 0.85 })];
  expect(decision(unsure)).toMatchObject({ outcome: "hold" });
  expect(
    decision(unsure)
      .reasons.filter(({ isMet }) => !isMet)
      .map(({ rule }) => rule),
  ).toEqual(["attribution"]);
});

test("a title without an event is rejected", () => {
  expect(decision([finding({ title: "Opinion: why Orrin matters" })])).toMatchObject({ outcome: "reject" });
});

test("an event expires at an age of 30 days, but an entry of a sanctions list does not", () => {
  const secondHours = 1 / 3_600;
  expect(decision([finding(), finding(wireB)], 30 * 24 - secondHours)).toMatchObject({ outcome: "publish" });
  const { outcome, reasons } = decision([finding(), finding(wireB)], 30 * 24);
  expect(outcome).toBe("expire");
  expect(reasons).toContainEqual({ rule: "age", isMet: false, text: "the event is at least 30 days old" });
  const listed = finding({
    provider: "MONITORING_PROVIDER_SANCTIONS",
    authorityTier: "EVIDENCE_AUTHORITY_TIER_PRIMARY_VERIFIED",
    title: "Orrin is on the list OFAC SDN",
  });
  expect(decision([listed], 31 * 24)).toMatchObject({
    outcome: "publish",
    assessment: { category: "sanctions", direction: "negative" },
  });
});

test("neither a withdrawn report nor its copies count", () => {
  const withdrawal = finding({ title: "Retraction: Orrin refinery fire", publishedAt: START + HOUR_MS });
  const copy = finding({ origin: "portal" });
  expect(decision([finding(), copy, withdrawal], 2)).toMatchObject({ outcome: "reject" });
  expect(decision([finding(), finding(wireB), withdrawal], 2)).toMatchObject({
    outcome: "hold",
    assessment: { withdrawnCount: 2 },
  });
});

test("the latest correction decides the direction", () => {
  const correction = finding({
    title: "Correction: small fire at the Orrin refinery, company says",
    publishedAt: START + HOUR_MS,
  });
  const { assessment } = decision([finding(), finding(wireB), correction], 2);
  expect([assessment.direction, assessment.correctionCount]).toEqual(["mixed", 1]);
});

test("markup and instructions in a title stay plain text, and control characters are removed", () => {
  const hostile = {
    title: "Fire at Orrin\u0000\u202e <script>admit(1)</script> ignore the floors",
    excerpt: "x".repeat(10_000),
  };
  const { outcome, assessment } = decision([finding(hostile)]);
  expect(outcome).toBe("hold");
  expect(assessment.evidence[0]?.finding.title).toBe("Fire at Orrin <script>admit(1)</script> ignore the floors");
  expect(assessment.evidence[0]?.finding.excerpt).toHaveLength(400);
});

test("an event reported by posts alone is never published, and posts do not replace a second origin", () => {
  const post = (at: number, more: Partial<Finding> = {}) =>
    finding({
      provider: "MONITORING_PROVIDER_SOCIAL",
      publisher: "X",
      origin: "X",
      authorityTier: "EVIDENCE_AUTHORITY_TIER_ORDINARY",
      title: `Fire at the Orrin refinery, number ${at}`,
      attribution: 0.85,
      ...more,
    });
  const posts = Array.from({ length: 50 }, (_, at) => post(at));
  expect(decision(posts)).toMatchObject({ outcome: "hold", assessment: { evidence: { length: 1 } } });
  expect(decision([...posts, post(51, { attribution: 1, origin: "other" })])).toMatchObject({ outcome: "hold" });
  expect(decision([finding(), ...posts])).toMatchObject({ outcome: "hold" });
  expect(decision([finding(), finding(wireB), ...posts])).toMatchObject({ outcome: "publish" });
});
