import { describe, expect, test } from "vitest";
import { addAudit, limitIn } from "./audit.js";
import { parsed } from "./testing/parsed.js";

const parse = (words: readonly string[]): Promise<unknown> =>
  parsed((root, called) => addAudit(root, called("audit")), ["audit", ...words]);

describe("vigil audit", () => {
  test.each([
    { words: [], options: { limit: "50" } },
    { words: ["--limit", "5", "--demo"], options: { limit: "5", demo: true } },
  ])("vigil audit accepts the arguments $words", async ({ words, options }) => {
    expect(await parse(words)).toEqual([["audit", options]]);
  });

  test.each(["0", "10000", "1.5", "-1", "", "all"])("--limit %j is refused", (limit) => {
    expect(() => limitIn(limit)).toThrow(`--limit must be from 1 to 9999, got ${limit}`);
  });

  test("--limit 1 and --limit 9999 are accepted", () => {
    expect([limitIn("1"), limitIn("9999")]).toEqual([1, 9_999]);
  });
});
