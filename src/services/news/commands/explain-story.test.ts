import { describe, expect, test } from "vitest";
import { explainStory } from "./explain-story.js";

const noStories = { generatedAt: "2026-11-21T09:00:00.000Z", categories: {} };

/** Runs the command; returns the requested paths and the final message. */
async function callsOf(options: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const paths: string[] = [];
  const fetch = async (path: string): Promise<unknown> => {
    paths.push(path);
    return noStories;
  };
  const sentence = await explainStory.run({ argument: "65f5", options, fetch }).catch((error: Error) => error.message);
  return [...paths, sentence];
}

describe("vigil explain story", () => {
  test("requests the digest of the named variant and language", async () => {
    expect(await callsOf({ lang: "fr", variant: "tech" })).toEqual([
      "/api/news/v1/list-feed-digest?variant=tech&lang=fr&explain=true",
      "no story 65f5 in the digests tech (fr)",
    ]);
  });

  test("refuses an unknown variant without a request", async () => {
    expect(await callsOf({ variant: "technology" })).toEqual([
      "--variant must be one of full, tech, finance, commodity, happy, got technology",
    ]);
  });

  test("requests all variants in English if no variant is named", async () => {
    expect(await callsOf({})).toEqual([
      ...["full", "tech", "finance", "commodity", "happy"].map(
        (variant) => `/api/news/v1/list-feed-digest?variant=${variant}&lang=en&explain=true`,
      ),
      "no story 65f5 in the digests full, tech, finance, commodity, happy (en)",
    ]);
  });
});
