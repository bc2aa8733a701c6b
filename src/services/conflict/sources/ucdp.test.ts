import { describe, expect, test } from "vitest";
import {
  failureOf,
  firstRequest,
  readBody,
  requestAbout,
  stepOf,
  whileAbsent,
} from "../../../../test/support/reading.js";
import { silentTally } from "../../../contract/row-tally.js";
import { SourceFailure } from "../../../contract/source.js";
import { readRows } from "../../../ingest/read-rows.js";
import { insteadOf, type PlannedRequest, planned } from "../../../ingest/requests.js";
import { zipOf } from "../../../simulator/zip.js";
import { betaEvents } from "../datasets/beta-events.js";
import type { BetaViolenceEvent } from "../records.js";
import { gedAnnualApi, gedCandidateApi } from "./ucdp-api.js";
import { gedAnnualFile, gedCandidateFiles } from "./ucdp-files.js";

const now = Date.UTC(2026, 10, 18, 12);

const row = {
  id: 12,
  date_start: "2026-10-03T00:00:00",
  date_end: "2026-10-05T00:00:00",
  country: "Mali",
  side_a: "A ",
  side_b: "B",
  best: 0,
  low: 0,
  high: 4,
  type_of_violence: 3,
  latitude: 14.5,
  longitude: -4,
  source_original: " police\n officer ",
};

const event = {
  id: "ucdp-12",
  country: "Mali",
  dateStart: Date.UTC(2026, 9, 3),
  dateEnd: Date.UTC(2026, 9, 5),
  deathsBest: 0,
  deathsLow: 0,
  deathsHigh: 4,
  location: { latitude: 14.5, longitude: -4 },
  sideA: "A",
  sideB: "B",
  sourceOriginal: "police officer",
  violenceType: "BETA_VIOLENCE_TYPE_ONE_SIDED",
};

const bytesOf = (body: unknown): Buffer => Buffer.from(JSON.stringify(body));

describe("the API", () => {
  const page = (rows: readonly object[], TotalPages = 1) => ({ TotalCount: rows.length, TotalPages, Result: rows });
  const annual = firstRequest(gedAnnualApi, { now });
  const candidate = firstRequest(gedCandidateApi, { now });
  const versionsFrom = (request: PlannedRequest | undefined): readonly string[] =>
    whileAbsent(request).map(({ url }) => /gedevents\/([^?]+)/.exec(url)?.[1] ?? "");
  const furtherFrom = (request: PlannedRequest, total = 1, rows: readonly object[] = [row]) =>
    readRows(gedAnnualApi, request, bytesOf(page(rows, total)), undefined).more;

  test("releases are requested from the API, the newest possible one first; the token is sent in a header, so the logged address does not contain it", () => {
    expect(versionsFrom(annual)).toEqual(["26.1", "25.1", "24.1"]);
    expect(versionsFrom(candidate)).toEqual(["26.0.12", "26.0.11", "26.0.10", "26.0.9", "26.0.8"]);
    const january = firstRequest(gedCandidateApi, { now: Date.UTC(2027, 0, 5) });
    expect(versionsFrom(january)).toEqual(["27.0.2", "27.0.1", "26.0.12", "26.0.11", "26.0.10"]);
    const withToken = firstRequest(gedCandidateApi, { now }, { UCDP_ACCESS_TOKEN: "t0ken" });
    expect(withToken.secretHeaders).toEqual({ "x-ucdp-access-token": "t0ken" });
  });

  test("an empty release counts as missing, so the previous release is requested", () => {
    const [, before] = whileAbsent(annual);
    expect(furtherFrom(annual, 0, [])).toEqual([before]);
  });

  test("all pages of a release are read; if it has more than 80, only the first page and the last 79", () => {
    const pagesOf = (total: number) => furtherFrom(annual, total).map(({ url }) => /&page=(\d+)/.exec(url)?.[1]);
    expect(pagesOf(1)).toEqual([]);
    expect(pagesOf(3)).toEqual(["1", "2"]);
    const many = pagesOf(385);
    expect([many[0], many.at(-1), many.length]).toEqual(["306", "384", 79]);
  });

  // By July, the annual release has the events of the previous year.
  test.each([
    ["26.0.10", 9, "26.0.9", "26.0.1"],
    ["26.0.7", 6, "26.0.6", "26.0.1"],
    ["26.0.6", 17, "26.0.5", "25.0.1"],
    ["26.0.1", 12, "25.0.12", "25.0.1"],
  ])(
    "candidate release %s is followed by requests for the %i earlier ones not covered by the annual release",
    (version, count, from, to) => {
      const [, month] = version.split(".0.");
      const release = { version, month: { year: 2026, month: Number(month) } };
      const newest = requestAbout(gedCandidateApi, "page", {
        series: "newest candidate",
        release,
        older: [],
        now,
        page: 0,
      });
      const months = furtherFrom(newest);
      expect([newest.url.replace(version, "26.0.12"), months.length]).toEqual([candidate.url, count]);
      // A missing month is not replaced by another month, and does not make the other months fail.
      expect([months[0], months.at(-1)].map(versionsFrom)).toEqual([[from], [to]]);
      const absent = new SourceFailure("unavailable", "answered 404", { status: 404 });
      expect(months.every((request) => insteadOf(request, absent)?.length === 0)).toBe(true);
      expect(months.flatMap((request) => furtherFrom(request))).toEqual([]);
    },
  );

  const read = (...rows: readonly object[]) => readRows(gedAnnualApi, annual, bytesOf(page(rows)), undefined);

  test("numbers from UCDP's API and strings from its CSV give the same event", () => {
    const asText = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)]));
    const dates = { date_start: "2026-10-03", date_end: "2026-10-05 00:00:00.000" };
    expect(read(row, { ...asText, ...dates }).records).toEqual([event, event]);
  });

  test.each(["4", "constructor"])("an unknown type of violence, %j, is served as unspecified", (type) => {
    expect(read({ ...row, type_of_violence: type }).records).toMatchObject([
      { violenceType: "BETA_VIOLENCE_TYPE_UNSPECIFIED" },
    ]);
  });

  test("an event has no `location` and no `sourceOriginal` if its row lacks them", () => {
    const { location: _location, sourceOriginal: _source, ...rest } = event;
    expect(read({ ...row, latitude: null, source_original: "" }).records).toEqual([rest]);
  });

  test.each(["XXX700", " XXX 12 ", "", null])("the name %j is a placeholder, so the side is absent", (name) => {
    const { sideA: _sideA, ...withoutA } = event;
    const { sideB: _sideB, ...withoutB } = event;
    expect(read({ ...row, side_a: name }, { ...row, side_b: name }).records).toEqual([withoutA, withoutB]);
  });

  test("a side whose name merely starts like a placeholder is served", () => {
    expect(read({ ...row, side_a: "XXX700 Brigade" }).records).toMatchObject([{ sideA: "XXX700 Brigade" }]);
  });

  test("invalid rows of UCDP are counted and skipped", () => {
    const bad = [{ best: "" }, { best: -1 }, { date_end: "2026-10-32" }, { country: "" }];
    expect(read(row, row, row, row, row, ...bad.map((change) => ({ ...row, ...change })))).toMatchObject({
      rowsRead: 9,
      rowsBad: 4,
    });
  });
});

describe("the published files", () => {
  const columns = ["year", ...Object.keys(row)];
  const quoted = (value: unknown): string => `"${String(value ?? "").replaceAll('"', '""')}"`;
  const csvOf = (...rows: readonly object[]): string =>
    [columns, ...rows.map((row) => columns.map((column) => ({ year: 2026, ...row })[column as "year"]))]
      .map((cells) => cells.map(quoted).join(","))
      .join("\n");
  const urlsFrom = (request: PlannedRequest): readonly string[] => whileAbsent(request).map(({ url }) => url);
  const annual = firstRequest(gedAnnualFile, { now });
  const candidate = firstRequest(gedCandidateFiles, { now });

  test("the published files need no token, and the newest possible file is requested first", () => {
    expect([gedAnnualFile.credentials, gedCandidateFiles.credentials]).toEqual([[], []]);
    expect(urlsFrom(annual)).toEqual([
      "https://ucdp.uu.se/downloads/ged/ged261-csv.zip",
      "https://ucdp.uu.se/downloads/ged/ged251-csv.zip",
      "https://ucdp.uu.se/downloads/ged/ged241-csv.zip",
    ]);
    expect(urlsFrom(candidate).map((url) => url.replace("https://ucdp.uu.se/downloads/candidateged/", ""))).toEqual(
      [12, 11, 10, 9, 8].map((month) => `GEDEvent_v26_0_${month}.csv`),
    );
    const january = firstRequest(gedCandidateFiles, { now: Date.UTC(2027, 0, 5) });
    expect(urlsFrom(january)[2]).toBe("https://ucdp.uu.se/downloads/candidateged/GEDEvent_v26_0_12.csv");
  });

  test("only the years that overlap the read window are read from the file of an annual release", () => {
    const old = { ...row, year: 2024, id: 1, best: "not read" };
    const csv = csvOf(old, old, old, { ...row, year: 2025 }, row);
    const reading = readBody(gedAnnualFile, annual, zipOf("GEDEvent_v26_1.csv", csv));
    expect(reading).toMatchObject({ rowsRead: 2, rowsBad: 0, records: [event, event] });
  });

  test("the file of an annual release may have no recent event, but must not be empty", () => {
    const read = (csv: string) => readBody(gedAnnualFile, annual, zipOf("GEDEvent_v26_1.csv", csv));
    expect(read(csvOf({ ...row, year: 2024 }))).toMatchObject({ rowsRead: 0 });
    expect(stepOf(gedAnnualFile, "file").rowsMin).toBe(0);
    expect(failureOf(() => read(csvOf())).kind).toBe("empty");
  });

  test("the file of a monthly candidate release is read in full", () => {
    expect(readBody(gedCandidateFiles, candidate, csvOf(row)).records).toEqual([event]);
  });

  test("a file that lacks a column is reported as changed", () => {
    const other = csvOf(row).replace('"side_a"', '"actor"');
    for (const [source, request, body] of [
      [gedAnnualFile, annual, zipOf("x.csv", other)],
      [gedCandidateFiles, candidate, Buffer.from(other)],
    ] as const) {
      expect(failureOf(() => readBody(source, request, body))).toMatchObject({
        kind: "changed",
        message: expect.stringContaining("side_a"),
      });
    }
  });

  const furtherKeys = ({ step, context }: PlannedRequest, rows: readonly object[] = [{}]) =>
    (step.more?.({ header: [], rows }, context) ?? []).map((further) => planned(step, further).key);

  // By July, the annual release has the events of the previous year.
  test.each([
    ["2026-10", 9, "2026-9", "2026-1"],
    ["2026-7", 6, "2026-6", "2026-1"],
    ["2026-6", 17, "2026-5", "2025-1"],
    ["2026-1", 12, "2025-12", "2025-1"],
  ])(
    "the candidate file of %s is followed by requests for the %i earlier ones not covered by the annual release",
    (newest, count, from, to) => {
      const [year, month] = newest.split("-").map(Number);
      const file = (place: string) =>
        requestAbout(gedCandidateFiles, "file", { place, release: { year, month }, older: [] });
      const keys = furtherKeys(file("newest"));
      const key = (name: string): string => `earlier candidate file ${name}`;
      expect([keys.length, keys[0], keys.at(-1)]).toEqual([count, key(from), key(to)]);
      expect(furtherKeys(file("earlier"))).toEqual([]);
    },
  );

  test("an empty newest file counts as missing, so the file of the previous month is requested", () => {
    expect(candidate.key).toBe("newest candidate file 2026-12");
    expect(furtherKeys(candidate, [])).toEqual(["newest candidate file 2026-11"]);
  });
});

test("events that ended before the read window (a year and 120 days) are not stored", () => {
  const { select } = betaEvents.parts.annual;
  const ended = (day: number) => ({ ...event, id: `e${day}`, dateEnd: now - day * 86_400_000 }) as BetaViolenceEvent;
  expect(select?.([ended(484), ended(486)], now, silentTally).map(({ id }) => id)).toEqual(["e484"]);
});
