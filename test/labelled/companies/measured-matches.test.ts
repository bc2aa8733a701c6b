import { expect, test } from "vitest";
import { companyMatcher } from "../../../src/services/company-monitoring/matching/company-matcher.js";
import { recordingsAbsent } from "../../support/recordings.js";
import { firstCompanies, fourthCompanies, secondCompanies, thirdCompanies } from "./companies.js";
import { firstMentions, fourthMentions, heldOutMentions, secondMentions, thirdMentions } from "./company-mentions.js";
import { figuresOf, matchRows } from "./measured-matches.js";

const firstThree = [...firstCompanies(), ...secondCompanies(), ...thirdCompanies()];

const matcherOf = (companies: typeof firstThree) =>
  companyMatcher(companies.map(({ id, country, ...own }) => ({ ...own, key: id, domicileCountry: country })));

const all = [...firstThree, ...fourthCompanies()];

test.each([
  ["first", firstMentions(), firstThree],
  ["second", secondMentions(), firstThree],
  ["third", thirdMentions(), firstThree],
  ["fourth", fourthMentions(), all],
] as const)(
  "companies in the titles of the %s file are found with a precision of at least 0.98 and a recall of at least 0.84",
  (_, mentions, companies) => {
    const { precision, recall } = figuresOf(matchRows(matcherOf([...companies]), mentions, recordingsAbsent));
    expect(precision).toBeGreaterThanOrEqual(0.98);
    expect(recall).toBeGreaterThanOrEqual(0.84);
  },
);

test("companies in held-out titles are found with a precision of at least 0.95 and a recall of at least 0.8", () => {
  const { precision, recall } = figuresOf(matchRows(matcherOf(all), heldOutMentions(), recordingsAbsent));
  expect(precision).toBeGreaterThanOrEqual(0.95);
  expect(recall).toBeGreaterThanOrEqual(0.8);
});
