import fc from "fast-check";
import { expect, test } from "vitest";
import { labelledCountries } from "../../test/support/labelled.js";
import { countriesIn } from "./country-mentions.js";

test.each<[title: string, codes: string[]]>([
  ["France and Germany agree budget, Spain objects", ["FR", "DE", "ES"]],
  ["U.S., UK and U.A.E. sign a treaty", ["US", "GB", "AE"]],
  ["Tell us what you think of the plan", []],
  ["JOIN US FOR A NIGHT OF STARS", []],
  ["US SENATE PASSES BUDGET", ["US"]],
  ["Ambassador gives a speech on social policy", []],
  ["Syrian woman becomes ambassador", ["SY"]],
  ["CIA denies report on social networks", []],
  ["Guinea-Bissau, Equatorial Guinea and Guinea meet", ["GW", "GQ", "GN"]],
  ["South Sudan accuses Sudan", ["SS", "SD"]],
  ["DR Congo rebels advance", ["CD"]],
  ["Republic of Congo votes", ["CG"]],
  ["Kremlin replies to White House and Downing Street", ["RU", "US", "GB"]],
  ["Quake felt in Tashkent and Bishkek", ["UZ", "KG"]],
  ["Côte d'Ivoire and São Tomé sign pact", ["CI", "ST"]],
  ["Cote d’Ivoire coach resigns", ["CI"]],
])("countriesIn finds the countries of: %s", (title, codes) => {
  expect(countriesIn(title)).toEqual(codes);
});

test.each<[title: string, codes: string[]]>([
  ["Georgia governor vetoes bill", ["US"]],
  ["Court in Atlanta hears Georgia case", ["US"]],
  ["Georgia votes as Tbilisi protests go on", ["GE"]],
  ["Georgia opens border to EU truckers", ["GE"]],
  ["How to roast a turkey for Thanksgiving", []],
  ["Turkey prices rise as lira falls", ["TR"]],
  ["Turkey stew recipes for the cold months", []],
  ["Turkey recalls ambassador", ["TR"]],
  ["My guinea pig ate the Turkish delight", []],
  ["Bull in a china shop: robot breaks plates", []],
  ["China set to cut rates", ["CN"]],
  ["Storm hits New Mexico", ["US"]],
  ["Oil found in Gulf of Mexico", []],
  ["Ships meet in South China Sea", []],
  ["Fire in Paris, Texas, destroys mill", ["US"]],
  ["London, Ontario, elects mayor", ["CA"]],
  ["Moscow, Beijing sign gas deal", ["RU", "CN"]],
  ["Michael Jordan buys team", []],
  ["Jordan opens border with Syria", ["JO", "SY"]],
  ["Chad Marlowe wins the race", []],
  ["French fries and Swiss cheese: a recipe", []],
  ["GAO report finds waste", []],
])("countriesIn is not misled by the title: %s", (title, codes) => {
  expect(countriesIn(title)).toEqual(codes);
});

test.each<[language: string, title: string, codes: string[]]>([
  ["es", "EE. UU. y el Reino Unido sancionan a un banco ruso", ["US", "GB", "RU"]],
  ["fr", "L’Inde et les Pays-Bas signent un accord", ["IN", "NL"]],
  ["de", "USA und Iran verhandeln", ["US", "IR"]],
  ["de", "Bundesregierung berät mit Frankreichs Präsident", ["DE", "FR"]],
  ["pt", "Peru assado para o Natal", []],
  ["pt-BR", "Governo brasileiro recebe enviado da França", ["BR", "FR"]],
  ["it", "Regno Unito, sciopero dei treni", ["GB"]],
  ["ru", "Россия и Китай подписали договор, в Германии ждут", ["RU", "CN", "DE"]],
  ["zh", "中国与日本举行会谈", ["CN", "JP"]],
  ["ja", "ウクライナの首相がフランスを訪問", ["UA", "FR"]],
  ["xx", "Kenya votes", ["KE"]],
  ["not a language", "Kenya votes", ["KE"]],
])("countriesIn finds the countries of a title in the language %s: %s", (language, title, codes) => {
  expect(countriesIn(title, language)).toEqual(codes);
});

test("countriesIn yields only distinct alpha-2 codes for any text", () => {
  const language = fc.constantFrom("en", "es", "fr", "de", "pt", "it", "zh", "");
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("Paris", ", ", "Texas", "Georgia", "U.S.", "US", "Congo", "’s "),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), language, (pieces, spoken) => {
      const codes = countriesIn(pieces.join(" "), spoken);
      expect(new Set(codes).size).toBe(codes.length);
      for (const code of codes) expect(code).toMatch(/^[A-Z]{2}$/);
    }),
  );
});

test("countriesIn reads curly quotes like straight quotes and ignores additional white space", () => {
  const curly = "  Turkey’s \t envoy\n\nto the  U.S. \u00a0 leaves “Paris”,  Texas ";
  expect(countriesIn(curly)).toEqual(countriesIn(`Turkey's envoy to the U.S. leaves "Paris", Texas`));
});

test.each(["Georgia, ", "a", "U.S.", " ", "中", "ا", "N'"])(
  "countriesIn reads only the beginning of 100,000 characters of %j",
  (piece) => {
    const title = piece.repeat(100_000 / piece.length);
    expect(countriesIn(title)).toEqual(countriesIn(title.slice(0, 10_000)));
  },
);

test("countriesIn finds the countries of the held-out headlines with an F1 score of at least 0.85", () => {
  let [right, counted] = [0, 0];
  for (const { title, language, countries } of labelledCountries().heldOut) {
    const codes = countriesIn(title, language);
    right += codes.filter((code) => countries.includes(code)).length;
    counted += codes.length + countries.length;
  }
  expect((2 * right) / counted).toBeGreaterThanOrEqual(0.85);
});
