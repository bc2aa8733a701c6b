import { expect, test } from "vitest";
import { knotsOfMetresPerSecond, metresOfFeet, metresPerSecondOfFeetPerMinute, rounded } from "./units.js";

test.each([
  ["feet to metres", metresOfFeet, 32_000, 9753.6],
  ["feet below sea level to metres", metresOfFeet, -75, -22.86],
  ["metres per second to knots", knotsOfMetresPerSecond, 203.82, 396.2],
  ["a speed of zero to knots", knotsOfMetresPerSecond, 0, 0],
  ["feet per minute to metres per second", metresPerSecondOfFeetPerMinute, 832, 4.23],
  ["feet per minute of a descent to metres per second", metresPerSecondOfFeetPerMinute, -1_984, -10.08],
])("units are converted: %s", (_, convert, value, expected) => {
  expect(convert(value)).toBe(expected);
});

test("a value that rounds to zero has no minus sign", () => {
  expect(Object.is(rounded(-0.001, 1), 0)).toBe(true);
});
