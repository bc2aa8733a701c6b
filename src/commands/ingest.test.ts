import { describe, expect, test } from "vitest";
import type { AnyDataset } from "../contract/product.js";
import { addIngest, namedDatasets } from "./ingest.js";
import { parsed } from "./testing/parsed.js";

const parse = (words: readonly string[]): Promise<unknown> =>
  parsed((root, called) => addIngest(root, called("ingest")), words);

describe("vigil ingest", () => {
  test.each([
    { words: ["all"], call: [["all"], {}] },
    { words: ["one", "--demo", "--create"], call: [["one"], { demo: true, create: true }] },
    { words: ["one", "two", "--json"], call: [["one", "two"], { json: true }] },
  ])("vigil ingest accepts the arguments $words", async ({ words, call }) => {
    expect(await parse(["ingest", ...words])).toEqual([["ingest", ...call]]);
  });

  test("vigil ingest refuses a call without a dataset", async () => {
    expect(await parse(["ingest"])).toContain("error: missing required argument 'dataset'");
  });
});

describe("the names of datasets", () => {
  // `namedDatasets` reads only the names of a dataset and of its family.
  const named = (name: string, family?: string): AnyDataset =>
    ({ name, ...(family !== undefined && { family: { name: family } }) }) as AnyDataset;
  const [always, onRequest, other] = [
    named("always"),
    named("news-fr", "news-<language>"),
    named("news-de", "news-<language>"),
  ];
  const registry = { datasets: [always], allDatasets: [always, onRequest, other] };

  test("`all` selects every dataset that the registry currently builds", () => {
    expect(namedDatasets(registry, ["all"])).toEqual([always]);
  });

  test("a dataset that is built on request can be selected by name", () => {
    expect(namedDatasets(registry, ["news-fr", "always"])).toEqual([onRequest, always]);
  });

  test("an unknown name is refused with a list of the known names, in which each family appears once", () => {
    expect(() => namedDatasets(registry, ["never"])).toThrow(
      "no dataset is called never; the datasets are always, news-<language>",
    );
  });
});
