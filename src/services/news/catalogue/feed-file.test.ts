import { expect, test } from "vitest";
import { feedsIn } from "./feed-file.js";

const HEADER = "id,publisher,family,country,language,byDefault,kind,ground,placements,url,homepage,documented";

const listed = feedsIn(`
# Some of them
${HEADER}
plain,Plain,plain,GB,,,major,standards,full/europe tech/ai full/politics,https://plain.example.org/feed,plain.example.org,
french,French,french,FR,fr,,wire,agency,full/europe,https://french.example.org/feed,french.example.org/accueil,
german,German,german,DE,de,yes,other,,full/europe,https://german.example.org/feed,german.example.org,
french2,French2,french2,FR,fr,,wire,state,full/politics,https://french2.example.org/feed,french2.example.org,https://french2.example.org/rss
`);
const feeds = listed.map(({ feed }) => feed);

test("a row of the file yields a feed", () => {
  expect(feeds.map(({ id }) => id)).toEqual(["plain", "french", "german", "french2"]);
  expect(feeds[0]).toMatchObject({ kind: "major", tier: 2, tierSetBy: "rule", risk: { profile: "low" } });
  expect(feeds[0]).not.toHaveProperty("language");
  expect(feeds[1]).toMatchObject({ language: "fr", homepage: "https://french.example.org/accueil", tier: 1 });
  expect(feeds[1]).not.toHaveProperty("byDefault");
  expect(feeds[2]).toEqual({
    id: "german",
    publisher: "German",
    family: "german",
    homepage: "https://german.example.org",
    url: "https://german.example.org/feed",
    country: "DE",
    language: "de",
    byDefault: true,
    kind: "other",
    risk: { profile: "unknown", reason: "it has not been reviewed" },
    placements: [{ variant: "full", category: "europe" }],
    tier: 4,
    tierSetBy: "rule",
  });
});

test("a row of the file states the page that documents the feed's address", () => {
  expect(listed.map(({ documented }) => documented)).toEqual(["", "", "", "https://french2.example.org/rss"]);
});

test.each([
  ["a cell too few", "a,A,a,GB,,,major,,full/europe,https://a.org/f,a.org", "expected 12 cells, got 11"],
  ["no homepage", "a,A,a,GB,,,major,,full/europe,https://a.org/f,,", "homepage must be a non-empty string"],
  ["an unknown ground", "a,A,a,GB,,,major,x,full/europe,https://a.org/f,a.org,", "ground must be one of , charter"],
  ["an unknown kind", "a,A,a,GB,,,blog,,full/europe,https://a.org/f,a.org,", "kind must be one of wire"],
  ["half a placement", "a,A,a,GB,,,wire,,full,https://a.org/f,a.org,", "placements must be variants of the digest"],
  ["an unknown variant", "a,A,a,GB,,,wire,,half/europe,https://a.org/f,a.org,", "placements must be variants"],
  ["an unknown category", "a,A,a,GB,,,wire,,full/moon,https://a.org/f,a.org,", "placements must be variants"],
  ["an id with capitals", "A,A,a,GB,,,wire,,full/europe,https://a.org/f,a.org,", "id must be lower-case letters"],
  ["a language in words", "a,A,a,GB,french,,wire,,full/europe,https://a.org/f,a.org,", "language must be an ISO 639-1"],
  ["no address", "a,A,a,GB,,,wire,,full/europe,a.org/f,a.org,", "url must be an http or https address"],
])("a row with %s is rejected with a message that names the file and the fault", (_, line, sentence) => {
  expect(() => feedsIn(`${HEADER}\n${line}\n`)).toThrow("feeds.csv");
  expect(() => feedsIn(`${HEADER}\n${line}\n`)).toThrow(sentence);
});
