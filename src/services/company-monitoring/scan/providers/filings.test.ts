import { expect, test } from "vitest";
import { resultOf, viewOf } from "../../../../../test/support/views.js";
import { settingReader } from "../../../../contract/setting.js";
import { DAY_MS } from "../../../../kit/clock.js";
import { ClockPace } from "../../../../kit/loop-turns.js";
import { materialEvents } from "../../../intelligence/datasets/material-events.js";
import type { StoredFiling } from "../../../intelligence/filing-records.js";
import type { Claim } from "../../rules/claims.js";
import type { ScannedCompany } from "../provider.js";
import { filingsProvider } from "./filings.js";

const NOW = Date.UTC(2026, 10, 22);
const facts = { now: NOW, settingOf: settingReader({}) };

const filing: StoredFiling = {
  accessionNumber: "0000320193-26-000001",
  form: "8-K",
  filedAt: NOW - 1,
  cik: "0000320193",
  companyName: "Vigil Inc.",
  items: ["1.05", "9.01"],
  url: "https://www.sec.gov/1",
};

const declared = (value: string): Claim => ({
  claimId: value,
  type: "COMPANY_CLAIM_TYPE_LEGAL_IDENTIFIER",
  value,
  provenance: "customer",
  trustState: "COMPANY_CLAIM_TRUST_STATE_DECLARED",
  expiresAt: null,
});
const evidence = { register: "SEC", recordId: "320193", recordName: "", checkedAt: 0, validUntil: 0 } as const;
const companyOf = (...claims: readonly Claim[]): ScannedCompany => ({
  companyKey: "acc company",
  accountId: "acc",
  name: "Vigil",
  domicileCountry: "US",
  claims,
});
const findingsOf = (company: ScannedCompany, ...filings: readonly StoredFiling[]) =>
  resultOf(
    filingsProvider.findSteps(
      { companies: [company], portfolios: [] },
      viewOf(materialEvents, { filings }),
      facts,
      new ClockPace(),
    ),
  ).map(({ finding }) => finding);

test("filings and joint filings are found by the declared or confirmed SEC number of a company", () => {
  const other: StoredFiling = { ...filing, accessionNumber: "0000000001-26-000002", cik: "0000000001" };
  const joint: StoredFiling = { ...other, coFilers: [{ cik: filing.cik, companyName: "Vigil Inc." }] };
  for (const company of [companyOf(declared("CIK:320193")), companyOf({ ...declared("x"), evidence })]) {
    const findings = findingsOf(company, filing, other);
    expect(findings).toEqual([
      {
        provider: "MONITORING_PROVIDER_FILINGS",
        sourceId: "0000320193-26-000001",
        canonicalUrl: "https://www.sec.gov/1",
        publisher: "US Securities and Exchange Commission",
        origin: "CIK 320193",
        authorityTier: "EVIDENCE_AUTHORITY_TIER_PRIMARY_VERIFIED",
        title: "Vigil Inc.: form 8-K",
        excerpt: "1.05 Material cybersecurity incident; 9.01 Financial statements and exhibits",
        publishedAt: NOW - 1,
        attribution: 1,
        matchedBy: "CIK 320193",
        filingItems: ["1.05", "9.01"],
      },
    ]);
    expect(findingsOf(company, joint)).toHaveLength(1);
  }
});

test("the finding on an amended filing is a correction", () => {
  const [only] = findingsOf(companyOf(declared("CIK:320193")), { ...filing, form: "8-K/A" });
  expect(only?.isCorrection).toBe(true);
});

test("the provider applies to companies with an SEC number", () => {
  expect(filingsProvider.appliesTo(companyOf(declared("CIK:320193")))).toBe(true);
  expect(filingsProvider.appliesTo(companyOf({ ...declared("x"), evidence }))).toBe(true);
  expect(filingsProvider.appliesTo(companyOf(declared("LEI:VIGILSIMLEI000000734")))).toBe(false);
});

test("the covered window is the week before the filings were last confirmed, even if a later read failed", () => {
  const snapshot = {
    available: true,
    state: "ok",
    view: viewOf(materialEvents, { filings: [] }),
    generation: 1,
    contentHash: "",
    builtAt: NOW,
    checkedAt: NOW,
    newestAt: null,
    nextBuildAt: null,
    attempt: null,
    parts: { filings: { state: "fresh", confirmedAt: NOW - 9, error: null } },
  } as const;
  expect(filingsProvider.windowOf(snapshot, facts)).toMatchObject({ start: NOW - 9 - 7 * DAY_MS, end: NOW - 9 });
  const kept = { filings: { state: "kept", confirmedAt: NOW - 9, error: "500" } } as const;
  expect(filingsProvider.windowOf({ ...snapshot, parts: kept }, facts)).toMatchObject({ end: NOW - 9 });
});
