import { expect, test } from "vitest";
import { furtherCompanies, labelledCompanies } from "./companies.js";
import { repeatedIn } from "./repeated.js";

const companies = [...labelledCompanies(), ...furtherCompanies()];

test("the first file has at least 200 companies and the second at least 100", () => {
  expect(labelledCompanies().length).toBeGreaterThanOrEqual(200);
  expect(furtherCompanies().length).toBeGreaterThanOrEqual(100);
});

test("every company of both files has an id, a name and identifiers of its own", () => {
  expect(repeatedIn(companies.map(({ id }) => id))).toEqual([]);
  expect(repeatedIn(companies.map(({ name }) => name))).toEqual([]);
  expect(repeatedIn(companies.flatMap(({ identifiers }) => identifiers))).toEqual([]);
});

test("no alias is empty, repeated within its company or given to two companies", () => {
  const aliases = companies.flatMap((company) => company.aliases.map((alias) => alias.toLowerCase()));
  expect(aliases).not.toContain("");
  expect(repeatedIn(aliases)).toEqual([]);
});

test("every identifier has the form of a CIK, a LEI, a ticker or an exchange with a ticker", () => {
  const form = /^(?:CIK:\d{10}|LEI:[A-Z0-9]{20}|[A-Z]{3,6}:[A-Z0-9.-]{1,10})$/;
  expect(companies.flatMap(({ identifiers }) => identifiers).filter((text) => !form.test(text))).toEqual([]);
});
