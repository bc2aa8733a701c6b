import { expect, test } from "vitest";
import { addOwnerKey } from "./owner-key.js";
import { parsed } from "./testing/parsed.js";

test.each([
  { words: [], options: {} },
  { words: ["--new", "--demo"], options: { new: true, demo: true } },
  { words: ["--create"], options: { create: true } },
])("vigil owner-key accepts the options $words", async ({ words, options }) => {
  expect(await parsed((root, called) => addOwnerKey(root, called("owner-key")), ["owner-key", ...words])).toEqual([
    ["owner-key", options],
  ]);
});
