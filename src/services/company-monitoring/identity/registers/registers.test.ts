import { expect, test } from "vitest";
import { viewOf } from "../../../../../test/support/views.js";
import type { Observation } from "../../../../contract/on-demand.js";
import type { Snapshot } from "../../../../contract/snapshot.js";
import { listedCompanies } from "../../../market/datasets/listed-companies.js";
import type { ScannedCompany } from "../../scan/provider.js";
import type { LeiQuery, LeiRecord } from "../../sources/gleif.js";
import type { SecFiler } from "../../sources/sec-filers.js";
import { lookUp } from "../look-up.js";
import { gleifRegister } from "./gleif-register.js";
import { secRegister } from "./sec-register.js";

const NOW = Date.UTC(2026, 10, 22);
const LEI = "VIGILSIMLEI000000734";

const companyOf = (name: string, identifiers: readonly string[] = [], domicileCountry = "US"): ScannedCompany => ({
  companyKey: "acc company",
  accountId: "acc",
  name,
  domicileCountry,
  claims: [
    ["COMPANY_CLAIM_TYPE_ALIAS", name] as const,
    ...identifiers.map((value) => ["COMPANY_CLAIM_TYPE_LEGAL_IDENTIFIER", value] as const),
  ].map(([type, value]) => ({
    claimId: value,
    type,
    value,
    provenance: "customer",
    trustState: "COMPANY_CLAIM_TRUST_STATE_DECLARED",
    expiresAt: null,
  })),
});

const read = <T>(...data: readonly T[]): Observation<readonly T[]> => ({
  state: "fresh",
  fetchedAt: NOW,
  expiresAt: NOW + 1,
  data,
});
const failed = (error: string): Observation<never> => ({ state: "error", fetchedAt: NOW, expiresAt: NOW, error });
const miss: Observation<never> = { state: "miss", fetchedAt: NOW, expiresAt: NOW };

const entity: LeiRecord = {
  lei: LEI,
  legalName: "Vigil Instruments Inc.",
  otherNames: ["Old Vigil"],
  legalAddressCountry: "US",
  entityStatus: "ACTIVE",
  registrationStatus: "LAPSED",
  updatedAt: NOW,
};
const filer: SecFiler = { cik: "0000320193", name: "VIGIL INSTRUMENTS INC", tickers: ["VGL"], formerNames: [] };

const listed: Snapshot<ReturnType<typeof viewOf<(typeof listedCompanies)["parts"], unknown>>> = {
  available: true,
  state: "ok",
  view: viewOf(listedCompanies, {
    companies: [
      { cik: filer.cik, ticker: "VGL", name: filer.name },
      { cik: filer.cik, ticker: "VGL-B", name: filer.name },
    ],
  }),
  generation: 1,
  contentHash: "",
  builtAt: NOW,
  checkedAt: NOW - 5,
  newestAt: null,
  nextBuildAt: null,
  attempt: null,
  parts: {},
};
const absent = { available: false, state: "absent", reason: "", attempt: null } as const;
type Listed = Parameters<typeof secRegister>[0];
const sec = (snapshot: unknown, filers: Observation<readonly SecFiler[]> = miss) =>
  secRegister(snapshot as Listed, async () => filers);

test("GLEIF is queried by the declared LEIs, or by the name if there are none", async () => {
  const queries: LeiQuery[] = [];
  const register = gleifRegister(async (query) => {
    queries.push(query);
    return read(entity);
  });
  expect(await register.lookUp(companyOf("Vigil Instruments", [`LEI:${LEI}`, "VAT 1"]))).toMatchObject({
    state: "read",
    records: [{ register: "GLEIF", recordId: LEI, country: "US", isActive: true, formerNames: ["Old Vigil"] }],
    readAt: NOW,
  });
  await register.lookUp(companyOf("Vigil Instruments"));
  expect(queries).toEqual([{ leis: [LEI] }, { legalName: "Vigil Instruments" }]);
});

test("the SEC's register applies to companies in the United States and to those with an SEC number or a ticker", () => {
  const register = sec(listed);
  expect(register.appliesTo(companyOf("Vigil"))).toBe(true);
  expect(register.appliesTo(companyOf("Vigil", [], "GB"))).toBe(false);
  expect(register.appliesTo(companyOf("Vigil", [LEI], "GB"))).toBe(false);
  expect(register.appliesTo(companyOf("Vigil", ["NYSE: VGL"], "GB"))).toBe(true);
});

test("a company is found by name or ticker in the stored list, and by SEC number without the list", async () => {
  const record = { register: "SEC", recordId: "320193", legalName: filer.name, tickers: ["VGL", "VGL-B"] };
  for (const company of [companyOf("Vigil Instruments, Inc."), companyOf("X", ["NASDAQ: VGL.B"])]) {
    expect(await sec(listed).lookUp(company)).toMatchObject({ state: "read", records: [record], readAt: NOW - 5 });
  }
  expect(await sec(absent, read(filer)).lookUp(companyOf("X", ["CIK:320193"]))).toMatchObject({
    records: [{ recordId: "320193" }],
    readAt: NOW,
  });
  expect(await sec(absent).lookUp(companyOf("X"))).toBeUndefined();
  expect(await sec({ ...absent, attempt: { at: 1, ended: "failed" } }).lookUp(companyOf("X"))).toEqual({
    state: "failed",
    reasonCode: "provider_unavailable",
  });
});

test.each([
  ["answered 429", "rate_limited"],
  ["answered 403", "authentication_failed"],
  ["no answer within 30 s", "timeout"],
  ["answered 500", "provider_unavailable"],
])("a register's error %j is reported as the failure %s", async (error, reasonCode) => {
  expect(await gleifRegister(async () => failed(error)).lookUp(companyOf("X"))).toEqual({
    state: "failed",
    reasonCode,
  });
});

test("while one register fails, the others can verify an identity but not revoke a verification", async () => {
  const down = gleifRegister(async () => failed("answered 500"));
  const partial = { state: "PROVIDER_COVERAGE_STATE_PARTIAL", reasonCode: "provider_partial" };
  const verified = await lookUp(companyOf("Vigil Instruments, Inc."), [down, sec(listed)]);
  expect(verified).toMatchObject({ window: partial, resolution: { state: "verified" } });
  const unknown = await lookUp(companyOf("Northlight"), [down, sec(listed)]);
  expect(unknown).toEqual({ window: expect.objectContaining(partial), resolution: undefined, findings: [] });
  const none = await lookUp(companyOf("Northlight"), [down]);
  expect(none).toEqual({
    window: { state: "PROVIDER_COVERAGE_STATE_FAILED", reasonCode: "provider_unavailable" },
    resolution: undefined,
    findings: [],
  });
});

test("the window of a lookup ends at the time of the oldest answer", async () => {
  const result = await lookUp(companyOf("Vigil Instruments, Inc."), [
    gleifRegister(async () => read(entity)),
    sec(listed),
  ]);
  expect(result).toMatchObject({
    window: { state: "PROVIDER_COVERAGE_STATE_COMPLETE", start: null, end: NOW - 5 },
    resolution: { state: "verified" },
  });
});
