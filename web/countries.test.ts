import { expect, test } from "vitest";
import { countries } from "./countries.js";

test("the countries are those of ISO 3166-1, sorted by name, without regions and former states", () => {
  const all = countries();
  const codes = all.map(({ code }) => code);
  expect(all[0]).toEqual({ code: "AF", name: "Afghanistan" });
  expect(codes).toEqual(expect.arrayContaining(["US", "DE", "SS", "TW"]));
  expect(codes.filter((code) => ["EU", "DD", "BU", "SU", "ZZ", "XK"].includes(code))).toEqual([]);
  expect(codes).toHaveLength(249);
});
