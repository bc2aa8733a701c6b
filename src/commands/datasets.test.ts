import { describe, expect, test } from "vitest";
import { addDatasets } from "./datasets.js";
import { parsed } from "./testing/parsed.js";

const parse = (words: readonly string[]): Promise<unknown> =>
  parsed((root, called) => addDatasets(root, called("datasets")), words);

describe("vigil datasets", () => {
  test.each([
    { words: [], options: {} },
    { words: ["--json", "--demo"], options: { json: true, demo: true } },
  ])("vigil datasets accepts the arguments $words", async ({ words, options }) => {
    expect(await parse(["datasets", ...words])).toEqual([["datasets", options]]);
  });

  test("a misspelt option is refused with a suggestion", async () => {
    expect(await parse(["datasets", "--jsno"])).toContain("error: unknown option '--jsno'\n(Did you mean --json?)");
  });
});
