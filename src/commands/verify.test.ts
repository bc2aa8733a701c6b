import { expect, test } from "vitest";
import { parsed } from "./testing/parsed.js";
import { addVerify, verificationText } from "./verify.js";

test.each([
  { words: [], options: {} },
  { words: ["--json", "--demo"], options: { json: true, demo: true } },
])("vigil verify accepts the arguments $words", async ({ words, options }) => {
  expect(await parsed((root, called) => addVerify(root, called("verify")), ["verify", ...words])).toEqual([
    ["verify", options],
  ]);
});

const counts = { leaves: 3, generations: 2, bodies: 2, derivedValues: 18_204, checks: [], notRecomputed: {} };

test("the result lists the faults and ends with a summary", () => {
  expect(verificationText({ ...counts, skipped: [], faultCount: 0, faults: [] })).toBe(
    "3 leaves, 2 generations, 2 bodies and 18,204 derived values checked, faults: 0",
  );
  const faults = [{ subject: "leaf 1", problem: "does not have the hash of its text" }];
  expect(verificationText({ ...counts, skipped: [], faultCount: 4, faults })).toBe(
    "leaf 1 does not have the hash of its text\nand 3 more\n3 leaves, 2 generations, 2 bodies and 18,204 derived values checked, faults: 4",
  );
});

test("the result lists what could not be checked", () => {
  const skipped = [{ subject: "a", reason: "the generation of b is gone", count: 2 }];
  expect(verificationText({ ...counts, skipped, faultCount: 0, faults: [] }).split("\n")[0]).toBe(
    "not checked: a, 2 times, the generation of b is gone",
  );
});
