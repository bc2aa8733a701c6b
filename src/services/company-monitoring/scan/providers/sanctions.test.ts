import { expect, test } from "vitest";
import { resultOf, viewOf } from "../../../../../test/support/views.js";
import { settingReader } from "../../../../contract/setting.js";
import type { PartStatus, Snapshot } from "../../../../contract/snapshot.js";
import { ClockPace } from "../../../../kit/loop-turns.js";
import { sanctionsLists } from "../../../sanctions/datasets/sanctions-lists.js";
import type { ListedEntity } from "../../../sanctions/records.js";
import type { Claim } from "../../rules/claims.js";
import type { ScannedCompany } from "../provider.js";
import { sanctionsProvider } from "./sanctions.js";

const NOW = Date.UTC(2026, 10, 22);

const listed = (id: string, name: string, rest: Partial<ListedEntity> = {}): ListedEntity => ({
  id: `sdn:${id}`,
  name,
  type: "entity",
  programs: ["RUSSIA-EO14024"],
  ...rest,
});

const listsOf = (...sdn: readonly ListedEntity[]) =>
  viewOf(sanctionsLists, { sdn, consolidated: [], sema: [], un: [] });

const facts = { now: NOW, settingOf: settingReader({}) };

const companyOf = (name: string, ...aliases: readonly string[]): ScannedCompany => ({
  companyKey: "acc cm_company_1",
  accountId: "acc",
  name,
  domicileCountry: "RU",
  claims: aliases.map(
    (value): Claim => ({
      claimId: value,
      type: "COMPANY_CLAIM_TYPE_ALIAS",
      value,
      provenance: "customer",
      trustState: "COMPANY_CLAIM_TRUST_STATE_DECLARED",
      expiresAt: null,
    }),
  ),
});

const findingsOf = (company: ScannedCompany, ...sdn: readonly ListedEntity[]) => {
  return resultOf(
    sanctionsProvider.findSteps({ companies: [company], portfolios: [] }, listsOf(...sdn), facts, new ClockPace()),
  );
};

test("a company is found by its name in any legal form and script, and by its aliases", () => {
  const entry = listed("1", "OOO Romashka", { listedAt: NOW - 1, countries: ["RU"], note: "A plant." });
  for (const company of [companyOf("Romashka LLC"), companyOf("Chamomile", "ООО «Ромашка»")]) {
    const [finding, ...others] = findingsOf(company, entry, listed("2", "Romashka Invest"));
    expect(others).toEqual([]);
    expect(finding).toEqual({
      companyKey: "acc cm_company_1",
      finding: {
        provider: "MONITORING_PROVIDER_SANCTIONS",
        sourceId: "sdn:1",
        canonicalUrl: "https://sanctionssearch.ofac.treas.gov/",
        publisher: "OFAC SDN",
        origin: "sanctions sdn",
        authorityTier: "EVIDENCE_AUTHORITY_TIER_PRIMARY_VERIFIED",
        title: "OOO Romashka is on the list OFAC SDN",
        excerpt: "RUSSIA-EO14024; A plant.",
        publishedAt: NOW - 1,
        attribution: 0.95,
        matchedBy: "name OOO Romashka, country RU",
      },
    });
  }
});

test("a namesake in another country is less certain, and persons, vessels and short names are not found", () => {
  const [only] = findingsOf(companyOf("Romashka"), listed("1", "Romashka JSC", { countries: ["CY"] }));
  expect(only?.finding.attribution).toBe(0.8);
  expect(findingsOf(companyOf("Romashka"), listed("1", "Romashka", { type: "individual" }))).toEqual([]);
  expect(findingsOf(companyOf("Romashka"), listed("1", "Romashka", { type: "vessel" }))).toEqual([]);
  expect(findingsOf(companyOf("AO"), listed("1", "AO"))).toEqual([]);
});

const snapshotOf = (parts: Readonly<Record<string, PartStatus>>): Snapshot<ReturnType<typeof listsOf>> => ({
  available: true,
  state: "ok",
  view: listsOf(),
  generation: 1,
  contentHash: "",
  builtAt: NOW,
  checkedAt: NOW,
  newestAt: null,
  nextBuildAt: null,
  attempt: null,
  parts,
});
const fresh = (confirmedAt: number): PartStatus => ({ state: "fresh", confirmedAt, error: null });
const missing: PartStatus = { state: "missing", confirmedAt: null, error: "500" };
const off: PartStatus = { state: "off", confirmedAt: null, error: null };

test("the window ends at the oldest confirmation among the lists, and a missing list makes the window partial", () => {
  const windowOf = (parts: Readonly<Record<string, PartStatus>>) =>
    sanctionsProvider.windowOf(snapshotOf(parts), facts);
  expect(windowOf({ sdn: fresh(NOW), un: fresh(NOW - 5), sema: off })).toEqual({
    state: "PROVIDER_COVERAGE_STATE_COMPLETE",
    reasonCode: "complete",
    capped: false,
    start: null,
    end: NOW - 5,
  });
  expect(windowOf({ sdn: fresh(NOW), un: missing })).toMatchObject({
    state: "PROVIDER_COVERAGE_STATE_PARTIAL",
    reasonCode: "provider_partial",
  });
  const failed = { state: "PROVIDER_COVERAGE_STATE_FAILED", reasonCode: "provider_unavailable" };
  expect(windowOf({ sdn: missing, un: missing })).toEqual(failed);
  const absent = (attempt: { readonly at: number; readonly ended: "failed" } | null) =>
    sanctionsProvider.windowOf({ available: false, state: "absent", reason: "", attempt }, facts);
  expect([absent(null), absent({ at: NOW, ended: "failed" })]).toEqual([undefined, failed]);
});

test("the provider is not configured if every list is switched off", () => {
  expect(sanctionsProvider.isConfigured(snapshotOf({ sdn: off, un: off }))).toBe(false);
  expect(sanctionsProvider.isConfigured(snapshotOf({ sdn: off, un: missing }))).toBe(true);
});
