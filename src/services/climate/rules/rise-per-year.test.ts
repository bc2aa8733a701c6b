import { expect, test } from "vitest";
import { risePerYear } from "./rise-per-year.js";

const current = "The current rate is 0.17 inches/year (0.42 centimeters/year)";
const since = "The rate since 1993 is 0.13 inches/year (0.33 centimeters/year)";

test.each([
  ["the current rate, then the rate since 1993", `${current}. ${since}.`],
  ["the rate since 1993, then the current rate", `${since}. ${current}.`],
  [
    "both rates in one sentence, the current rate first",
    "The current rate of 0.17 inches (0.42 centimeters) per year is more than the 0.08 inches (0.20 centimeters) per year in 1993.",
  ],
  [
    "both rates in one sentence, the current rate last",
    "It doubled from 0.08 inches (0.20 centimeters) per year in 1993 to the current yearly rate of 0.17 inches (0.42 centimeters) per year.",
  ],
  ["a label after the rate", "0.42 cm/year (current rate), 0.33 cm/year since 1993"],
  ["a label after the second rate", "0.33 cm/year since 1993; 0.42 cm/year, the current rate"],
  [
    "a rate without a label and a rate since 1993",
    "It rises by 0.42 cm per year. Since 1993 it rose by 0.33 cm per year.",
  ],
  ["millimetres", "Current rate: 4.2 mm/yr. Since 1993: 3.3 mm/yr."],
])("the current rate is found in a text of this form: %s", (_, text) => {
  expect(risePerYear(text)).toBe(4.2);
});

test("a rate only in inches is converted", () => {
  expect(risePerYear("Current rate: 0.17 inches/year")).toBe(4.3);
});

test("a rate since 1993 is used if there is no other, and the last of several unlabelled rates is used", () => {
  expect(risePerYear("3.3 millimeters per year since 1993")).toBe(3.3);
  expect(risePerYear("0.20 cm per year, then 0.42 cm per year")).toBe(4.2);
});

test("a rise without a unit of time is not a rate", () => {
  expect(risePerYear("103.8 millimeters since 1993, current as of today")).toBeUndefined();
});

test("a long page of digits is read within the time limit of a test", () => {
  expect(risePerYear("1".repeat(500_000))).toBeUndefined();
  expect(risePerYear("1.1 ".repeat(200_000))).toBeUndefined();
});
