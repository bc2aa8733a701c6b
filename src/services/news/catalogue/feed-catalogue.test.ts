import { expect, test } from "vitest";
import { digestVariants } from "./digest-variants.js";
import { feedCatalogue, feedsFor, languagesOf, readFeedList } from "./feed-catalogue.js";

const list = readFeedList(`
# Some of them
plain   | Plain   | plain   | GB | -   | major | standards | full/europe tech/ai full/politics
  https://plain.example.org/feed  plain.example.org
french  | French  | french  | FR | fr  | wire  | agency    | full/europe
  https://french.example.org/feed  french.example.org/accueil
german  | German  | german  | DE | de* | other | -         | full/europe
  https://german.example.org/feed  german.example.org
french2 | French2 | french2 | FR | fr  | wire  | state     | full/politics
  https://french2.example.org/feed  french2.example.org
`);

const idsIn = (language: string, category: string): readonly string[] | undefined =>
  feedsFor(list, "full", language)
    .get(category)
    ?.map(({ id }) => id);

test("reads a feed from its two lines", () => {
  expect(list.map(({ id }) => id)).toEqual(["plain", "french", "german", "french2"]);
  expect(list[0]).toMatchObject({ kind: "major", tier: 2, tierSetBy: "rule", risk: { profile: "low" } });
  expect(list[0]).not.toHaveProperty("language");
  expect(list[1]).toMatchObject({ language: "fr", homepage: "https://french.example.org/accueil", tier: 1 });
  expect(list[1]).not.toHaveProperty("byDefault");
  expect(list[2]).toEqual({
    id: "german",
    publisher: "German",
    family: "german",
    homepage: "https://german.example.org",
    url: "https://german.example.org/feed",
    country: "DE",
    language: "de",
    byDefault: true,
    kind: "other",
    risk: { profile: "unknown", reason: "nobody has looked at it yet" },
    placements: [{ variant: "full", category: "europe" }],
    tier: 4,
    tierSetBy: "rule",
  });
});

test.each([
  ["a column short", "a | A | a | GB | - | major | full/europe\n  https://a.org/f  a.org", "a line of 8 columns"],
  ["no homepage", "a | A | a | GB | - | major | - | full/europe\n  https://a.org/f", "one of address and homepage"],
  ["no second line", "a | A | a | GB | - | major | - | full/europe", "one of address and homepage"],
  ["an unknown ground", "a | A | a | GB | - | major | x | full/europe\n  https://a.org/f  a.org", "x is no ground"],
  ["an unknown kind", "a | A | a | GB | - | blog | - | full/europe\n  https://a.org/f  a.org", "kind must be one of"],
  ["half a placement", "a | A | a | GB | - | wire | - | full\n  https://a.org/f  a.org", "placements[0].category must"],
])("refuses %s and names the row", (_, text, sentence) => {
  expect(() => readFeedList(text)).toThrow('feed "a" of the list');
  expect(() => readFeedList(text)).toThrow(sentence);
});

test("a feed runs when it is untagged, tagged with the language, or flagged default", () => {
  expect(idsIn("en", "europe")).toEqual(["plain", "german"]);
  expect(idsIn("fr", "europe")).toEqual(["plain", "french", "german"]);
  expect(idsIn("de", "europe")).toEqual(["plain", "german"]);
});

test("a feed of two categories is in both, and other variants do not see it", () => {
  expect(idsIn("en", "politics")).toEqual(["plain"]);
  expect(idsIn("fr", "politics")).toEqual(["plain", "french2"]);
  expect(feedsFor(list, "tech", "en").get("ai")).toEqual([list[0]]);
  expect([...feedsFor(list, "happy", "en").values()].flat()).toEqual([]);
});

test("every category is there in the order of the answer, with or without feeds", () => {
  for (const variant of ["full", "tech", "finance", "commodity", "happy"] as const) {
    expect([...feedsFor(list, variant, "en").keys()]).toEqual([...digestVariants[variant]]);
  }
});

test("a language is one of the digest from two feeds on, English always", () => {
  expect(languagesOf(list)).toEqual(["en", "fr"]);
  expect(languagesOf([])).toEqual(["en"]);
});

test("the order of a category is that of the list", () => {
  const order = new Map(feedCatalogue.map(({ id }, index) => [id, index]));
  for (const feeds of feedsFor(feedCatalogue, "full", "fr").values()) {
    const places = feeds.map(({ id }) => order.get(id) ?? -1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  }
});
