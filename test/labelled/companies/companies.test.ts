import { expect, test } from "vitest";
import { firstCompanies, fourthCompanies, secondCompanies, thirdCompanies } from "./companies.js";
import { repeatedIn } from "./repeated.js";

const companies = [...firstCompanies(), ...secondCompanies(), ...thirdCompanies(), ...fourthCompanies()];

test("the first file has at least 200 companies, the second 100, the third 70 and the fourth 60", () => {
  expect(firstCompanies().length).toBeGreaterThanOrEqual(200);
  expect(secondCompanies().length).toBeGreaterThanOrEqual(100);
  expect(thirdCompanies().length).toBeGreaterThanOrEqual(70);
  expect(fourthCompanies().length).toBeGreaterThanOrEqual(60);
});

test("no two companies of the four files share an id, a name or an identifier", () => {
  expect(repeatedIn(companies.map(({ id }) => id))).toEqual([]);
  expect(repeatedIn(companies.map(({ name }) => name))).toEqual([]);
  expect(repeatedIn(companies.flatMap(({ identifiers }) => identifiers))).toEqual([]);
});

test("no alias is empty, repeated within a company or shared by two companies", () => {
  const aliases = companies.flatMap((company) => company.aliases.map((alias) => alias.toLowerCase()));
  expect(aliases).not.toContain("");
  expect(repeatedIn(aliases)).toEqual([]);
});

test("every identifier has the form of a CIK, an LEI, a ticker or an exchange with a ticker", () => {
  const form = /^(?:CIK:\d{10}|LEI:[A-Z0-9]{20}|[A-Z]{3,6}:[A-Z0-9.-]{1,10})$/;
  expect(companies.flatMap(({ identifiers }) => identifiers).filter((text) => !form.test(text))).toEqual([]);
});
