import { expect, test } from "vitest";
import { addServe } from "./serve.js";
import { parsed } from "./testing/parsed.js";

test.each([[[]], [["serve"]]])("vigil %j serves", async (words) => {
  expect(await parsed((root, called) => addServe(root, called("serve")), words)).toEqual([["serve"]]);
});
