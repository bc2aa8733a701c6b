import { describe, expect, test } from "vitest";
import { addExport } from "./export.js";
import { parsed } from "./testing/parsed.js";

const parse = (words: readonly string[]): Promise<unknown> =>
  parsed((root, called) => addExport(root, called("export")), ["export", ...words]);

describe("vigil export", () => {
  test.each([
    { words: ["us-cpi", "--format", "csv"], options: { format: "csv" } },
    {
      words: ["us-cpi", "--format", "parquet", "--output", "-", "--part", "food", "--generation", "3", "--demo"],
      options: { format: "parquet", output: "-", part: "food", generation: 3, demo: true },
    },
    {
      words: ["us-cpi", "--format", "ndjson", "--as-of", "2026-11-01T12:00:00Z"],
      options: { format: "ndjson", asOf: Date.UTC(2026, 10, 1, 12) },
    },
  ])("vigil export accepts the arguments $words", async ({ words, options }) => {
    expect(await parse(words)).toEqual([["export", "us-cpi", options]]);
  });

  test.each([
    { words: ["us-cpi"], sentence: "required option '--format <format>' not specified" },
    { words: ["us-cpi", "--format", "xlsx"], sentence: "Allowed choices are csv, ndjson, geojson, parquet" },
    { words: ["us-cpi", "--format", "csv", "--as-of", "yesterday"], sentence: "must be an instant such as" },
    { words: ["us-cpi", "--format", "csv", "--generation", "0"], sentence: "a whole number of at least 1" },
    {
      words: ["us-cpi", "--format", "csv", "--generation", "1", "--as-of", "1795477486737"],
      sentence: "cannot be used with option '--generation <number>'",
    },
  ])("vigil export refuses the arguments $words", async ({ words, sentence }) => {
    expect(await parse(words)).toContain(sentence);
  });
});
