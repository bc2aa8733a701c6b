import { expect, test } from "vitest";
import { addMcp } from "./mcp.js";
import { parsed } from "./testing/parsed.js";

test("vigil mcp accepts the option --demo, and refuses a positional argument", async () => {
  const add: Parameters<typeof parsed>[0] = (root, called) => addMcp(root, called("mcp"));
  expect(await parsed(add, ["mcp", "--demo"])).toEqual([["mcp", { demo: true }]]);
  expect(await parsed(add, ["mcp", "http://127.0.0.1"])).toContain("too many arguments");
});
