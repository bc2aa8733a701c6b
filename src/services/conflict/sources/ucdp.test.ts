import { describe, expect, test } from "vitest";
import { failureOf, firstRequest, readBody } from "../../../../test/support/reading.js";
import type { Format, SourceRequest } from "../../../contract/source.js";
import { readRows } from "../../../ingest/read-rows.js";
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

function first<F extends Format>(requests: readonly SourceRequest<F>[]): SourceRequest<F> {
  const [request] = requests;
  if (!request) throw new Error("nothing is asked");
  return request;
}

const bytesOf = (body: unknown): Buffer => Buffer.from(JSON.stringify(body));

describe("the API", () => {
  const page = (rows: readonly object[], TotalPages = 1) => ({ TotalCount: rows.length, TotalPages, Result: rows });
  const annual = first(gedAnnualApi.requests({ now }));
  const candidate = first(gedCandidateApi.requests({ now }));
  const versionsFrom = (request: SourceRequest | null | undefined): readonly string[] =>
    request ? [/gedevents\/([^?]+)/.exec(request.url)?.[1] ?? "", ...versionsFrom(request.orElse)] : [];

  test("is asked for releases from the newest that could be out, with the token apart", () => {
    expect(versionsFrom(annual)).toEqual(["26.1", "25.1", "24.1"]);
    expect(versionsFrom(candidate)).toEqual(["26.0.12", "26.0.11", "26.0.10", "26.0.9", "26.0.8"]);
    const january = first(gedCandidateApi.requests({ now: Date.UTC(2027, 0, 5) }));
    expect(versionsFrom(january)).toEqual(["27.0.2", "27.0.1", "26.0.12", "26.0.11", "26.0.10"]);
    const withToken = firstRequest(gedCandidateApi, { now }, { UCDP_ACCESS_TOKEN: "t0ken" });
    expect(withToken.secretHeaders).toEqual({ "x-ucdp-access-token": "t0ken" });
  });

  test("an empty release leads to the one before, like one that is not there", () => {
    expect(gedAnnualApi.more?.(page([], 0), annual)).toEqual([annual.orElse]);
  });

  test("a release is read to its last page, and of very many pages the last", () => {
    const pagesOf = (total: number) =>
      gedAnnualApi.more?.(page([row], total), annual).map(({ url }) => /&page=(\d+)/.exec(url)?.[1]);
    expect(pagesOf(1)).toEqual([]);
    expect(pagesOf(3)).toEqual(["1", "2"]);
    const many = pagesOf(385) ?? [];
    expect([many[0], many.at(-1), many.length]).toEqual(["306", "384", 79]);
  });

  test.each([
    ["26.0.10", 9, "26.0.9", "26.0.1"],
    ["26.0.7", 6, "26.0.6", "26.0.1"],
    ["26.0.6", 17, "26.0.5", "25.0.1"],
    ["26.0.1", 12, "25.0.12", "25.0.1"],
  ])("behind %s come %i months, the annual release being out from July", (version, count, from, to) => {
    const url = candidate.url.replace(/gedevents\/[^?]+/, `gedevents/${version}`);
    const newest = { ...candidate, key: `newest candidate ${version} page 0`, url };
    const asked = gedCandidateApi.more?.(page([row]), newest) ?? [];
    expect([asked.length, versionsFrom(asked[0])[0], versionsFrom(asked.at(-1))[0]]).toEqual([count, from, to]);
    expect(asked.every(({ orElse }) => orElse === null)).toBe(true);
    expect(asked.flatMap((request) => gedCandidateApi.more?.(page([row]), request))).toEqual([]);
  });

  const read = (...rows: readonly object[]) => readRows(gedAnnualApi, annual, bytesOf(page(rows)), undefined);

  test("reads the API's numbers and the CSV's texts alike", () => {
    const asText = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)]));
    const dates = { date_start: "2026-10-03", date_end: "2026-10-05 00:00:00.000" };
    expect(read(row, { ...asText, ...dates }).records).toEqual([event, event]);
  });

  test.each(["4", "constructor"])("a type of violence %j that is not known is unspecified", (type) => {
    expect(read({ ...row, type_of_violence: type }).records).toMatchObject([
      { violenceType: "BETA_VIOLENCE_TYPE_UNSPECIFIED" },
    ]);
  });

  test("a position or a quoted source that is not given is absent", () => {
    const { location: _location, sourceOriginal: _source, ...rest } = event;
    expect(read({ ...row, latitude: null, source_original: "" }).records).toEqual([rest]);
  });

  test.each(["XXX700", " XXX 12 ", "", null])("a side that is %j is unknown and absent", (name) => {
    const { sideA: _sideA, ...withoutA } = event;
    const { sideB: _sideB, ...withoutB } = event;
    expect(read({ ...row, side_a: name }, { ...row, side_b: name }).records).toEqual([withoutA, withoutB]);
  });

  test("a side whose name only begins like a placeholder is served", () => {
    expect(read({ ...row, side_a: "XXX700 Brigade" }).records).toMatchObject([{ sideA: "XXX700 Brigade" }]);
  });

  test("counts and skips rows that make no sense", () => {
    const bad = [{ best: "" }, { best: -1 }, { date_end: "2026-10-32" }, { country: "" }];
    expect(read(row, row, row, row, row, ...bad.map((change) => ({ ...row, ...change })))).toMatchObject({
      ...{ rowsRead: 9, rowsBad: 4 },
    });
  });
});

describe("the published files", () => {
  const columns = ["year", ...Object.keys(row)];
  const quoted = (value: unknown): string => `"${String(value ?? "").replaceAll('"', '""')}"`;
  const csvOf = (...rows: readonly object[]): string =>
    [columns, ...rows.map((one) => columns.map((column) => ({ year: 2026, ...one })[column as "year"]))]
      .map((cells) => cells.map(quoted).join(","))
      .join("\n");
  const urlsFrom = (request: SourceRequest | null | undefined): readonly string[] =>
    request ? [request.url, ...urlsFrom(request.orElse)] : [];
  const annual = firstRequest(gedAnnualFile, { now });
  const candidate = firstRequest(gedCandidateFiles, { now });

  test("need no token, and are asked for from the newest that could be out", () => {
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

  test("of an annual release give the events of the years that may be served", () => {
    const old = { ...row, year: 2024, id: 1, best: "not read" };
    const csv = csvOf(old, old, old, { ...row, year: 2025 }, row);
    const reading = readBody(gedAnnualFile, annual, zipOf("GEDEvent_v26_1.csv", csv));
    expect(reading).toMatchObject({ rowsRead: 2, rowsBad: 0, records: [event, event] });
  });

  test("of an annual release may hold nothing that is young enough, but not nothing at all", () => {
    const read = (csv: string) => readBody(gedAnnualFile, annual, zipOf("GEDEvent_v26_1.csv", csv));
    expect(read(csvOf({ ...row, year: 2024 }))).toMatchObject({ rowsRead: 0 });
    expect(gedAnnualFile.rowsMin).toBe(0);
    expect(failureOf(() => read(csvOf())).kind).toBe("empty");
  });

  test("of a month are read as they are", () => {
    expect(readBody(gedCandidateFiles, candidate, csvOf(row)).records).toEqual([event]);
  });

  test("that lack a column have changed", () => {
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

  const furtherKeys = (key: string, rows: readonly Readonly<Record<string, string>>[] = [{}]) =>
    (gedCandidateFiles.more?.({ header: [], rows }, { ...candidate, key } as never) ?? []).map((asked) => asked.key);

  test.each([
    ["2026-10", 9, "2026-9", "2026-1"],
    ["2026-7", 6, "2026-6", "2026-1"],
    ["2026-6", 17, "2026-5", "2025-1"],
    ["2026-1", 12, "2025-12", "2025-1"],
  ])("behind the newest month %s come %i, the annual release being out from July", (newest, count, from, to) => {
    const keys = furtherKeys(`newest candidate file ${newest}`);
    const key = (month: string): string => `earlier candidate file ${month}`;
    expect([keys.length, keys[0], keys.at(-1)]).toEqual([count, key(from), key(to)]);
    expect(furtherKeys(key(from))).toEqual([]);
  });

  test("an empty newest month leads to the one before, like one that is not there", () => {
    expect(furtherKeys("newest candidate file 2026-12", [])).toEqual(["newest candidate file 2026-11"]);
  });
});

test("events that ended before the reach of what is served are not stored", () => {
  const { select } = betaEvents.parts.annual;
  const ended = (day: number) => ({ ...event, id: `e${day}`, dateEnd: now - day * 86_400_000 }) as BetaViolenceEvent;
  expect(select?.([ended(484), ended(486)], now).map(({ id }) => id)).toEqual(["e484"]);
});
