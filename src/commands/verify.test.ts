import { expect, test } from "vitest";
import { parsed } from "./testing/parsed.js";
import { addVerify, verificationText } from "./verify.js";

test.each([
  { words: [], options: {} },
  { words: ["--json", "--demo"], options: { json: true, demo: true } },
])("vigil verify $words checks the store", async ({ words, options }) => {
  expect(await parsed((root, called) => addVerify(root, called("verify")), ["verify", ...words])).toEqual([
    ["verify", options],
  ]);
});

test("the result lists each fault and sums up", () => {
  const counts = { leaves: 3, generations: 2, bodies: 2 };
  expect(verificationText({ ...counts, faultCount: 0, faults: [] })).toBe(
    "3 leaves, 2 generations and 2 bodies checked, faults: 0",
  );
  const faults = [{ subject: "leaf 1", problem: "does not have the hash of its text" }];
  expect(verificationText({ ...counts, faultCount: 4, faults })).toBe(
    "leaf 1 does not have the hash of its text\nand 3 more\n3 leaves, 2 generations and 2 bodies checked, faults: 4",
  );
});
