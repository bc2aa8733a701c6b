import { expect, test } from "vitest";
import { agoText, changeText, countryName, dayText, enumText, instantText, numberText, spanText } from "./format.js";

const NOON = Date.UTC(2026, 10, 18, 12);
const MINUTE_MS = 60_000;

test.each([
  [NOON, "2026-11-18 12:00"],
  ["2026-11-18T13:30:59+01:00", "2026-11-18 12:30"],
  [new Date(NOON), "2026-11-18 12:00"],
  ["soon", "unknown"],
  [Number.NaN, "unknown"],
])("the time %s is shown in UTC as %s", (time, text) => expect(instantText(time)).toBe(text));

test("the day of an instant is shown without the time", () => expect(dayText(NOON)).toBe("2026-11-18"));

test.each([
  [59_000, "59 s"],
  [90_000, "2 min"],
  [59 * MINUTE_MS, "59 min"],
  [61 * MINUTE_MS, "1 h"],
  [47 * 60 * MINUTE_MS, "47 h"],
  [72 * 60 * MINUTE_MS, "3 d"],
])("a span of %d ms is %s", (spanMs, text) => expect(spanText(spanMs)).toBe(text));

test('earlier times read "ago", and later times read "in"', () => {
  expect(agoText(NOON - 3 * MINUTE_MS, NOON)).toBe("3 min ago");
  expect(agoText(NOON + 5 * MINUTE_MS, NOON)).toBe("in 5 min");
  expect(agoText("soon", NOON)).toBe("unknown");
});

test.each([
  [1_234_567.891, 0, "1,234,568"],
  [2, 1, "2.0"],
  [Number.NaN, 1, "–"],
  [-1.5, 1, "-1.5"],
])("%d with %d decimal places is %s", (value, digits, text) => expect(numberText(value, digits)).toBe(text));

test("a change has a sign, and zero has none", () => {
  expect([changeText(0.25, 2), changeText(-3), changeText(0)]).toEqual(["+0.25", "−3.0", "0.0"]);
});

test("a country code shows its name, and an unknown code is shown unchanged", () => {
  expect([countryName("SD"), countryName("XZQ"), countryName("not a code")]).toEqual(["Sudan", "XZQ", "not a code"]);
});

test("enum names become words without their prefix", () => {
  expect(enumText("WATCH_ON_NEW_ROWS", "WATCH_ON_")).toBe("new rows");
  expect(enumText("unknown", "WATCH_ON_")).toBe("unknown");
});
