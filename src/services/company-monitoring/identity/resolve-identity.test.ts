import { expect, test } from "vitest";
import type { Claim } from "../rules/claims.js";
import { identityOf } from "./identity-of.js";
import { type RegisterRecord, resolveIdentity, VERIFIED_MS } from "./resolve-identity.js";

const NOW = Date.UTC(2026, 10, 22);
const LEI = "VIGILSIMLEI000000734";

const claim = (type: "ALIAS" | "LEGAL_IDENTIFIER", value: string): Claim => ({
  claimId: value,
  type: `COMPANY_CLAIM_TYPE_${type}`,
  value,
  provenance: "customer",
  trustState: "COMPANY_CLAIM_TRUST_STATE_DECLARED",
  expiresAt: null,
});

const company = (name: string, identifiers: readonly string[] = [], aliases: readonly string[] = []) => ({
  name,
  domicileCountry: "US",
  claims: [
    ...[name, ...aliases].map((alias) => claim("ALIAS", alias)),
    ...identifiers.map((identifier) => claim("LEGAL_IDENTIFIER", identifier)),
  ],
});

const gleif = (rest: Partial<RegisterRecord> = {}): RegisterRecord => ({
  register: "GLEIF",
  recordId: LEI,
  legalName: "Vigil Instruments Inc.",
  formerNames: ["Old Vigil Corporation"],
  country: "US",
  isActive: true,
  ...rest,
});
const sec = (rest: Partial<RegisterRecord> = {}): RegisterRecord => ({
  register: "SEC",
  recordId: "320193",
  legalName: "VIGIL INSTRUMENTS INC",
  formerNames: [],
  tickers: ["VGL"],
  isActive: true,
  ...rest,
});
const [twin, abroad, gone] = [gleif({ recordId: "2" }), gleif({ country: "GB" }), gleif({ isActive: false })];

test.each([
  ["a legal name of exactly one record in the country", company("Vigil Instruments"), [gleif()], "verified"],
  ["a name in capitals with another legal form", company("VIGIL INSTRUMENTS CORP"), [gleif()], "verified"],
  ["an alias that matches a legal name", company("The Watchers", [], ["Vigil Instruments"]), [gleif()], "verified"],
  ["a name in both registers", company("Vigil Instruments"), [gleif(), sec()], "verified"],
  ["no record", company("Vigil Instruments"), [], "unresolved"],
  ["a record of another name", company("Vigil"), [gleif()], "unresolved"],
  ["a namesake in the country", company("Vigil Instruments"), [gleif(), twin], "ambiguous"],
  ["a namesake abroad", company("Vigil Instruments"), [gleif(), abroad], "verified"],
  ["only a namesake abroad", company("Vigil Instruments"), [abroad], "unresolved"],
  ["a company that was dissolved", company("Vigil Instruments"), [gone], "unresolved"],
  ["a former name", company("Old Vigil"), [gleif()], "ambiguous"],
  ["a name of three letters", company("VIG"), [gleif({ legalName: "VIG" })], "unresolved"],
  ["an LEI with the name of its record", company("Vigil Instruments", [`LEI:${LEI}`]), [gleif(), twin], "verified"],
  ["an LEI with a former name of its record", company("Old Vigil", [LEI]), [gleif()], "verified"],
  ["an LEI of another company", company("Northlight", [LEI]), [gleif()], "ambiguous"],
  ["an LEI of a dissolved company", company("Vigil Instruments", [LEI]), [gone], "ambiguous"],
  ["an LEI that no company has", company("Northlight", [LEI]), [], "unresolved"],
  ["a CIK with zeros", company("Vigil Instruments", ["CIK:0000320193"]), [sec()], "verified"],
  ["a ticker", company("Vigil Instruments", ["NASDAQ: VGL"]), [sec()], "verified"],
  ["a ticker of another company", company("Northlight", ["NASDAQ: VGL"]), [sec()], "ambiguous"],
  ["a correct LEI and a wrong CIK", company("Old Vigil", [LEI, "CIK:320193"]), [gleif(), sec()], "ambiguous"],
  ["no name at all", company(""), [gleif({ legalName: "" })], "unresolved"],
] as const)("%s yields the state $3", (_title, declared, records, state) => {
  const resolution = resolveIdentity(declared, records, NOW);
  expect(resolution.state).toBe(state);
  expect(identityOf(resolution.claims, "unresolved", NOW) === "verified").toBe(state === "verified");
  expect(resolution.claims.map(({ type, value }) => [type, value])).toEqual(
    declared.claims.map(({ type, value }) => [type, value]),
  );
});

test("verified claims keep the record that confirms them, and others stay declared", () => {
  const { claims } = resolveIdentity(company("Vigil Instruments", [LEI], ["The Watchers"]), [gleif(), sec()], NOW);
  expect(claims.map(({ value, trustState, evidence }) => [value, trustState, evidence?.register])).toEqual([
    ["Vigil Instruments", "COMPANY_CLAIM_TRUST_STATE_VERIFIED", "SEC"],
    ["The Watchers", "COMPANY_CLAIM_TRUST_STATE_DECLARED", undefined],
    [LEI, "COMPANY_CLAIM_TRUST_STATE_VERIFIED", "GLEIF"],
  ]);
  expect(claims[2]?.evidence).toEqual({
    register: "GLEIF",
    recordId: LEI,
    recordName: "Vigil Instruments Inc.",
    checkedAt: NOW,
    validUntil: NOW + VERIFIED_MS,
  });
});

test("a verification expires, and is revoked by a lookup that no longer confirms it", () => {
  const { claims } = resolveIdentity(company("Vigil Instruments"), [gleif()], NOW);
  expect(identityOf(claims, "unresolved", NOW + VERIFIED_MS - 1)).toBe("verified");
  expect(identityOf(claims, "ambiguous", NOW + VERIFIED_MS)).toBe("ambiguous");
  const again = resolveIdentity({ ...company("Vigil Instruments"), claims }, [], NOW);
  expect(again.claims).toEqual(company("Vigil Instruments").claims);
});
