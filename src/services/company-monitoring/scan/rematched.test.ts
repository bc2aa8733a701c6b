import { expect, test } from "vitest";
import { finding } from "../admission/testing/findings.js";
import { companyMatcher } from "../matching/company-matcher.js";
import { searchedCompany } from "./providers/searched-company.js";
import { rematched } from "./rematched.js";

const company = {
  companyKey: "acct_1 cm_company_1",
  accountId: "acct_1",
  name: "Quiet Mills Ltd",
  domicileCountry: "US",
  claims: [],
};
const matcher = companyMatcher([searchedCompany(company)]);
const again = (more: Parameters<typeof finding>[0]) => rematched(finding(more), company, matcher);

test("a title that does not name the company any more is not kept", () => {
  expect(again({ title: "Fire at the Orrin refinery" })).toBeUndefined();
  expect(again({ title: "Fire at Quiet Mills Ltd plant", attribution: 0.2 })?.attribution).toBeGreaterThan(0.5);
});

test("a report whose teaser was cut keeps its attribution, because the cut part may name the company", () => {
  const cut = finding({
    title: "Fire at a plant",
    excerpt: "x".repeat(400),
    matchedBy: "name in text",
    attribution: 0.8,
  });
  expect(rematched(cut, company, matcher)).toBe(cut);
  expect(rematched({ ...cut, excerpt: "short" }, company, matcher)).toBeUndefined();
  expect(rematched({ ...cut, matchedBy: "name in title" }, company, matcher)).toBeUndefined();
});

test("an entry of a sanctions list without the company's country of domicile has the lower attribution", () => {
  const entry = {
    provider: "MONITORING_PROVIDER_SANCTIONS",
    title: "Quiet Mills Ltd is on the list OFAC SDN",
    matchedBy: "name Quiet Mills, country GB",
  } as const;
  expect(again(entry)).toMatchObject({ attribution: 0.8, matchedBy: "name Quiet Mills" });
  expect(again({ ...entry, title: "Rosneft is on the list OFAC SDN", matchedBy: "name Rosneft" })).toBeUndefined();
});
