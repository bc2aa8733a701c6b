import fc from "fast-check";
import { expect, test } from "vitest";
import { nameKey } from "./name-key.js";

test.each([
  ["Apple Inc.", "APPLE"],
  ["Siemens Aktiengesellschaft", "Siemens AG"],
  ["NESTLE S A", "Nestlé S.A."],
  ["Merck KGaA", "Merck"],
  ["Robert Bosch GmbH & Co. KG", "Robert Bosch"],
  ["Eni S.p.A.", "ENI"],
  ["Novo Nordisk A/S", "Novo Nordisk"],
  ["Grupo Bimbo, S.A.B. de C.V.", "Grupo Bimbo"],
  ["Samsung Electronics Co., Ltd.", "Samsung Electronics"],
  ["The Coca-Cola Company", "Coca Cola"],
  ["Johnson & Johnson", "Johnson and Johnson"],
  ["ПАО Газпром", "Gazprom PJSC"],
  ["ООО «Ромашка»", "Romashka LLC"],
  ["Société Générale S.A.", "Societe Generale"],
  ["Spółka Kolej Sp. z o.o.", "Spolka Kolej"],
  ["トヨタ自動車株式会社", "トヨタ自動車"],
  ["PT Bank Central Asia Tbk", "Bank Central Asia"],
  ["ΟΤΕ Α.Ε.", "OTE A.E."],
])("%s and %s have the same key", (a, b) => {
  expect(nameKey(a)).toBe(nameKey(b));
  expect(nameKey(a)).not.toBe("");
});

test.each(["デンソー", "Мой банк", "Nestlé"])("%s has the same key with combined and with separate accents", (name) => {
  const [combined, separate] = [name.normalize("NFC"), name.normalize("NFD")];
  expect(separate).not.toBe(combined);
  expect(nameKey(separate)).toBe(nameKey(combined));
});

test.each([
  ["Apple Inc.", "Apple Hospitality REIT Inc."],
  ["Delta Air Lines", "Delta Electronics"],
  ["Alphabet Inc.", "Alphabet Holdings Inc."],
])("%s and %s are different companies and have different keys", (a, b) => {
  expect(nameKey(a)).not.toBe(nameKey(b));
});

test("a name that consists only of a legal form keeps its words, and a name without letters has an empty key", () => {
  expect(nameKey("Limited")).toBe("limited");
  expect(nameKey("SE")).toBe("se");
  expect(nameKey("!!!")).toBe("");
});

test("the key of any text of up to 400 characters has fewer than 4,000 characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (name) => {
      expect(nameKey(name).length).toBeLessThan(4_000);
    }),
  );
});
