import { describe, expect, test } from "vitest";
import { failureOf, firstRequest, readBody, requestsOf } from "../../../../test/support/reading.js";
import { insteadOf } from "../../../ingest/requests.js";
import { utcMidnight, utcMonth } from "./calendar-date.js";
import { fredApi } from "./fred-api.js";
import { fredGraph } from "./fred-graph.js";
import { treasuryYields } from "./treasury-yields.js";

const graphRequest = firstRequest(fredGraph, { series: "CPIAUCSL" }, {});
const apiRequest = firstRequest(fredApi, { series: "CPIAUCSL" }, { FRED_API_KEY: "secret" });
const yearPlan = { years: [2026], incompleteYears: [], now: Date.UTC(2026, 10, 21) };
const yearRequest = firstRequest(treasuryYields, yearPlan, {});

describe("requests", () => {
  test("the graph export is requested by series, without a key", () => {
    expect(graphRequest.url).toBe("https://fred.stlouisfed.org/graph/fredgraph.csv?id=CPIAUCSL");
    expect(graphRequest).not.toHaveProperty("secretQuery");
  });

  test("the API key is not part of the logged address", () => {
    expect(apiRequest.url).toBe(
      "https://api.stlouisfed.org/fred/series/observations?series_id=CPIAUCSL&file_type=json&observation_start=1947-01-01",
    );
    expect(apiRequest.secretQuery).toEqual({ api_key: "secret" });
  });

  test("the Treasury's documents are requested by year", () => {
    const plan = { ...yearPlan, years: [1990, 1991] };
    expect(requestsOf(treasuryYields, plan).map(({ key, url }) => [key, url.slice(-4)])).toEqual([
      ["1990", "1990"],
      ["1991", "1991"],
    ]);
    expect(yearRequest.url).toContain("?data=daily_treasury_yield_curve&field_tdr_date_value=2026");
  });
});

describe("FRED's graph export", () => {
  test.each(["observation_date", "DATE"])(
    "FRED's graph export is read with the header %s; a blank or a dot is a missing value",
    (header) => {
      const reading = readBody(
        fredGraph,
        graphRequest,
        `${header},CPIAUCSL\n2025-09-01,324.368\n2025-10-01,\n2025-11-01,.\n`,
      );
      expect(reading).toEqual({
        records: [{ month: Date.UTC(2025, 8), index: 324.368 }],
        rowsRead: 3,
        rowsBad: 0,
        leftOut: [{ rule: "no value", count: 2, example: "2025-10-01" }],
        rowsWithout: {},
        newestAt: Date.UTC(2025, 8),
        more: [],
      });
    },
  );

  test("an invalid row is counted and skipped", () => {
    const rows = ["2025-01-01,319.1", "2025-02-31,320", "2025-03-15,320", "2025-04-01,abc", "2025-05-01,-1"];
    const more = ["2025-06-01,321.5", "2025-07-01,322.1", "2025-08-01,323.4", "2025-09-01,324.4"];
    const reading = readBody(fredGraph, graphRequest, `observation_date,CPIAUCSL\n${[...rows, ...more].join("\n")}\n`);
    expect([reading.rowsRead, reading.rowsBad, reading.records.length]).toEqual([9, 4, 5]);
  });

  test("a document with another header is reported as a changed document", () => {
    const failed = failureOf(() => readBody(fredGraph, graphRequest, "observation_date,CPIAUCNS\n2025-01-01,1\n"));
    expect(failed.kind).toBe("changed");
    expect(failed.message).toBe("expected the columns observation_date,CPIAUCSL, got observation_date,CPIAUCNS");
  });

  test("a document with mostly bad rows is reported as a changed document", () => {
    const failed = failureOf(() =>
      readBody(fredGraph, graphRequest, "observation_date,CPIAUCSL\n1/2/2025,1\n2/2/2025,1\n"),
    );
    expect([failed.kind, failed.message]).toEqual(["changed", "2 of 2 rows of CPIAUCSL do not have the known shape"]);
  });
});

describe("FRED's API", () => {
  test("index values are read from strings, and a dot is a missing value", () => {
    const observations = [
      { date: "2025-09-01", value: "324.368", realtime_start: "2025-12-18" },
      { date: "2025-10-01", value: "." },
    ];
    expect(readBody(fredApi, apiRequest, JSON.stringify({ count: 2, observations })).records).toEqual([
      { month: Date.UTC(2025, 8), index: 324.368 },
    ]);
  });

  test("an answer without observations is reported as a changed document", () => {
    expect(failureOf(() => readBody(fredApi, apiRequest, '{"error_code":400}')).kind).toBe("changed");
  });
});

const property = (name: string, value: string | null): string =>
  value === null
    ? `<d:${name} m:type="Edm.Double" m:null="true" />`
    : `<d:${name} m:type="Edm.Double">${value}</d:${name}>`;

function document(...days: Readonly<Record<string, string | null>>[]): string {
  const entries = days.map(
    ({ NEW_DATE, ...tenors }) =>
      `<entry><content type="application/xml"><m:properties><d:NEW_DATE m:type="Edm.DateTime">${NEW_DATE}</d:NEW_DATE>${Object.entries(
        tenors,
      )
        .map(([name, value]) => property(name, value))
        .join("")}</m:properties></content></entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?><feed xmlns:d="urn:d" xmlns:m="urn:m" xmlns="http://www.w3.org/2005/Atom"><title>t</title>${entries.join("")}</feed>`;
}

describe("the Treasury's yearly document", () => {
  test("a tenor that is null, empty or missing in the document is left out; the display column is not a tenor", () => {
    const reading = readBody(
      treasuryYields,
      yearRequest,
      document(
        {
          NEW_DATE: "2025-02-14T00:00:00",
          BC_1MONTH: "4.37",
          BC_1_5MONTH: null,
          BC_2YEAR: "",
          BC_30YEARDISPLAY: "4.69",
        },
        { NEW_DATE: "2025-02-18T00:00:00", BC_1MONTH: "4.38", BC_1_5MONTH: "4.41", BC_30YEAR: "4.77" },
      ),
    );
    expect(reading.records).toEqual([
      { date: Date.UTC(2025, 1, 14), oneMonth: 4.37 },
      { date: Date.UTC(2025, 1, 18), oneMonth: 4.38, oneAndAHalfMonth: 4.41, thirtyYear: 4.77 },
    ]);
    expect(reading.newestAt).toBe(Date.UTC(2025, 1, 18));
  });

  test("a document with a single day is read", () => {
    expect(
      readBody(treasuryYields, yearRequest, document({ NEW_DATE: "2026-01-02T00:00:00", BC_2YEAR: "4" })).rowsRead,
    ).toBe(1);
  });

  test.each([
    ["2025, in January 2026,", 2025, Date.UTC(2026, 0, 2)],
    ["1995, in 2026,", 1995, Date.UTC(2026, 10, 21)],
    ["the current year, a week after New Year,", 2026, Date.UTC(2026, 0, 8)],
  ])("a document without days for %s is reported as a changed document", (_period, year, now) => {
    const request = firstRequest(treasuryYields, { ...yearPlan, years: [year], now });
    const failed = failureOf(() => readBody(treasuryYields, request, document()));
    expect([failed.kind, failed.message]).toEqual([
      "changed",
      `expected the curves of ${year}, got a document without an entry`,
    ]);
  });

  test("the document of the current year may be without days in the first week of January", () => {
    const request = firstRequest(treasuryYields, { ...yearPlan, now: Date.UTC(2026, 0, 8) - 1 });
    expect(readBody(treasuryYields, request, document())).toMatchObject({ records: [], rowsRead: 0, rowsBad: 0 });
  });

  test("an earlier year that is requested again may fail without ending the run, but a new year may not", () => {
    const [again, newest] = requestsOf(treasuryYields, { ...yearPlan, incompleteYears: [1995] });
    const failure = failureOf(() => readBody(treasuryYields, again ?? yearRequest, document()));
    expect(failure.kind).toBe("changed");
    expect([again, newest].map((request) => request && [request.key, insteadOf(request, failure)])).toEqual([
      ["1995", []],
      ["2026", undefined],
    ]);
  });

  test("a document that ends in the middle of an entry is refused", () => {
    const whole = document({ NEW_DATE: "2026-01-02T00:00:00", BC_2YEAR: "4" });
    const failed = failureOf(() => readBody(treasuryYields, yearRequest, whole.slice(0, whole.length / 2)));
    expect(failed.kind).toBe("changed");
  });

  test("a day without published tenors is omitted and is not a bad row", () => {
    const reading = readBody(
      treasuryYields,
      yearRequest,
      document({ NEW_DATE: "2010-10-11T00:00:00", BC_2YEAR: null }),
    );
    expect([reading.records, reading.rowsRead, reading.rowsBad]).toEqual([[], 1, 0]);
  });

  test("a day with a bad date or number is skipped", () => {
    const good = ["05", "06", "07"].map((day) => ({ NEW_DATE: `2026-01-${day}T00:00:00`, BC_2YEAR: "4.1" }));
    const bad = [
      { NEW_DATE: "2019-13-45T00:00:00", BC_2YEAR: "4" },
      { NEW_DATE: "2026-01-08T00:00:00", BC_2YEAR: "abc" },
    ];
    const reading = readBody(treasuryYields, yearRequest, document(...good, ...bad));
    expect([reading.records.length, reading.rowsBad]).toEqual([3, 2]);
  });

  test("zero is a valid yield", () => {
    expect(
      readBody(treasuryYields, yearRequest, document({ NEW_DATE: "2020-03-25T00:00:00", BC_1MONTH: "0.00" })).records,
    ).toEqual([{ date: Date.UTC(2020, 2, 25), oneMonth: 0 }]);
  });
});

test.each(["2026-02-31", "2026-2-3", "2019-13-45", "", "20260101", "2026-01-01T00:00:00"])(
  "%j is not a calendar date",
  (text) => {
    expect(() => utcMidnight(text)).toThrow(/is not a calendar date/);
  },
);

test("only the first day of a month is read as a month", () => {
  expect(utcMonth("2026-02-01")).toBe(Date.UTC(2026, 1));
  expect(() => utcMonth("2026-02-02")).toThrow(/is not the first of a month/);
});
