import { describe, expect, test } from "vitest";
import { viewOf } from "../../../../test/support/views.js";
import { silentTally } from "../../../contract/row-tally.js";
import { settingReader } from "../../../contract/setting.js";
import { DAY_MS } from "../../../kit/clock.js";
import type { IndexPoint, TreasuryParYieldCurve } from "../records.js";
import { usCpi } from "./us-cpi.js";
import { usTreasuryYields } from "./us-treasury-yields.js";

const settingOf = settingReader({});

const monthsFrom = (year: number, month: number, count: number): IndexPoint[] =>
  Array.from({ length: count }, (_, at) => ({ month: Date.UTC(year, month - 1 + at), index: 20 + at / 10 }));
const withHeadline = (headline: IndexPoint[]) => ({
  headline,
  core: [],
  food: [],
  energy: [],
  shelter: [],
  services: [],
});

describe("us-cpi", () => {
  test.each([
    ["800 months from January 1947", monthsFrom(1947, 1, 800), undefined],
    ["799 months", monthsFrom(1947, 1, 799), "799 headline months starting 1947-01, needed 800 starting 1947-01"],
    [
      "a start in February",
      monthsFrom(1947, 2, 800),
      "800 headline months starting 1947-02, needed 800 starting 1947-01",
    ],
    ["no months", [], "0 headline months starting none, needed 800 starting 1947-01"],
  ])("the result of the gate for %s is $2", (_name, headline, refusal) => {
    expect(usCpi.gate(withHeadline(headline))).toBe(refusal);
  });

  test("the latest observation is from the component with the most recent month", () => {
    const records = { ...withHeadline(monthsFrom(1947, 1, 2)), energy: monthsFrom(1960, 5, 1) };
    expect(usCpi.newestAt(records)).toBe(Date.UTC(1960, 4));
    expect(usCpi.newestAt(withHeadline([]))).toBeNull();
  });

  test("the latest month is the last one in which any component has a value", () => {
    const { latest, months } = viewOf(usCpi, { ...withHeadline(monthsFrom(1947, 1, 2)), food: monthsFrom(1947, 3, 1) });
    expect(months).toHaveLength(3);
    expect(latest).toEqual([{ month: Date.UTC(1947, 2), food: { index: 20 } }]);
  });
});

const daysFrom = (year: number, count: number, tenors: Partial<TreasuryParYieldCurve>): TreasuryParYieldCurve[] =>
  Array.from({ length: count }, (_, at) => ({ date: Date.UTC(year, 0, 2 + at), ...tenors }));

describe("us-treasury-yields", () => {
  test.each([
    ["5,000 days from January 1990 with 2-year yields", daysFrom(1990, 5_000, { twoYear: 8 }), undefined],
    ["5,000 days with 10-year yields only", daysFrom(1990, 5_000, { tenYear: 8 }), undefined],
    ["4,999 days", daysFrom(1990, 4_999, { twoYear: 8 }), "4999 days, needed 5000"],
    ["a later start", daysFrom(1991, 5_000, { twoYear: 8 }), "history starts 1991-01-02, needed January 1990"],
    ["an earlier start", daysFrom(1989, 5_000, { twoYear: 8 }), "history starts 1989-01-02, needed January 1990"],
    [
      "5,000 days with 5-year yields only",
      daysFrom(1990, 5_000, { fiveYear: 8 }),
      "the newest day has neither a 2-year nor a 10-year value",
    ],
  ])("the result of the gate for %s is $2", (_name, curves, refusal) => {
    expect(usTreasuryYields.gate({ curves })).toBe(refusal);
  });

  const { plan, merge } = usTreasuryYields.parts.curves;
  const kept = (date: number): TreasuryParYieldCurve[] => [{ date, twoYear: 4 }];

  test.each([
    ["every year since 1990, if nothing is stored", [], Date.UTC(2026, 10, 21), 37, 1990],
    ["only the current year, if it has a stored day", kept(Date.UTC(2026, 10, 20)), Date.UTC(2026, 10, 21), 1, 2026],
    ["the old and the new year, around New Year", kept(Date.UTC(2026, 11, 31)), Date.UTC(2027, 0, 2), 2, 2026],
    ["every year since the last stored day, after a pause", kept(Date.UTC(2023, 5, 1)), Date.UTC(2026, 0, 2), 4, 2023],
  ])("a run requests %s", (_name, curves, now, count, firstYear) => {
    const asked = plan({ kept: curves, memory: undefined, now, settingOf });
    expect([asked?.years.length, asked?.years[0], asked?.now]).toEqual([count, firstYear, now]);
  });

  describe("with days missing between two stored days", () => {
    const days = (from: string, to: string): TreasuryParYieldCurve[] => {
      const [first, last] = [Date.parse(from), Date.parse(to)];
      return Array.from({ length: (last - first) / DAY_MS + 1 }, (_, at) => ({
        date: first + at * DAY_MS,
        twoYear: 4,
      }));
    };
    const now = Date.UTC(1999, 5, 1);
    const asked = (curves: TreasuryParYieldCurve[]) => plan({ kept: curves, memory: undefined, now, settingOf });

    test.each([
      ["a whole year", days("1990-01-02", "1994-12-30"), days("1996-01-02", "1999-05-31"), [1994, 1995, 1996]],
      ["the end of a year", days("1990-01-02", "1995-03-31"), days("1996-01-02", "1999-05-31"), [1995, 1996]],
      ["days of the newest year", days("1990-01-02", "1999-01-29"), days("1999-03-01", "1999-05-31"), []],
    ])("a run requests the years with missing days again: %s", (_name, before, after, years) => {
      const curves = [...before, ...after];
      expect(asked(curves)).toEqual({ years: [1999], incompleteYears: years, now });
      const [from, to] = [before.at(-1), after[0]].map((curve) =>
        new Date(curve?.date ?? 0).toISOString().slice(0, 10),
      );
      expect(usTreasuryYields.lacking?.({ curves })).toBe(`no curves are known between ${from} and ${to}`);
    });

    test("several periods are counted, and a year within two of them is requested once", () => {
      const curves = [
        ...days("1990-01-02", "1994-12-30"),
        ...days("1995-02-01", "1995-06-30"),
        ...days("1995-08-01", "1999-05-31"),
      ];
      expect(asked(curves)?.incompleteYears).toEqual([1994, 1995]);
      expect(usTreasuryYields.lacking?.({ curves })).toBe(
        "no curves are known between 1994-12-30 and 1995-02-01, nor in 1 other period",
      );
    });

    test("a week without a curve is no missing period", () => {
      const curves = [...days("1990-01-02", "1995-03-01"), ...days("1995-03-08", "1999-05-31")];
      expect(asked(curves)?.incompleteYears).toEqual([]);
      expect(usTreasuryYields.lacking?.({ curves })).toBeUndefined();
    });
  });

  test("fresh days replace stored days of the same date, and all days stay in order", () => {
    const stored = [
      { date: 1, twoYear: 4 },
      { date: 3, twoYear: 4.2 },
    ];
    const fresh = [
      { date: 3, twoYear: 4.3 },
      { date: 2, twoYear: 4.1 },
    ];
    expect(merge?.(stored, fresh, { now: 4, settingOf, memory: undefined, tally: silentTally })).toEqual([
      { date: 1, twoYear: 4 },
      { date: 2, twoYear: 4.1 },
      { date: 3, twoYear: 4.3 },
    ]);
  });
});
