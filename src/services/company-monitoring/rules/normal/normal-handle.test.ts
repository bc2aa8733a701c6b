import { expect, test } from "vitest";
import { normalHandle } from "./normal-handle.js";

test.each([
  ["@Acme_1", "acme_1"],
  ["ACME", "acme"],
  ["@abcdefghijklmno", "abcdefghijklmno"],
])("the normal form of the handle %j is %j", (text, value) => {
  expect(normalHandle(text)).toEqual({ value });
});

test.each(["@", "@@acme", "ac-me", "abcdefghijklmnop", "@abcdefghijklmnop", "acmé", "a b"])(
  "the handle %j is refused",
  (text) => {
    expect(normalHandle(text)).toHaveProperty("problem");
  },
);
