import { describe, expect, test } from "vitest";
import type { ExplainCommand } from "../contract/explain-command.js";
import { addExplain } from "./explain.js";
import { parsed } from "./testing/parsed.js";

const command: ExplainCommand = {
  subject: "number",
  description: "how a number is computed",
  argument: { name: "number", description: "the number" },
  options: [
    { flags: "--lang <language>", description: "a language", default: "en" },
    { flags: "--unit <unit>", description: "a unit" },
  ],
  examples: ["vigil explain number 7"],
  run: async () => "",
};

const parse = (words: readonly string[]): Promise<unknown> =>
  parsed((root, called) => addExplain(root, [command], called("explain")), ["explain", ...words]);

describe("vigil explain", () => {
  test("a declared subject becomes a command, and its options have their defaults", async () => {
    expect(await parse(["number", "7"])).toEqual([["explain", command, "7", { lang: "en" }]]);
  });

  test("a declared option reaches the command", async () => {
    const options = { lang: "fr", unit: "km", demo: true };
    expect(await parse(["number", "7", "--lang", "fr", "--unit", "km", "--demo"])).toEqual([
      ["explain", command, "7", options],
    ]);
  });

  test("vigil explain refuses a command without its argument", async () => {
    expect(await parse(["number"])).toContain("missing required argument 'number'");
  });
});
