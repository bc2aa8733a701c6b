import { expect, test } from "vitest";
import { severityNamed, severityOfFire, severityOfStorm, stormCategory } from "./severity.js";

test.each([
  ["Red", "red"],
  ["Orange alert for flood in Chad", "orange"],
  ["GREEN", "green"],
  ["Redmond fire", undefined],
  ["", undefined],
])("the text %j names the level %s", (text, severity) => {
  expect(severityNamed(text)).toBe(severity);
});

test.each([
  [0, "green"],
  [1, "orange"],
  [2, "orange"],
  [3, "red"],
  [5, "red"],
])("a storm of category %d is %s", (category, severity) => {
  expect(severityOfStorm(category)).toBe(severity);
});

test.each([
  [63, 0],
  [64, 1],
  [82, 1],
  [83, 2],
  [95, 2],
  [96, 3],
  [112, 3],
  [113, 4],
  [136, 4],
  [137, 5],
])("wind of %d kt is category %d", (windKt, category) => {
  expect(stormCategory(windKt)).toBe(category);
});

test.each([
  [299.9, "green"],
  [300, "orange"],
  [399.9, "orange"],
  [400, "red"],
])("a fire of %d MW is %s", (powerMw, severity) => {
  expect(severityOfFire(powerMw)).toBe(severity);
});
