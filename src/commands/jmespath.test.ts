import { expect, test } from "vitest";
import { addJmespath } from "./jmespath.js";
import { parsed } from "./testing/parsed.js";

test("vigil jmespath accepts an expression and a file", async () => {
  const words = ["jmespath", "a[0]", "answer.json"];
  expect(await parsed((root, called) => addJmespath(root, called("jmespath")), words)).toEqual([words]);
});
