import { describe, expect, test } from "vitest";
import { alpha2, countryByName, countryCentre, countryName } from "./countries.js";
import { countryCentres } from "./country-centres.js";

describe("names of countries", () => {
  test.each([
    ["CN", "China"],
    ["MKD", "North Macedonia"],
    ["ci", "Côte d'Ivoire"],
    ["GM", "Gambia"],
    ["XKX", "Kosovo"],
    ["VG", "British Virgin Islands"],
  ])("%s is called %s", (code, name) => {
    expect(countryName(code)).toBe(name);
  });

  test("the names of countries resolve to their codes", () => {
    const codes = Object.keys(countryCentres);
    expect(codes.map((code) => countryByName(countryName(code) ?? ""))).toEqual(codes);
  });

  test.each([
    ["DR Congo", "CD"],
    ["Congo, Dem. Rep.", "CD"],
    ["Congo, Democratic Republic of the", "CD"],
    ["Congo (Kinshasa)", "CD"],
    ["Congo (Brazzaville)", "CG"],
    ["Congo, Rep.", "CG"],
    ["Republic of the Congo", "CG"],
    ["USA", "US"],
    ["U.S.A.", "US"],
    ["united kingdom of great britain and northern ireland", "GB"],
    ["Korea, South", "KR"],
    ["Korea, Rep.", "KR"],
    ["Republic of Korea", "KR"],
    ["South Korea", "KR"],
    ["North Korea", "KP"],
    ["Democratic People's Republic of Korea", "KP"],
    ["Dem. People’s Rep. of Korea", "KP"],
    ["Laos", "LA"],
    ["Lao People's Dem. Rep.", "LA"],
    ["Tanzania", "TZ"],
    ["Tanzania, United Republic of", "TZ"],
    ["Bolivia", "BO"],
    ["Bolivia (Plurinational State of)", "BO"],
    ["Venezuela", "VE"],
    ["Venezuela (Bolivarian Republic of)", "VE"],
    ["Moldova", "MD"],
    ["Republic of Moldova", "MD"],
    ["Czech Republic", "CZ"],
    ["Czechia", "CZ"],
    ["Micronesia", "FM"],
    ["Micronesia (Federated States of)", "FM"],
    ["Cape Verde", "CV"],
    ["Cabo Verde", "CV"],
    ["Swaziland", "SZ"],
    ["Burma", "MM"],
    ["Taiwan", "TW"],
    ["Palestine", "PS"],
    ["West Bank", "PS"],
    ["The Bahamas", "BS"],
    ["Bahamas, The", "BS"],
    ["CÔTE D’IVOIRE", "CI"],
    ["TÜRKİYE", "TR"],
    ["Turkiye", "TR"],
    ["Curacao", "CW"],
    ["São Tomé & Príncipe", "ST"],
    ["St. Lucia", "LC"],
    ["Solomon Is.", "SB"],
    ["Guinea Bissau", "GW"],
    ["Brunei", "BN"],
    ["Macau", "MO"],
    ["Hong Kong SAR, China", "HK"],
    ["China, Hong Kong Special Administrative Region", "HK"],
    ["China, Macao Special Administrative Region", "MO"],
    ["  Iran,  Islamic   Republic of ", "IR"],
    ["Serbia and Kosovo: S/RES/1244 (1999)", "RS"],
  ])("%j is %s", (name, code) => {
    expect(countryByName(name)).toBe(code);
  });

  test.each([["the"], ["Republic"], ["Virgin Islands"], ["Stateless"], ["FRA"], ["constructor"], ["__proto__"]])(
    "%j is not the name of a country",
    (name) => {
      expect(countryByName(name)).toBeUndefined();
    },
  );
});

describe("a code without a country", () => {
  test.each(["UNK", "-", "XXA", "TIB", "EU", "250", "16", "constructor", "__proto__"])("%j has no name", (code) => {
    expect([alpha2(code), countryName(code), countryCentre(code)]).toEqual([undefined, undefined, undefined]);
  });
});

test.each([
  ["TV", -8.5, 179.2],
  ["gib", 36.1, -5.4],
  ["REU", -21.1, 55.5],
  ["XKX", 42.6, 20.9],
])("the centre of %s is at %s, %s", (code, latitude, longitude) => {
  expect(countryCentre(code)).toEqual({ latitude, longitude });
});
