import { expect, test } from "vitest";
import { digestVariants } from "./digest-variants.js";
import { feedCatalogue, feedsFor, languagesOf } from "./feed-catalogue.js";
import { feedsIn } from "./feed-file.js";

const list = feedsIn(`
# Some of them
id,publisher,family,country,language,byDefault,kind,ground,placements,url,homepage,documented
plain,Plain,plain,GB,,,major,standards,full/europe tech/ai full/politics,https://plain.example.org/feed,plain.example.org,
french,French,french,FR,fr,,wire,agency,full/europe,https://french.example.org/feed,french.example.org/accueil,
german,German,german,DE,de,yes,other,,full/europe,https://german.example.org/feed,german.example.org,
french2,French2,french2,FR,fr,,wire,state,full/politics,https://french2.example.org/feed,french2.example.org,https://french2.example.org/rss
`).map(({ feed }) => feed);

const idsIn = (language: string, category: string): readonly string[] | undefined =>
  feedsFor(list, "full", language)
    .get(category)
    ?.map(({ id }) => id);

test("a digest includes a feed that is untagged, tagged with the language of the digest, or flagged default", () => {
  expect(idsIn("en", "europe")).toEqual(["plain", "german"]);
  expect(idsIn("fr", "europe")).toEqual(["plain", "french", "german"]);
  expect(idsIn("de", "europe")).toEqual(["plain", "german"]);
});

test("a feed with categories in two variants is in both of them and in no other variant", () => {
  expect(idsIn("en", "politics")).toEqual(["plain"]);
  expect(idsIn("fr", "politics")).toEqual(["plain", "french2"]);
  expect(feedsFor(list, "tech", "en").get("ai")).toEqual([list[0]]);
  expect([...feedsFor(list, "happy", "en").values()].flat()).toEqual([]);
});

test("every category of a variant is listed in the variant's order, even if it has no feeds", () => {
  for (const variant of ["full", "tech", "finance", "commodity", "happy"] as const) {
    expect([...feedsFor(list, variant, "en").keys()]).toEqual([...digestVariants[variant]]);
  }
});

test("a language needs two feeds for a digest; English needs none", () => {
  expect(languagesOf(list)).toEqual(["en", "fr"]);
  expect(languagesOf([])).toEqual(["en"]);
});

test("the feeds of a category keep the order of the catalogue", () => {
  const order = new Map(feedCatalogue.map(({ id }, index) => [id, index]));
  for (const feeds of feedsFor(feedCatalogue, "full", "fr").values()) {
    const places = feeds.map(({ id }) => order.get(id) ?? -1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  }
});
