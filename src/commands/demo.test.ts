import { expect, test } from "vitest";
import { addDemo } from "./demo.js";
import { parsed } from "./testing/parsed.js";

test.each([
  { words: ["demo"], options: {} },
  { words: ["demo", "--recorded", "dir"], options: { recorded: "dir" } },
])("the arguments $words select vigil demo", async ({ words, options }) => {
  expect(await parsed((root, called) => addDemo(root, called("demo")), words)).toEqual([["demo", options]]);
});
