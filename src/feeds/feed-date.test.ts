import { expect, test } from "vitest";
import { feedDate } from "./feed-date.js";

const noon = Date.UTC(2026, 10, 21, 12);

test.each([
  ["Sat, 21 Nov 2026 12:00:00 GMT", noon],
  ["Sat, 21 Nov 2026 12:00:00 +0000", noon],
  ["Wed, 21 Nov 2026 12:00:00 GMT", noon],
  ["21 Nov 2026 12:00:00 GMT", noon],
  ["21 Nov 2026 12:00 UT", noon],
  ["Sat, 21 Nov 26 12:00:00 Z", noon],
  ["Saturday, 21-Nov-26 12:00:00 GMT", noon],
  ["Sat, 21 Nov 2026 07:00:00 EST", noon],
  ["Sat, 21 Nov 2026 08:00:00 EDT", noon],
  ["Sat, 21 Nov 2026 04:00:00 PST", noon],
  ["Sat, 21 Nov 2026 13:00:00 CET", noon],
  ["Sat, 21 Nov 2026 21:00:00 JST", noon],
  ["Sat, 21 Nov 2026 17:30:00 +0530", noon],
  ["Sat, 21 Nov 2026 17:30:00 +05:30", noon],
  ["Sat, 21 Nov 2026 13:00:00 GMT+0100", noon],
  ["2026-11-21T12:00:00Z", noon],
  ["2026-11-21T12:00:00.123Z", noon],
  ["2026-11-21T12:00Z", noon],
  ["2026-11-21T07:00:00-05:00", noon],
  ["2026-11-21T12:00:00", noon],
  ["2026-11-21 12:00:00", noon],
  ["2026-11-21", Date.UTC(2026, 10, 21)],
  ["21 Nov 2026", Date.UTC(2026, 10, 21)],
  ["Friday, January 29, 2021 04:42 PM", Date.UTC(2021, 0, 29, 16, 42)],
  ["November 21st, 2026", Date.UTC(2026, 10, 21)],
  ["12:42 AM is hour 0: January 29, 2021 12:42 AM", undefined],
  ["January 29, 2021 12:42 AM", Date.UTC(2021, 0, 29, 0, 42)],
  ["Seg, 24 Set 2018 12:00:00 -0300", Date.UTC(2018, 8, 24, 15)],
  ["lun, 21 dic 2026 12:00:00 GMT", Date.UTC(2026, 11, 21, 12)],
  ["sam., 21 févr. 2026 12:00:00 +0100", Date.UTC(2026, 1, 21, 11)],
  ["Mo, 2 März 2026 12:00:00 +0100", Date.UTC(2026, 2, 2, 11)],
  ["21 augustus 2026", Date.UTC(2026, 7, 21)],
  ["21 września 2026", Date.UTC(2026, 8, 21)],
  ["Сб, 21 ноя 2026 15:00:00 +0300", noon],
  ["21 мая 2026", Date.UTC(2026, 4, 21)],
  ["Thu, 29 Feb 2024 00:00:00 GMT", Date.UTC(2024, 1, 29)],
  ["Sat, 31 Dec 2016 23:59:60 GMT", Date.UTC(2016, 11, 31, 23, 59, 59)],
  ["Sat, 21 Nov 98 12:00:00 GMT", Date.UTC(1998, 10, 21, 12)],
])("%s", (text, at) => {
  expect(feedDate(text)).toBe(at);
});

test.each([
  ...["", "now", "yesterday", "21/11/2026", "31 Feb 2026", "2026-02-31", "2026-13-01", "0 Nov 2026", "29 Feb 2026"],
  ...["Sat, 21 Nov 2026 24:00:00 GMT", "Sat, 21 Nov 2026 12:60:00 GMT", "Sat, 21 Nov 2026 12:00:00 XYZ"],
  ...[
    "Sat, 21 Nov 2026 12:00:00 +9900",
    "21 Foo 2026",
    "2026-11-21T12:00:00Zulu",
    "1",
    "1764000000",
    "x".repeat(10_000),
  ],
])("%j is no date", (text) => {
  expect(feedDate(text)).toBeUndefined();
});
