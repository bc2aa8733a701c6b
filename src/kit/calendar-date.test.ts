import { expect, test } from "vitest";
import { isCalendarDate } from "./calendar-date.js";

test.each(["2026-11-21", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"])("%s is a calendar date", (text) => {
  expect(isCalendarDate(text)).toBe(true);
});

test.each([
  "",
  "2026-11",
  "2026-13-01",
  "2026-00-10",
  "2026-04-31",
  "2023-02-29",
  "1900-02-29",
  "21.11.2026",
  "2026-1-1",
  "2026-11-21 ",
])("%j is not a calendar date", (text) => {
  expect(isCalendarDate(text)).toBe(false);
});
