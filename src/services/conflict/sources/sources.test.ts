import { describe, expect, test } from "vitest";
import {
  failureOf,
  firstRequest,
  requestAbout,
  requestsOf,
  servedOf,
  stepOf,
} from "../../../../test/support/reading.js";
import { SourceFailure } from "../../../contract/source.js";
import { readRows } from "../../../ingest/read-rows.js";
import { insteadOf, type PlannedRequest, planned } from "../../../ingest/requests.js";
import { HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import { zipOf } from "../../../simulator/zip.js";
import { acled } from "./acled.js";
import { gdelt } from "./gdelt.js";
import { hapiConflict } from "./hapi.js";
import { hapiConflictCsv } from "./hapi-csv.js";

const now = Date.UTC(2026, 10, 18, 12);

const bytesOf = (body: unknown): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));

describe("ACLED", () => {
  const requests = requestsOf(acled, { now });
  const request = firstRequest(acled, { now });
  const row = {
    event_id_cnty: "SDN1",
    event_date: "2026-11-17",
    event_type: "Battles",
    country: "Sudan",
    admin1: "Darfur",
    actor1: "Army of X",
    actor2: "",
    latitude: "13.5",
    longitude: "-25.25",
    source: "Radio",
    fatalities: "12",
  };
  const read = (data: readonly object[]) => readRows(acled, request, bytesOf({ data }), undefined);

  test("ACLED is requested once for each of three event types, for the last 30 days", () => {
    const queries = requests.map(({ url }) => new URL(url).searchParams);
    expect(queries.map((query) => query.get("event_type"))).toEqual([
      "Battles",
      "Explosions/Remote violence",
      "Violence against civilians",
    ]);
    expect(queries[0]?.get("event_date")).toBe("2026-10-19|2026-11-18");
  });

  test("ACLED's next page is requested only after a full page", () => {
    const page = (rows: number) => read(Array.from({ length: rows }, () => row)).more;
    expect(page(4_999)).toEqual([]);
    const [next] = page(5_000);
    expect([next?.key, new URL(next?.url ?? "").searchParams.get("page")]).toEqual(["Battles 2", "2"]);
  });

  test("a row of ACLED becomes an event, and the numbers in its strings are parsed", () => {
    expect(read([row]).records).toEqual([
      {
        id: "acled-SDN1",
        country: "Sudan",
        admin1: "Darfur",
        actors: ["Army of X"],
        eventType: "Battles",
        fatalities: 12,
        location: { latitude: 13.5, longitude: -25.25 },
        source: "Radio",
        occurredAt: Date.UTC(2026, 10, 17),
      },
    ]);
  });

  test.each([
    ["blank fatalities are unknown", { fatalities: "" }, { fatalities: 0, fatalitiesKnown: false }],
    ["0 fatalities are known", { fatalities: "0" }, { fatalities: 0 }],
    [
      "the South Pole and the date line at 180° are a valid position",
      { latitude: "-90", longitude: "180" },
      { location: { latitude: -90, longitude: 180 } },
    ],
    [
      "the North Pole and the date line at -180° are a valid position",
      { latitude: "90", longitude: "-180" },
      { location: { latitude: 90, longitude: -180 } },
    ],
  ])("%s", (_name, change, expected) => {
    const [record] = read([{ ...row, ...change }]).records;
    expect(record).toMatchObject(expected);
    if (!("fatalitiesKnown" in expected)) expect(record).not.toHaveProperty("fatalitiesKnown");
  });

  test.each([
    ["blank", { latitude: "" }],
    ["null", { longitude: null }],
    ["beyond the pole", { latitude: "90.0001" }],
    ["beyond the date line", { longitude: "-180.5" }],
    ["not numbers", { latitude: "north" }],
  ])("an ACLED event whose coordinates are %s is omitted", (_name, change) => {
    expect(read([row, { ...row, ...change }])).toMatchObject({ rowsRead: 2, rowsBad: 0, records: [{}] });
  });

  test("an ACLED event of another type is omitted", () => {
    expect(read([row, { ...row, event_type: "Protests" }])).toMatchObject({ rowsBad: 0, records: [{}] });
  });

  test.each([
    ["a day that does not exist", { event_date: "2026-02-31" }],
    ["fatalities that are not a count", { fatalities: "-1" }],
    ["no id", { event_id_cnty: " " }],
    ["no country", { country: "" }],
  ])("an ACLED row with %s is counted as bad and skipped", (_name, change) => {
    expect(read([row, row, { ...row, ...change }])).toMatchObject({ rowsRead: 3, rowsBad: 1 });
  });

  test("a token is requested with the email address and password of an account", () => {
    expect(acled.auth).toMatchObject({
      url: "https://acleddata.com/oauth/token",
      form: { grant_type: "password", client_id: "acled" },
      secretForm: { username: { variable: "ACLED_EMAIL" }, password: { variable: "ACLED_PASSWORD" } },
    });
  });

  test.each([
    ["a status", { status: 403, success: false, error: [{ message: "no" }] }],
    ["a message", { message: "Access Denied" }],
    ["an error", { status: 200, success: false, error: "Your account does not have access to this endpoint" }],
  ])("%s that denies access to events after a token was granted is reported as unconfigured", (_name, document) => {
    const failure = failureOf(() => readRows(acled, request, bytesOf(document), undefined));
    expect(failure).toMatchObject({
      kind: "unconfigured",
      message: expect.stringContaining("has no access to events"),
    });
  });

  test("an answer with events is not mistaken for a refusal, even if it contains words such as forbidden", () => {
    const document = { data: [{ ...row, notes: "Access denied" }], message: "forbidden", count: null };
    expect(readRows(acled, request, bytesOf(document), undefined).records).toHaveLength(1);
  });

  test("ACLED's figures may be numbers or strings", () => {
    const numbers = { latitude: 13.5, longitude: -25.25, fatalities: 12 };
    expect(read([{ ...row, ...numbers }]).records).toEqual(read([row]).records);
  });

  test("an ACLED envelope without data is reported as changed", () => {
    expect(failureOf(() => readRows(acled, request, bytesOf({ status: 200, rows: [] }), undefined)).kind).toBe(
      "changed",
    );
  });
});

describe("GDELT", () => {
  const list = firstRequest({ ...gdelt, steps: { list: stepOf(gdelt, "list") } }, { now, missed: [] });
  const md5 = "0123456789abcdef0123456789abcdef";
  const line = (stamp: string, name = "export.CSV"): string =>
    `1234 ${md5} http://data.gdeltproject.org/gdeltv2/${stamp}.${name}.zip`;
  const stamps = Array.from({ length: 12 }, (_, hour) => `20261118${String(hour).padStart(2, "0")}0000`);

  test("GDELT's newest eight exports are read from the end of the list, and a cut first line is ignored", () => {
    expect(list.headers).toEqual({ Range: "bytes=-16384" });
    const text = `bcdef http://data.gdeltproject.org/gdeltv2/2.export.CSV.zip\n${stamps
      .flatMap((stamp) => [line(stamp), line(stamp, "mentions.CSV"), line(stamp, "gkg.csv")])
      .join("\n")}\n`;
    const reading = readRows(gdelt, list, bytesOf(text), undefined);
    expect(reading.more.map(({ key }) => key)).toEqual(stamps.slice(-8).map((stamp) => `export ${stamp.slice(8, 12)}`));
    expect(reading.more.at(-1)).toMatchObject({
      url: "https://storage.googleapis.com/data.gdeltproject.org/gdeltv2/20261118110000.export.CSV.zip",
      integrity: { bytes: 1234, md5 },
    });
  });

  test.each([
    ["20261118090000", undefined],
    ["20261118084500", "unavailable"],
  ])("GDELT's list is refused only if its newest export is more than three hours old: %s", (stamp, kind) => {
    const read = () => readRows(gdelt, list, bytesOf(line(stamp)), undefined);
    if (kind === undefined) expect(read().more).toHaveLength(1);
    else expect(failureOf(read)).toMatchObject({ kind, message: expect.stringContaining(stamp) });
  });

  const missed = [now - 3 * HOUR_MS, now - 6 * HOUR_MS, now - 6 * HOUR_MS - 15 * MINUTE_MS];
  const requests = requestsOf(gdelt, { now, missed });

  test("GDELT's missed exports are requested by name, in addition to the list", () => {
    expect(requests.map(({ key }) => key)).toEqual(["list", "late 1", "late 2", "missed 3"]);
    expect(requests.slice(1).map(({ key, url, integrity }) => [key, url.split("/").at(-1), integrity])).toEqual([
      ["late 1", "20261118090000.export.CSV.zip", undefined],
      ["late 2", "20261118060000.export.CSV.zip", undefined],
      ["missed 3", "20261118054500.export.CSV.zip", undefined],
    ]);
  });

  test("GDELT's progress lists the exports that were read and those taken as never published", () => {
    const [pending, late, , older] = requests;
    if (!pending || !late || !older) throw new Error("expected four requests");
    const notThere = new SourceFailure("unavailable", "answered 404", { status: 404 });
    const down = new SourceFailure("unavailable", "answered 500", { status: 500 });
    const progress = ({ context }: PlannedRequest, failure?: SourceFailure) =>
      gdelt.progress?.({ list: [], exports: [{ context, sentAt: now, isRead: failure === undefined, failure }] });
    const span = (at: number) => [{ firstExportAt: at, lastExportAt: at }];
    expect([late, older].map((request) => progress(request))).toEqual([span(missed[0] ?? 0), span(missed[2] ?? 0)]);
    // Exports that may still be published, or that could not be read, are requested again.
    expect([late, older].map((request) => progress(request, notThere))).toEqual([[], span(missed[2] ?? 0)]);
    expect([late, older].map((request) => progress(request, down))).toEqual([[], []]);
    expect([late, older].map((request) => insteadOf(request, down))).toEqual([[], []]);
    const [listed] = readRows(gdelt, pending, bytesOf(line("20261118110000")), undefined).more;
    for (const request of [pending, listed]) expect(request && insteadOf(request, notThere)).toBeUndefined();
  });

  test.each([
    "<html><body>Down</body></html>",
    "1234 nothing http://x",
    line(stamps[0] ?? "").replace("data.gdeltproject.org", "evil.test"),
  ])("a list like %s is reported as changed", (text) => {
    expect(failureOf(() => readRows(gdelt, list, bytesOf(text), undefined)).kind).toBe("changed");
  });

  const request = requestAbout(gdelt, "exports", { at: now, key: "export 1100", isOverdue: false });
  const cells = (changes: Readonly<Record<number, string>> = {}): string => {
    const usual: Readonly<Record<number, string>> = {
      0: "77",
      1: "20261117",
      6: "REBELS",
      16: " ",
      25: "1",
      28: "19",
      29: "4",
      51: "4",
      53: "UP",
      52: "Bakhmut, Donets'ka Oblast', Ukraine",
      56: "48.6",
      57: "38",
      60: "https://news.example/a?b",
    };
    return Array.from({ length: 61 }, (_, column) => changes[column] ?? usual[column] ?? "").join("\t");
  };
  const read = (...lines: readonly string[]) =>
    readRows(gdelt, request, zipOf("x.export.CSV", `${lines.join("\n")}\n`), undefined);

  test("a violent event of GDELT has a position, and its number of deaths is unknown", () => {
    expect(read(cells())).toMatchObject({ rowsRead: 1, rowsBad: 0 });
    expect(read(cells()).records).toEqual([
      {
        id: "gdelt-77",
        country: "Ukraine",
        admin1: "Donets'ka Oblast'",
        actors: ["REBELS"],
        eventType: "Fight",
        fatalities: 0,
        fatalitiesKnown: false,
        location: { latitude: 48.6, longitude: 38 },
        occurredAt: Date.UTC(2026, 10, 17),
        source: "GDELT: news.example",
      },
    ]);
  });

  test("a GDELT event has no division if GDELT knows only the country", () => {
    const [event] = read(cells({ 52: "Haifa, Israel (general), Israel", 53: "IS", 56: "32.8", 57: "35" })).records;
    expect(event).toMatchObject({ country: "Israel" });
    expect(event).not.toHaveProperty("admin1");
  });

  test.each([
    ["Gaza", "31.5", "34.4667", "Palestine"],
    ["Sderot", "31.525", "34.596", "Israel"],
    ["Jerusalem", "31.7667", "35.2333", "Israel"],
  ])(
    "an event in %s, which GDELT lists in Israel, is served in Israel unless it is in the Gaza Strip",
    (place, latitude, longitude, country) => {
      const changes = { 52: `${place}, Israel (general), Israel`, 53: "IS", 56: latitude, 57: longitude };
      expect(read(cells(changes)).records).toMatchObject([{ country }]);
    },
  );

  test.each([
    ["is not a root event", { 25: "0" }],
    ["is of another root code", { 28: "17" }],
    ["is of another quad class", { 29: "3" }],
    ["is in a country without armed conflict", { 53: "US" }],
    ["is located only by country", { 51: "1" }],
    ["has no place", { 51: "0", 53: "", 56: "", 57: "" }],
    ["has a place without coordinates", { 56: "", 57: "" }],
  ])("a GDELT event that %s is omitted", (_name, changes) => {
    expect(read(cells(changes))).toMatchObject({ rowsRead: 1, rowsBad: 0, records: [] });
  });

  test.each([
    [18, "Assault"],
    [19, "Fight"],
    [20, "Unconventional mass violence"],
  ])("an event of GDELT with the root code %i has the type %j", (root, eventType) => {
    expect(read(cells({ 28: String(root) })).records).toMatchObject([{ eventType }]);
  });

  test("a row of GDELT with a wrong number of columns or an impossible day is counted as bad and skipped", () => {
    expect(read(cells(), cells(), cells(), `${cells()}\tmore`, cells({ 1: "20261301" }))).toMatchObject({
      rowsRead: 5,
      rowsBad: 2,
      records: [{}, {}, {}],
    });
  });
});

describe("HDX HAPI", () => {
  const request = firstRequest(hapiConflict, { now });
  const row = {
    location_code: "SDN",
    location_name: "Sudan",
    admin_level: 0,
    event_type: "political_violence",
    events: 5,
    fatalities: 7,
    reference_period_start: "2026-10-01T00:00:00",
  };
  const read = (...data: readonly object[]) => readRows(hapiConflict, request, bytesOf({ data }), undefined);
  const figures = {
    kind: "political_violence",
    countryCode: "SD",
    place: "\t\t\t\t\t",
    adminLevel: 0,
    events: 5,
    deaths: 7,
    period: "2026-10-01",
  };

  test("HDX HAPI is first requested for the previous month, with the app identifier and 1.1 s between requests", () => {
    expect(new URL(request.url).searchParams.get("start_date")).toBe("2026-10-01");
    expect(request).toMatchObject({ spacingMs: 1_100 });
    const [authorised] = requestsOf(hapiConflict, { now }, { HDX_HAPI_APP_IDENTIFIER: "aWQ=" });
    expect(authorised?.secretHeaders).toEqual({ "X-HDX-HAPI-APP-IDENTIFIER": "aWQ=" });
  });

  test("after a full page, the next page of HDX HAPI is requested; after a month without rows, the month before it, at most three times", () => {
    const next = (rows: number, { step, context } = request as PlannedRequest) =>
      (step.more?.({ data: Array.from({ length: rows }) }, context) ?? []).map((page) => planned(step, page));
    expect(next(9_999)).toEqual([]);
    expect(new URL(next(10_000)[0]?.url ?? "").searchParams.get("offset")).toBe("10000");
    const months: (string | null)[] = [];
    for (let [request] = next(0); request; [request] = next(0, request))
      months.push(new URL(request.url).searchParams.get("start_date"));
    expect(months).toEqual(["2026-09-01", "2026-08-01", "2026-07-01"]);
  });

  test("numbers from HDX HAPI and strings from HDX's CSV give the same record; a null or blank number of deaths is left out", () => {
    const text = { ...row, admin_level: "0", events: "5", fatalities: "7", reference_period_start: "2026-10-01" };
    expect(read(row, text).records).toEqual([figures, figures]);
    const { deaths: _deaths, ...uncounted } = figures;
    expect(read({ ...row, fatalities: null }, { ...text, fatalities: "" }).records).toEqual([uncounted, uncounted]);
  });

  test("two places of HDX HAPI are different if any of their codes or names differs", () => {
    const named = ["SD01", "SD02", undefined].map((code) => ({ ...row, admin_level: 2, admin2_code: code }));
    const other = { ...row, admin_level: 2, admin2_code: "SD01", provider_admin2_name: "East" };
    const places = (read(...named, ...named, other).records as readonly { place: string }[]).map(({ place }) => place);
    expect(new Set(places).size).toBe(4);
    expect(places.slice(0, 3)).toEqual(places.slice(3, 6));
  });

  test("HDX HAPI's rows without a known country are omitted, and invalid rows are counted as bad", () => {
    expect(read(row, { ...row, location_code: "XXX" })).toMatchObject({ rowsBad: 0, records: [figures] });
    expect(read(row, row, { ...row, event_type: "parade" }, { ...row, events: "many" })).toMatchObject({ rowsBad: 2 });
  });

  test("only the sums by country are stored, not the individual rows", () => {
    expect(servedOf(hapiConflict, [[request, read(row)]])).toMatchObject([
      { countryCode: "SD", conflictFatalities: 7 },
    ]);
  });

  describe("HDX's CSV files", () => {
    const packageRequest = firstRequest(hapiConflictCsv, { now });
    const file = (year: number, host = "data.humdata.org"): object => ({
      url: `https://${host}/dataset/a/resource/b/download/hdx_hapi_conflict_event_global_${year}.csv`,
    });
    const fileRequest = requestAbout(hapiConflictCsv, "file", { url: "https://x.test/", year: "2026" });
    const header = "location_code,has_hrp,admin_level,event_type,events,fatalities,reference_period_start,warning";

    test("HDX's own files of the latest two years are read", () => {
      const resources = [
        file(2024),
        file(2026),
        { url: "https://data.humdata.org/readme.txt" },
        file(2025),
        file(2030, "x.test"),
      ];
      const reading = readRows(
        hapiConflictCsv,
        packageRequest,
        bytesOf({ success: true, result: { resources } }),
        undefined,
      );
      expect(reading.more.map(({ key, url }) => [key, url])).toEqual([
        ["file of 2026", expect.stringContaining("global_2026.csv")],
        ["file of 2025", expect.stringContaining("global_2025.csv")],
      ]);
    });

    test("the last month of the previous year is served while this year's file has no months", () => {
      const december = "SDN,Y,0,political_violence,5,7,2025-12-01,";
      const answers = [`${header}\n`, `${header}\n${december}\n`].map(
        (text) => [fileRequest, readRows(hapiConflictCsv, fileRequest, bytesOf(text), undefined)] as const,
      );
      expect(servedOf(hapiConflictCsv, answers)).toMatchObject([{ countryCode: "SD", referencePeriod: "2025-12-01" }]);
    });

    test.each([
      [{ success: false, result: { resources: [file(2026)] } }],
      [{ success: true, result: { resources: [] } }],
      [{ success: true, result: { resources: [file(2026, "x.test")] } }],
    ])("a package like %j is reported as changed", (body) => {
      expect(failureOf(() => readRows(hapiConflictCsv, packageRequest, bytesOf(body), undefined)).kind).toBe("changed");
    });

    test("a byte order mark at the start of a file is skipped, and a file with other columns is reported as changed", () => {
      const line = "SDN,Y,0,political_violence,5,7,2026-10-01,PCode|unknown";
      expect(readRows(hapiConflictCsv, fileRequest, bytesOf(`\ufeff${header}\n${line}\n`), undefined).records).toEqual([
        figures,
      ]);
      const other = bytesOf(`${header.replace("admin_level", "level")}\n${line}\n`);
      expect(failureOf(() => readRows(hapiConflictCsv, fileRequest, other, undefined))).toMatchObject({
        kind: "changed",
        message: expect.stringContaining("admin_level"),
      });
    });
  });
});
