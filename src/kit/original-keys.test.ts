import { expect, test } from "vitest";
import { originalKeys } from "./original-keys.js";

function objectWithKeys(count: number): unknown {
  return Object.fromEntries(Array.from({ length: count }, (_, key) => [`key${key}`, 0]));
}

test("originalKeys lists the keys of an object in order, up to fifty", () => {
  expect(originalKeys({ b: 1, a: 2 })).toEqual(["b", "a"]);
  expect(originalKeys(objectWithKeys(50))).toHaveLength(50);
});

test("originalKeys adds the number of remaining keys after the first fifty", () => {
  const keys = originalKeys(objectWithKeys(53));
  expect(keys).toHaveLength(51);
  expect(keys.slice(-2)).toEqual(["key49", "...<3 more>"]);
});

test.each([
  [[1, 2], "<array length=2>"],
  ["text", "<string>"],
  [1, "<number>"],
  [null, "<object>"],
])("originalKeys describes a value without keys: %j is %s", (body, name) => {
  expect(originalKeys(body)).toEqual([name]);
});
