import { expect, test } from "vitest";
import { countryCode, countryCodesIn } from "./countries.js";

test.each([
  ["UA", "UA"],
  ["ukr", "UA"],
  ["804", "UA"],
  ["Ukraine", "UA"],
  ["Yemen (North Yemen)", "YE"],
  ["Türkiye", "TR"],
  ["Turkey", "TR"],
  ["Nowhere", undefined],
])("the country code of %s is %s", (text, code) => expect(countryCode(text)).toBe(code));

test("a list of countries is split, but the name of a single country is not split at `and`", () => {
  expect(countryCodesIn("Argentina, Chile")).toEqual(["AR", "CL"]);
  expect(countryCodesIn("Trinidad and Tobago")).toEqual(["TT"]);
  expect(countryCodesIn("Nowhere")).toEqual([]);
});
