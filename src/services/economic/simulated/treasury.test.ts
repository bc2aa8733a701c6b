import { expect, test } from "vitest";
import { isWellFormed, recording, recordingsAbsent, started } from "../../../simulator/testing/harness.js";

const FEED =
  "https://home.treasury.gov/resource-center/data-chart-center/interest-rates/pages/xml?data=daily_treasury_yield_curve";
const year = (value: number): string => `${FEED}&field_tdr_date_value=${value}`;
const month = (value: string): string => `${FEED}&field_tdr_date_value_month=${value}`;

const entriesOf = (feed: string): readonly string[] => feed.match(/<entry>[\s\S]*?<\/entry>\n/g) ?? [];
const datesOf = (feed: string): readonly string[] =>
  [...feed.matchAll(/NEW_DATE m:type="Edm.DateTime">([^<T]*)T/g)].map(([, day]) => day ?? "");
const entryOn = (feed: string, day: string): string => entriesOf(feed).find((entry) => entry.includes(day)) ?? "";

test.skipIf(recordingsAbsent)("the first entries of August 2026 equal the recording except for digits", async () => {
  const real = recording("us-treasury/daily_treasury_yield_curve-202608-3entries.xml");
  const simulator = await started("2026-08-28T23:00:00Z");
  const feed = await simulator.text(month("202608"));
  const firstThree = feed.replace(entriesOf(feed).slice(3).join(""), "");
  const withoutDigits = (text: string): string => text.replace(/\d+/g, "0");
  expect(withoutDigits(firstThree)).toBe(withoutDigits(real));
});

test.skipIf(recordingsAbsent)("the feed has the recording's business days, from January to April 2019", async () => {
  const simulator = await started("2019-04-18T23:00:00Z");
  const real = recording("us-treasury/DailyTreasuryYieldCurveRateData-2019.xml");
  expect(datesOf(await simulator.text(year(2019)))).toEqual(datesOf(real));
});

test("the same seed and clock give the same bytes, and another seed gives other bytes", async () => {
  const first = await (await started("2024-05-01T00:00:00Z")).text(year(2020));
  const same = await (await started("2024-05-01T00:00:00Z")).text(year(2020));
  const other = await (await started("2024-05-01T00:00:00Z", { seed: 8 })).text(year(2020));
  expect(same).toBe(first);
  expect(other).not.toBe(first);
});

test("as time passes, an entry is appended at 20:30 UTC, and earlier entries stay unchanged", async () => {
  const simulator = await started("2024-03-13T20:29:59Z");
  const before = entriesOf(await simulator.text(year(2024)));
  simulator.clock.advance(1_000);
  const after = entriesOf(await simulator.text(year(2024)));
  expect(after.length).toBe(before.length + 1);
  expect(after.slice(0, -1)).toEqual(before);
  expect(after.at(-1)).toContain("2024-03-13T00:00:00");
});

test("the document of a year has the entries of all its months", async () => {
  const simulator = await started("2023-03-20T00:00:00Z");
  const months = await Promise.all(["202301", "202302", "202303"].map((value) => simulator.text(month(value))));
  expect(months.flatMap(entriesOf)).toEqual(entriesOf(await simulator.text(year(2023))));
});

test.each([
  ["BC_1MONTH", "2001-07-30", "2001-07-31"],
  ["BC_2MONTH", "2018-10-15", "2018-10-16"],
  ["BC_4MONTH", "2022-10-18", "2022-10-19"],
  ["BC_1_5MONTH", "2025-02-14", "2025-02-18"],
  ["BC_20YEAR", "1993-09-30", "1993-10-01"],
])("%s has no value on %s but has one on %s", async (column, without, having) => {
  const feed = await (await started("2026-01-05T00:00:00Z")).text(year(Number(having.slice(0, 4))));
  const value = new RegExp(`<d:${column} m:type="Edm.Double">\\d\\.\\d\\d</d:${column}>`);
  expect(entryOn(feed, having)).toMatch(value);
  expect(entryOn(feed, without)).not.toMatch(value);
});

test("a tenor before its introduction is absent in odd years and null in even years", async () => {
  const simulator = await started("2026-01-05T00:00:00Z");
  expect(await simulator.text(year(2015))).not.toContain("BC_2MONTH");
  expect(await simulator.text(year(2016))).toContain('<d:BC_2MONTH m:type="Edm.Double" m:null="true" />');
});

test("the 30-year yield is null from February 2002 to February 2006, and its display column is 0", async () => {
  const simulator = await started("2026-01-05T00:00:00Z");
  const [start, end] = await Promise.all([simulator.text(year(2002)), simulator.text(year(2006))]);
  for (const entry of [entryOn(start, "2002-02-19"), entryOn(end, "2006-02-08")]) {
    expect(entry).toContain('<d:BC_30YEAR m:type="Edm.Double" m:null="true" />');
    expect(entry).toContain('<d:BC_30YEARDISPLAY m:type="Edm.Double">0</d:BC_30YEARDISPLAY>');
  }
  for (const entry of [entryOn(start, "2002-02-15"), entryOn(end, "2006-02-09")]) {
    expect(entry).toMatch(/<d:BC_30YEAR m:type="Edm.Double">\d\.\d\d</);
  }
});

test.each([
  ["a future year", year(2031)],
  ["a year before the first", year(1989)],
  ["a nonsense year", `${FEED}&field_tdr_date_value=abc`],
  ["no period", FEED],
])("a request with %s is answered with a feed without entries", async (_, url) => {
  const feed = await (await started("2026-01-05T00:00:00Z")).text(url);
  expect(entriesOf(feed)).toEqual([]);
  expect(isWellFormed(feed)).toBe(true);
});

test("the document of 1990, the first year, begins on 2 January", async () => {
  const feed = await (await started("2026-01-05T00:00:00Z")).text(year(1990));
  expect(datesOf(feed)[0]).toBe("1990-01-02");
  expect(datesOf(feed).length).toBeGreaterThan(245);
});

test("a request for another data set is answered with 404", async () => {
  const simulator = await started("2026-01-05T00:00:00Z");
  expect((await simulator.get(FEED.replace("yield_curve", "bill_rates"))).status).toBe(404);
});

test("a request with the current ETag is answered with 304, and a new day changes the ETag", async () => {
  const simulator = await started("2024-03-13T12:00:00Z");
  const etag = (await simulator.get(year(2024))).headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[\w-]{27}"$/);
  const again = await simulator.get(year(2024), { "If-None-Match": etag });
  expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
  simulator.clock.set(Date.parse("2024-03-13T21:00:00Z"));
  expect((await simulator.get(year(2024), { "If-None-Match": etag })).status).toBe(200);
});

test("the changed variant is well-formed and has other element names", async () => {
  const simulator = await started("2024-05-01T00:00:00Z");
  const healthy = await simulator.text(year(2023));
  simulator.faults.set({ upstream: "treasury" }, { kind: "changed" });
  const changed = await simulator.text(year(2023));
  expect(isWellFormed(changed)).toBe(true);
  expect(entriesOf(changed).length).toBe(entriesOf(healthy).length);
  expect(changed).not.toMatch(/NEW_DATE|BC_/);
});

test("the empty variant is the feed without its entries", async () => {
  const simulator = await started("2024-05-01T00:00:00Z");
  simulator.faults.set({ upstream: "treasury" }, { kind: "empty" });
  const feed = await simulator.text(year(2023));
  expect(isWellFormed(feed)).toBe(true);
  expect(entriesOf(feed)).toEqual([]);
});

test("the bad-row variant breaks exactly one entry", async () => {
  const simulator = await started("2024-05-01T00:00:00Z");
  const healthy = entriesOf(await simulator.text(year(2023)));
  simulator.faults.set({ upstream: "treasury" }, { kind: "bad-row" });
  const spoilt = entriesOf(await simulator.text(year(2023)));
  const different = spoilt.filter((entry, index) => entry !== healthy[index]);
  expect(spoilt.length).toBe(healthy.length);
  expect(different).toEqual([expect.stringContaining(">2019-13-45T00:00:00<")]);
  expect(different[0]).toContain('<d:BC_10YEAR m:type="Edm.Double">abc</d:BC_10YEAR>');
});
