import { describe, expect, test } from "vitest";
import { isLimitedClosure, isWithinHours, validityIn, validityWithoutYears } from "./closure-notice.js";
import { noticeKind } from "./notice-kind.js";

test.each([
  ["AD AP CLSD", false],
  ["AD AP CLSD EXC HEL DLY 0430-0945", false],
  ["AD AP CLSD EXC 24HR PPR", false],
  ["AD AP CLSD TO NON SKED TRANSIENT GA ACFT EXC 24HR PPR", true],
  ["AD AP CLSD TO F-35 VTOL", true],
  ["AD AP CLSD EXC SKED FLIGHTS", true],
  ["AERODROME CLOSED TO GENERAL AVIATION", true],
  ["AD CLSD TO ALL GA ACFT", true],
  ["AD CLSD TO ALL TRAFFIC", false],
  ["AD CLSD TO CIVIL TFC", false],
  ["AERODROME CLOSED TO SCHEDULED FLIGHTS", false],
  ["AD CLSD TO  SKED ACFT", false],
  ["RWY 09 CLSD TO JETS. AD CLSD", false],
  ["AD CLSD. TWY A CLSD TO ACFT ABV 24M", false],
  ["AD CLSD TO NON SKED ACFT. RWY 09 CLSD", true],
  ["CLSD TO NON SKED ACFT", true],
  ["RWY 09 CLSD TO JETS, RWY 18 CLSD", false],
])("isLimitedClosure(%j) is %s", (text, isLimited) => {
  expect(isLimitedClosure(text)).toBe(isLimited);
});

describe("validity", () => {
  test("the validity of a notice is the period at the end of its text, whose dates include the year", () => {
    expect(validityIn("!LAX 05/277 LAX AD AP CLSD 2605271826-2705281600")).toEqual({
      startAt: Date.UTC(2026, 4, 27, 18, 26),
      endAt: Date.UTC(2027, 4, 28, 16, 0),
    });
    expect(validityIn("NAV NDB OUT OF SERVICE 1503030545-PERM")?.endAt).toBe(Number.POSITIVE_INFINITY);
    expect(validityIn("ILS RWY 23 OUT OF SERVICE 1703170944-1704212359EST\n")?.endAt).toBe(
      Date.UTC(2017, 3, 21, 23, 59),
    );
  });

  test.each([
    "AD AP CLSD",
    "2705281600-2605271826",
    "2699271826-2705281600",
    "2602301826-2605281600",
    "260527-270528",
    "",
  ])("%j has no validity", (notice) => {
    expect(validityIn(notice)).toBeUndefined();
  });

  const now = Date.UTC(2026, 6, 29, 14, 41);

  test.each([
    ["in this month", "Jul 28 at 06:30 UTC.", "Aug 01 at 13:15 UTC.", [2026, 6, 28], [2026, 7, 1]],
    ["two months ago", "May 27 at 18:26 UTC.", "May 28 at 16:00 UTC.", [2026, 4, 27], [2026, 4, 28]],
    ["begun last year", "Oct 01 at 16:33 UTC.", "Jan 01 at 08:00 UTC.", [2025, 9, 1], [2026, 0, 1]],
    ["in the future", "Aug 20 at 00:00 UTC.", "Aug 21 at 00:00 UTC.", [2026, 7, 20], [2026, 7, 21]],
    [
      "last year, because the start would be more than 30 days ahead this year",
      "Sep 20 at 00:00 UTC",
      "Nov 21 at 00:00 UTC",
      [2025, 8, 20],
      [2025, 10, 21],
    ],
  ])("a validity without years gets its years from the current date: %s", (_name, start, end, startOn, endOn) => {
    const days = (at: number | undefined): number[] => {
      const date = new Date(at ?? 0);
      return [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
    };
    const validity = validityWithoutYears(start, end, now);
    expect([days(validity?.startAt), days(validity?.endAt)]).toEqual([startOn, endOn]);
  });

  test.each([
    ["Foo 28 at 06:30 UTC.", "Aug 01 at 13:15 UTC."],
    ["Jul 28 at 06:30 UTC.", "tomorrow"],
    ["", ""],
  ])("a validity from %j to %j cannot be read", (start, end) => {
    expect(validityWithoutYears(start, end, now)).toBeUndefined();
  });
});

describe("hours of a notice", () => {
  const at = (day: number, hour: number, minute = 0): number => Date.UTC(2026, 10, day, hour, minute);

  // 21 November 2026 is a Saturday.
  test.each([
    ["no hours", "AD AP CLSD", at(21, 3), true],
    ["before", "AD AP CLSD DLY 0430-0945", at(21, 4, 29), false],
    ["the first minute", "AD AP CLSD DLY 0430-0945", at(21, 4, 30), true],
    ["the last minute", "AD AP CLSD DLY 0430-0945", at(21, 9, 44), true],
    ["after", "AD AP CLSD DLY 0430-0945", at(21, 9, 45), false],
    ["over midnight, before midnight", "AD AP CLSD DLY 2200-0400", at(21, 23), true],
    ["over midnight, after midnight", "AD AP CLSD DLY 2200-0400", at(21, 3, 59), true],
    ["over midnight, outside", "AD AP CLSD DLY 2200-0400", at(21, 4), false],
    ["weekdays, on a Saturday", "AD AP CLSD MON-FRI 0400-1000", at(21, 5), false],
    ["weekdays, on a Friday", "AD AP CLSD MON-FRI 0400-1000", at(20, 5), true],
    ["a night that begins on Friday", "AD AP CLSD MON-FRI 2200-0400", at(21, 2), true],
    ["a night that would begin on Saturday", "AD AP CLSD MON-FRI 2200-0400", at(21, 23), false],
    ["several periods, which are ignored", "AD AP CLSD MON 0400-0600 TUE 0700-0900", at(21, 5), true],
    ["several periods of one day word", "AD AP CLSD DAILY 0600-1200 1400-1800", at(21, 15), true],
    ["several periods joined by a word", "AD AP CLSD MON-FRI 0600-1200 AND 1400-1800", at(20, 15), true],
    ["several periods joined by a comma", "AD AP CLSD DAILY 0600-1200, 1400-1800", at(21, 15), true],
    ["several periods with a time zone", "AD AP CLSD DAILY 0600-1200 1400-1800Z", at(21, 15), true],
    ["one period with TO, outside", "AD AP CLSD DLY 1400 TO 1800", at(21, 13), false],
    ["one period with TO, inside", "AD AP CLSD DLY 1400 TO 1800", at(21, 15), true],
    ["several periods, the second with TO", "AD AP CLSD DAILY 0600-1000 1400 TO 1800", at(21, 15), true],
    ["several periods with a zone, the second with TO", "AD AP CLSD DLY 0600Z-1000Z 1400Z TO 1800Z", at(21, 15), true],
    ["a period with zones", "AD AP CLSD DLY 0600Z-1000Z", at(21, 11), false],
    ["a period with spaces around its dash", "AD AP CLSD DLY 0600 - 1000", at(21, 11), false],
    ["weekdays with TO, on a Wednesday", "AD AP CLSD MON TO FRI 0400-1000", at(18, 5), true],
    ["weekdays with TO, on a Saturday", "AD AP CLSD MON TO FRI 0400 TO 1000", at(21, 5), false],
    ["weekdays with THRU, which are ignored", "AD AP CLSD MON THRU FRI 0600-1200", at(18, 7), true],
    ["a list of days with a slash, which is ignored", "AD AP CLSD MON/WED/FRI 0600-1200", at(18, 7), true],
    ["a list of days with AND, which is ignored", "AD AP CLSD MON TUE AND WED 0600-1200", at(17, 7), true],
    ["a period in lower case", "Aerodrome closed daily 1400 to 1800", at(21, 13), false],
    ["hours that are excepted, which are ignored", "AD AP CLSD EXC MON-FRI 0600-1200", at(21, 5), true],
    ["hours of opening, which are ignored", "AD AP CLSD. OPN DLY 0600-1200", at(21, 5), true],
    ["hours in local time, which are ignored", "AD AP CLSD DLY 0600-1200 LT", at(21, 15), true],
    ["one period, stated twice with TO", "DLY 0600-1200 AD AP CLSD 0600 TO 1200", at(21, 15), false],
    ["one period, stated twice", "DLY 0600-1200 AD AP CLSD 0600-1200", at(21, 15), false],
    ["one period and a validity", "AD AP CLSD DLY 0600-1200 2611010000-2612010000", at(21, 15), false],
    ["named days", "AD AP CLSD SAT SUN 0400-1000", at(21, 5), true],
    ["impossible hours, which are ignored", "AD AP CLSD DLY 9999-9999", at(21, 5), true],
    ["impossible minutes, which are ignored", "AD AP CLSD DLY 0460-0970", at(21, 3), true],
    ["a whole day", "AD AP CLSD DLY 0000-0000", at(21, 5), true],
    ["a day until midnight", "AD AP CLSD DLY 0600-2400", at(21, 23, 59), true],
    ["a range across the end of the week", "AD AP CLSD SAT-MON 0400-1000", at(22, 5), true],
  ])("a notice is in force only within its hours: %s", (_name, notice, now, isWithin) => {
    expect(isWithinHours(notice, now)).toBe(isWithin);
  });
});

describe("the meaning of a NOTAM", () => {
  const kind = (code: string, text = "") => noticeKind({ code23: code.slice(0, 2), code45: code.slice(2), text });

  test.each(
    ["FA", "AH", "AL", "AW", "AC", "AM"].flatMap((code23) =>
      ["LC", "AS", "AU", "XX", "AW"].map((code45) => `${code23}${code45}`),
    ),
  )("Q%s is a closure", (code) => {
    expect(kind(code)).toBe("closure");
  });

  test.each(
    ["RA", "RO", "FA", "AH", "AL", "AW", "AC", "AM"].flatMap((code23) =>
      ["RE", "RT"].map((code45) => `${code23}${code45}`),
    ),
  )("Q%s is a restriction", (code) => {
    expect(kind(code)).toBe("restriction");
  });

  test.each(["MRLC", "FALT", "RALC", "NVAS", "OBCE", "", "FA", "MRRT"])("Q%s neither closes nor restricts", (code) => {
    expect(kind(code)).toBe("other");
  });

  test.each([
    ["AD CLSD DUE TO SNOW", "closure"],
    ["AIRPORT IS CLOSED", "closure"],
    ["Aerodrome temporarily closed", "closure"],
    ["AD AP CLSD", "closure"],
    ["RWY 09/27 CLSD", "other"],
    ["AD CLSD TO NON SKED ACFT", "other"],
    ["ROAD TO AIRPORT TERMINAL CLSD", "other"],
    ["RESTRICTED AREA R-2508 ACTIVE", "restriction"],
    ["PROHIBITED AREA ACTIVATED", "restriction"],
    ["DANGER AREA D323 ACTIVE", "restriction"],
    ["TFR IN EFFECT", "restriction"],
    ["TEMPORARY FLIGHT RESTRICTIONS", "restriction"],
    ["RESTRICTED VISIBILITY", "other"],
  ])("the text %j means %s", (text, expected) => {
    expect(kind("", text)).toBe(expected);
  });

  test("a closure outranks a restriction, whether the code or the text states it", () => {
    expect(kind("RART", "AD CLSD")).toBe("closure");
    expect(kind("FALC", "RESTRICTED AREA")).toBe("closure");
  });
});
