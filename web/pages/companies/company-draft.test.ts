import { expect, test } from "vitest";
import type { CompanyClaim, MonitoredCompany } from "../../../src/sdk/index.js";
import { draftOf, EMPTY_DRAFT, inputOf, memberOf, patchOf } from "./company-draft.js";

const claim = (claimId: string, type: string, value: string): CompanyClaim =>
  ({ claimId, type: `COMPANY_CLAIM_TYPE_${type}`, value }) as Partial<CompanyClaim> as CompanyClaim;

const company = {
  name: "Acme",
  domicileCountry: "DOMICILE_COUNTRY_US",
  claims: [
    claim("1", "ALIAS", "Acme"),
    claim("2", "ALIAS", "Acme Works"),
    claim("3", "DOMAIN", "acme.example"),
    claim("4", "CUSTOMER_REFERENCE", "A-1"),
    claim("5", "SOCIAL_ACCOUNT_ID", "99"),
  ],
} as Partial<MonitoredCompany> as MonitoredCompany;

test("an unchanged company draft yields an empty patch", () => {
  const draft = draftOf(company);
  expect(draft).toMatchObject({
    name: "Acme",
    country: "US",
    reference: "A-1",
    lists: { aliases: "Acme\nAcme Works" },
  });
  expect(patchOf(company, draft)).toEqual({});
});

test("a patch has only the changes, and does not remove claims that no input shows", () => {
  const draft = draftOf(company);
  const lists = { ...draft.lists, aliases: "Acme\n Acme Ltd \n", domains: "" };
  expect(patchOf(company, { name: "Acme plc", country: "GB", reference: "", lists })).toEqual({
    name: "Acme plc",
    customerReference: "",
    domicileCountry: "DOMICILE_COUNTRY_GB",
    addClaims: [{ type: "COMPANY_CLAIM_TYPE_ALIAS", value: "Acme Ltd" }],
    removeClaimIds: ["2", "3"],
  });
});

test("the lists of a new company are read from texts with one entry per line", () => {
  const lists = { ...EMPTY_DRAFT.lists, domains: "a.example\n\n b.example " };
  expect(inputOf({ ...EMPTY_DRAFT, name: "B", country: "DE", lists })).toMatchObject({
    name: "B",
    domicileCountry: "DOMICILE_COUNTRY_DE",
    domains: ["a.example", "b.example"],
    aliases: [],
  });
});

test("the path of a rejected value leads to the input that holds it; an unknown path is returned unchanged", () => {
  const patch = { addClaims: [{ type: "COMPANY_CLAIM_TYPE_DOMAIN", value: "no domain" }] } as const;
  expect(memberOf("patch.addClaims[0].value", patch)).toBe("domains");
  expect(memberOf("patch.name", patch)).toBe("name");
  expect(memberOf("company.domains[2]")).toBe("domains");
  expect(memberOf("patch.addClaims[7].value", patch)).toBe("patch.addClaims[7].value");
});
