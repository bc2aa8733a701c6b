import { describe, expect, test } from "vitest";
import { feedKinds, feedOf, problemsOfRow, tierOf } from "./feed-row.js";

const row = {
  id: "daily-example",
  publisher: "The Daily Example",
  family: "example-group",
  homepage: "https://daily.example.org/",
  url: "https://daily.example.org/feed.xml",
  country: "GB",
  kind: "major",
  risk: { profile: "medium", reason: "owned by what it reports on" },
  placements: [{ variant: "full", category: "europe" }],
} as const;

test("first-hand publishers have tier 1, major outlets 2, specialists 3 and all others 4", () => {
  expect(feedKinds.map((kind) => [kind, tierOf(kind)])).toEqual([
    ["wire", 1],
    ["government", 1],
    ["international", 1],
    ["major", 2],
    ["specialist", 3],
    ["other", 4],
  ]);
});

test("a feed consists of its row and the tier of its kind", () => {
  expect(feedOf(row as never)).toEqual({ ...row, tier: 2, tierSetBy: "rule" });
});

test("a valid row has no problems", () => {
  expect(problemsOfRow(row)).toEqual([]);
  expect(problemsOfRow({ ...row, language: "fr", byDefault: true, risk: { profile: "unknown" } })).toEqual([]);
});

describe("an invalid row is reported with a message that gives the expected form", () => {
  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    [
      "an id with capitals",
      { id: "Daily" },
      'id must be lower-case letters and digits, separated by single hyphens, such as bbc-world, got "Daily"',
    ],
    ["no publisher", { publisher: undefined }, "publisher must be the publisher's name, got nothing"],
    [
      "an address with a scheme other than http and https",
      { url: "ftp://x.org/feed" },
      'url must be an http or https address without a user, got "ftp://x.org/feed"',
    ],
    [
      "a script as an address",
      { homepage: "javascript:alert(1)" },
      "homepage must be an http or https address without a user, got",
    ],
    [
      "a user in the address",
      { url: "https://me:secret@x.org/feed" },
      'url must be an http or https address without a user, got "https://…@x.org/feed"',
    ],
    ["an invalid port", { url: "https://x.org:99999/" }, "url must be an http or https address without a user, got"],
    [
      "a country code that is not a string",
      { country: 44 },
      "country must be an ISO 3166-1 alpha-2 code such as GB, got 44",
    ],
    [
      "a country code of three letters",
      { country: "GBR" },
      'country must be an ISO 3166-1 alpha-2 code such as GB, got "GBR"',
    ],
    [
      "an unassigned country code",
      { country: "QQ" },
      'country must be an ISO 3166-1 alpha-2 code such as GB, got "QQ"',
    ],
    [
      "English named explicitly",
      { language: "en" },
      'language must be an ISO 639-1 code such as fr, or omitted for English, got "en"',
    ],
    [
      "a word instead of true or false",
      { byDefault: "yes" },
      'byDefault must be true if the feed is selected for every language, else false, got "yes"',
    ],
    [
      "an unknown kind",
      { kind: "blog" },
      'kind must be one of wire, government, international, major, specialist, other, got "blog"',
    ],
    [
      "a tier, although the kind determines the tier",
      { tier: 1 },
      "tier is an unknown member; the known members are id, publisher, family, homepage, url, country, language, byDefault, kind, risk, placements",
    ],
    ["a risk in one word", { risk: "low" }, 'risk must be an object with profile, reason, got "low"'],
    [
      "an unknown profile",
      { risk: { profile: "none", reason: "well known to us" } },
      'risk.profile must be one of low, medium, high, unknown, got "none"',
    ],
    [
      "no reason",
      { risk: { profile: "high" } },
      "risk.reason must say why the profile is high; a reason is required unless the profile is 'unknown'",
    ],
    [
      "an unknown member of the risk",
      { risk: { profile: "unknown", why: "" } },
      "risk.why is an unknown member; the known members are profile, reason",
    ],
    ["no placement", { placements: [] }, "placements must be a list of at least one variant and category, got []"],
    [
      "an unknown variant",
      { placements: [{ variant: "energy", category: "oil" }] },
      'placements[0].variant must be one of full, tech, finance, commodity, happy, got "energy"',
    ],
    [
      "a category of another variant",
      { placements: [{ variant: "happy", category: "europe" }] },
      'placements[0].category must be a category of happy (positive, science, nature, inspiring, community), got "europe"',
    ],
    [
      "names that every JavaScript object has as members",
      { placements: [{ variant: "constructor", category: "length" }] },
      'placements[0].variant must be one of full, tech, finance, commodity, happy, got "constructor"',
    ],
    [
      "one category twice",
      { placements: [row.placements[0], row.placements[0]] },
      "placements must name a category once, got full/europe again",
    ],
    [
      "a placement in one word",
      { placements: ["full/europe"] },
      "placements[0] must be an object with variant, category",
    ],
  ])("%s", (_, change, sentence) => {
    const problems = problemsOfRow({ ...row, ...change });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(sentence);
  });

  test("all problems are reported together, in the order of the members", () => {
    const problems = problemsOfRow({ ...row, id: "", url: "x", risk: null, placements: [{}] });
    expect(problems.map((problem) => problem.split(" ")[0])).toEqual(["id", "url", "risk", "placements[0].variant"]);
  });

  test.each([null, [], "row", 1])("%j is not a row", (value) => {
    expect(problemsOfRow(value)).toEqual([expect.stringContaining("must be an object with id, publisher,")]);
  });
});
