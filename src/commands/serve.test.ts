import { expect, test } from "vitest";
import { addServe } from "./serve.js";
import { parsed } from "./testing/parsed.js";

test.each([
  { words: [], options: {} },
  { words: ["serve"], options: {} },
  { words: ["serve", "--role", "api"], options: { role: "api" } },
  { words: ["--role", "ingest"], options: { role: "ingest" } },
])("the arguments $words select vigil serve", async ({ words, options }) => {
  expect(await parsed((root, called) => addServe(root, called("serve")), words)).toEqual([["serve", options]]);
});
