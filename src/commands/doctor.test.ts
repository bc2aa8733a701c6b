import { describe, expect, test } from "vitest";
import type { FeedCatalogue } from "../contract/feed-catalogue.js";
import { addDoctor } from "./doctor.js";
import { parsed } from "./testing/parsed.js";

const catalogue: FeedCatalogue = {
  setting: "VIGIL_SOME_FEEDS",
  filters: [
    { option: "lang", placeholder: "language", description: "those in this language", valuesOf: () => [] },
    { option: "topic", placeholder: "topic", description: "those of this topic", valuesOf: () => [] },
  ],
  feeds: async () => [],
  withoutDead: async () => "",
};

const parse = (words: readonly string[]): Promise<unknown> =>
  parsed((root, called) => addDoctor(root, [catalogue], called("doctor")), ["doctor", ...words]);

describe("vigil doctor", () => {
  test.each([
    { words: [], options: {} },
    { words: ["--demo"], options: { demo: true } },
    {
      words: ["--feeds", "--lang", "fr", "--topic", "sea", "--json"],
      options: { feeds: true, lang: "fr", topic: "sea", json: true },
    },
    { words: ["--sources", "--save", "kept"], options: { sources: true, save: "kept" } },
    { words: ["--feeds", "--overrides"], options: { feeds: true, overrides: true } },
  ])("vigil doctor accepts the arguments $words", async ({ words, options }) => {
    expect(await parse(words)).toEqual([["doctor", options]]);
  });

  test("the help mentions the setting whose value --overrides prints", async () => {
    expect(await parse(["--help"])).toContain("VIGIL_SOME_FEEDS");
  });
});
