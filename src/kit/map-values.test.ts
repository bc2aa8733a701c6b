import { expect, test } from "vitest";
import { mapValues } from "./map-values.js";

test("keys stay the same, and the function gets each value with its key", () => {
  expect(mapValues({ a: 1, b: 2 }, (value, key) => `${key}${value}`)).toEqual({ a: "a1", b: "b2" });
});

test("a key called __proto__ is an ordinary key", () => {
  const mapped = mapValues(JSON.parse('{"__proto__": 1}') as Record<string, number>, (value) => value + 1);
  expect(Object.entries(mapped)).toEqual([["__proto__", 2]]);
});
