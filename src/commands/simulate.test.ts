import { describe, expect, test } from "vitest";
import { addSimulate } from "./simulate.js";
import { parsed } from "./testing/parsed.js";

const parse = (words: readonly string[]): Promise<unknown> =>
  parsed((root, called) => addSimulate(root, called("simulate")), ["simulate", ...words]);

describe("vigil simulate", () => {
  test.each([
    { words: [], options: { port: 8790 } },
    { words: ["--port", "0"], options: { port: 0 } },
    { words: ["--recorded", "dir"], options: { port: 8790, recorded: "dir" } },
  ])("vigil simulate accepts the arguments $words", async ({ words, options }) => {
    expect(await parse(words)).toEqual([["simulate", options]]);
  });

  test.each(["65536", "-1", "80.5", "http", ""])("the port %j is refused", async (port) => {
    expect(await parse(["--port", port])).toContain("a port is a whole number from 0 to 65535");
  });
});
