import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { betaEvents } from "../src/services/conflict/datasets/beta-events.js";
import type { AlphaConflictEvent, BetaViolenceEvent } from "../src/services/conflict/records.js";
import { acled } from "../src/services/conflict/sources/acled.js";
import { gdelt } from "../src/services/conflict/sources/gdelt.js";
import { hapiConflictCsv } from "../src/services/conflict/sources/hapi-csv.js";
import { gedAnnualApi } from "../src/services/conflict/sources/ucdp-api.js";
import { gedAnnualFile, gedCandidateFiles } from "../src/services/conflict/sources/ucdp-files.js";
import { zipOf } from "../src/simulator/zip.js";
import { firstRequest, readBody, requestAbout, servedOf } from "./support/reading.js";
import { recorded, recordedBytes, recordedTitle, recordingsAbsent } from "./support/recordings.js";
import { viewOf } from "./support/views.js";

// Every expected value is read from the raw file by a few lines of this test, never by the decoders under test.

type Row = Readonly<Record<string, string>>;
const now = Date.UTC(2026, 10, 18, 12);
const midnight = (day: string): number =>
  Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8, 10)));

describe.skipIf(recordingsAbsent)(recordedTitle, () => {
  describe("the ACLED recording with text values", () => {
    const file = "acled/acled-read-2024-01-01-ukraine-8of122.json";
    const raw = (): Row[] => JSON.parse(recorded(file)).data;
    const requestedTypes = ["Battles", "Explosions/Remote violence", "Violence against civilians"];

    test("yields every event of the requested types", () => {
      const reading = readBody(acled, firstRequest(acled, { now }), recordedBytes(file));
      const expected = raw().filter(({ event_type = "" }) => requestedTypes.includes(event_type));
      expect([raw().length, expected.length, reading.rowsRead, reading.rowsBad]).toEqual([8, 7, 8, 0]);
      expect(reading.records).toEqual(
        expected.map((row) => ({
          id: `acled-${row["event_id_cnty"]}`,
          country: row["country"],
          admin1: row["admin1"],
          actors: [row["actor1"], row["actor2"]].filter((actor) => actor !== ""),
          eventType: row["event_type"],
          fatalities: Number(row["fatalities"]),
          source: row["source"],
          location: { latitude: Number(row["latitude"]), longitude: Number(row["longitude"]) },
          occurredAt: midnight(row["event_date"] ?? ""),
        })),
      );
    });

    test("marks fatalities as unknown if they are blank, as they are in other downloads", () => {
      const data = raw().map((row) => ({ ...row, fatalities: "" }));
      const { records } = readBody(acled, firstRequest(acled, { now }), { data });
      const events = records as readonly AlphaConflictEvent[];
      expect(events.map(({ fatalities, fatalitiesKnown }) => [fatalities, fatalitiesKnown])).toEqual(
        events.map(() => [0, false]),
      );
    });
  });

  test("the ACLED recording from after the change to OAuth yields its four violent events, although fatalities are numbers and the count is null", () => {
    const file = "round2/acled/acled-read-oauth-era-10rows.json";
    type Event = Readonly<Record<string, string | number>>;
    const document: { data: Event[]; count: unknown } = JSON.parse(recorded(file));
    const { data, count } = document;
    expect([count, data.length, typeof data[0]?.["fatalities"], typeof data[0]?.["latitude"]]).toEqual([
      null,
      10,
      "number",
      "string",
    ]);
    const violent = data.filter(({ event_type }) => event_type === "Battles" || /^Violence/.test(String(event_type)));
    const reading = readBody(acled, firstRequest(acled, { now }), recordedBytes(file));
    expect([violent.length, reading.rowsRead, reading.rowsBad]).toEqual([4, 10, 0]);
    expect(reading.records).toEqual(
      violent.map((row) => ({
        id: `acled-${row["event_id_cnty"]}`,
        country: row["country"],
        admin1: row["admin1"],
        actors: [row["actor1"], row["actor2"]].filter((actor) => actor !== ""),
        eventType: row["event_type"],
        fatalities: row["fatalities"],
        location: { latitude: Number(row["latitude"]), longitude: Number(row["longitude"]) },
        source: row["source"],
        occurredAt: midnight(String(row["event_date"])),
      })),
    );
    // The expected rows were read from the recording by a person.
    expect(
      (reading.records as readonly AlphaConflictEvent[]).map((event) => [event.country, event.fatalities]),
    ).toEqual([
      ["Kenya", 2],
      ["Kenya", 1],
      ["India", 1],
      ["Sierra Leone", 0],
    ]);
  });

  test("the GDELT export of 20 September 2026 yields no event, because its two violent rows are in countries without war", () => {
    const file = "round2/gdelt/20260920150000.export.4-rows.CSV";
    const context = { at: Date.UTC(2026, 8, 20, 15), key: "export 1500", isOverdue: false };
    const request = requestAbout(gdelt, "exports", context);
    const cells = recorded(file)
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => line.split("\t"));
    expect(cells.map((row) => [row.length, row[28], row[29], row[53]])).toEqual([
      [61, "01", "1", ""],
      [61, "17", "4", "GY"],
      [61, "01", "1", ""],
      [61, "18", "4", "AS"],
    ]);
    const read = (body: string) => readBody(gdelt, request, zipOf("export.CSV", body));
    expect(read(recorded(file))).toMatchObject({ rowsRead: 4, rowsBad: 0, records: [] });
    // The last row, moved to Ukraine.
    const line = cells[3]?.map((cell, column) => (column === 53 ? "UP" : cell)) ?? [];
    const [latitude, longitude] = [Number(line[56]), Number(line[57])];
    expect([line[1], latitude, longitude]).toEqual(["20260920", -35.1258, 147.354]);
    expect(read(line.join("\t")).records).toMatchObject([
      {
        id: `gdelt-${line[0]}`,
        country: "Ukraine",
        eventType: "Assault",
        actors: ["AUSTRALIA"],
        location: { latitude, longitude },
        occurredAt: Date.UTC(2026, 8, 20),
        source: "GDELT: www.dailymail.com",
      },
    ]);
  });

  describe("the UCDP GED 19.1 recording, a CSV with the columns of the API", () => {
    const raw = (): Row[] => parse(recorded("ucdp/ged191-subset.csv"), { columns: true, relax_quotes: true });
    const readGed = () => readBody(gedAnnualApi, firstRequest(gedAnnualApi, { now }), { TotalPages: 1, Result: raw() });

    test("yields every event with its days, sides, estimates and place", () => {
      const reading = readGed();
      const types = ["", "STATE_BASED", "NON_STATE", "ONE_SIDED"];
      expect([reading.rowsRead, reading.rowsBad]).toEqual([3_194, 0]);
      expect(reading.records).toEqual(
        raw().map((row) => {
          const source = (row["source_original"] ?? "")
            .split(/\s+/)
            .filter((word) => word !== "")
            .join(" ");
          return {
            id: `ucdp-${row["id"]}`,
            country: row["country"],
            sideA: row["side_a"]?.trim(),
            sideB: row["side_b"]?.trim(),
            dateStart: midnight(row["date_start"] ?? ""),
            dateEnd: midnight(row["date_end"] ?? ""),
            deathsBest: Number(row["best"]),
            deathsLow: Number(row["low"]),
            deathsHigh: Number(row["high"]),
            location: { latitude: Number(row["latitude"]), longitude: Number(row["longitude"]) },
            ...(source !== "" && { sourceOriginal: source }),
            violenceType: `BETA_VIOLENCE_TYPE_${types[Number(row["type_of_violence"])]}`,
          };
        }),
      );
    });

    test("yields the same events if it is read from UCDP's zip file, but only those from a given year onwards", () => {
      const request = firstRequest(gedAnnualFile, { now: Date.UTC(2018, 4, 1) });
      expect(request.where).toEqual({ column: "year", from: "2017" });
      const expected = raw().filter((row) => Number(row["year"]) >= 2017);
      expect([expected.length > 100, expected.length < raw().length]).toEqual([true, true]);
      const all = readGed().records as readonly BetaViolenceEvent[];
      const ids = new Set(expected.map((row) => `ucdp-${row["id"]}`));
      const reading = readBody(gedAnnualFile, request, recordedBytes("ucdp/ged191-subset.zip"));
      expect([reading.rowsRead, reading.rowsBad]).toEqual([expected.length, 0]);
      expect(reading.records).toEqual(all.filter(({ id }) => ids.has(id)));
      // The filter uses the year of the row, which equals the year of the last day in every row.
      expect(raw().filter((row) => row["year"] !== row["date_end"]?.slice(0, 4))).toEqual([]);
    });

    test("can be searched by a country's code, by a country's names and by an overlapping period", () => {
      const view = viewOf(betaEvents, { annual: readGed().records as readonly BetaViolenceEvent[], candidate: [] });
      const newest = Math.max(...raw().map((row) => midnight(row["date_end"] ?? "")));
      const [start, end] = [Date.UTC(2018, 2, 10), Date.UTC(2018, 8, 20)];
      const ids = raw()
        .filter((row) => row["country"] === "Myanmar (Burma)")
        .filter((row) => midnight(row["date_end"] ?? "") > newest - 365 * 86_400_000)
        .filter((row) => midnight(row["date_start"] ?? "") <= end && midnight(row["date_end"] ?? "") >= start)
        .map((row) => `ucdp-${row["id"]}`);
      expect(ids.length).toBeGreaterThan(10);
      for (const country of ["MM", "myanmar", "Myanmar (Burma)", "Burma"]) {
        const matches = view.find(country, { first: start / 86_400_000, last: end / 86_400_000 });
        expect(
          matches
            .slice(0, matches.length)
            .map(({ id }) => id)
            .toSorted(),
        ).toEqual(ids.toSorted());
      }
    });
  });

  test("UCDP's candidate file of August 2026 yields two rows, one of them with an unnamed side", () => {
    const file = "round2/ucdp/GEDEvent_v26_0_8.2-rows.csv";
    const rows: Row[] = parse(recorded(file), { columns: true, relax_quotes: true });
    expect(rows.map((row) => [row["id"], row["side_a"], row["code_status"]])).toEqual([
      ["637348", "Government of Afghanistan", "Clear"],
      ["638586", "XXX700", "Check dyad"],
    ]);
    const reading = readBody(gedCandidateFiles, firstRequest(gedCandidateFiles, { now }), recordedBytes(file));
    expect([reading.rowsRead, reading.rowsBad]).toEqual([2, 0]);
    const eventOf = (row: Row | undefined): object => ({
      id: `ucdp-${row?.["id"]}`,
      country: row?.["country"],
      dateStart: midnight(row?.["date_start"] ?? ""),
      dateEnd: midnight(row?.["date_end"] ?? ""),
      deathsBest: Number(row?.["best"]),
      deathsHigh: Number(row?.["high"]),
      deathsLow: Number(row?.["low"]),
      location: { latitude: Number(row?.["latitude"]), longitude: Number(row?.["longitude"]) },
      sideB: "Civilians",
      sourceOriginal: row?.["source_original"],
      violenceType: "BETA_VIOLENCE_TYPE_ONE_SIDED",
    });
    expect(reading.records).toEqual([{ ...eventOf(rows[0]), sideA: "Government of Afghanistan" }, eventOf(rows[1])]);
  });

  test("the GDELT export of 1 January 2018 yields the violent events in countries at war, if their places are more exact than a country", () => {
    // Some countries at war that occur in this file: their FIPS codes and the country names that their events get.
    const names: Readonly<Record<string, string>> = {
      AF: "Afghanistan",
      IS: "Israel",
      LE: "Lebanon",
      NI: "Nigeria",
      PK: "Pakistan",
      SY: "Syria",
      WE: "Palestine",
    };
    const lines = recorded("gdelt/20180101000000.export.CSV")
      .split("\n")
      .filter((line) => line !== "");
    const expected = lines
      .map((line) => line.split("\t"))
      .filter((cells) => cells[25] === "1" && cells[29] === "4" && ["18", "19", "20"].includes(cells[28] ?? ""))
      .filter((cells) => (cells[53] ?? "") in names && ["3", "4", "5"].includes(cells[51] ?? "") && cells[56] !== "");
    expect(expected.length).toBeGreaterThan(30);
    const request = requestAbout(gdelt, "exports", { at: Date.UTC(2018, 0), key: "export 0000", isOverdue: false });
    const reading = readBody(gdelt, request, zipOf("export.CSV", recordedBytes("gdelt/20180101000000.export.CSV")));
    expect([reading.rowsRead, reading.rowsBad]).toEqual([2_414, 0]);
    const events = reading.records as readonly AlphaConflictEvent[];
    const ofThese = events.filter(({ country }) => Object.values(names).includes(country));
    expect(
      ofThese.map(({ id, country, location, occurredAt, fatalities, fatalitiesKnown, source }) => [
        id,
        country,
        location,
        occurredAt,
        fatalities,
        fatalitiesKnown,
        source,
      ]),
    ).toEqual(
      expected.map((cells) => [
        `gdelt-${cells[0]}`,
        // GDELT lists places in the Gaza Strip as Israel.
        cells[52]?.startsWith("Gaza, ") ? "Palestine" : names[cells[53] ?? ""],
        { latitude: Number(cells[56]), longitude: Number(cells[57]) },
        Date.UTC(Number(cells[1]?.slice(0, 4)), Number(cells[1]?.slice(4, 6)) - 1, Number(cells[1]?.slice(6))),
        0,
        false,
        `GDELT: ${new URL(cells[60] ?? "").host}`,
      ]),
    );
  });

  test("HAPI's CSV is read despite a byte order mark, blank deaths for demonstrations, and countries with rows only for divisions", () => {
    const file = "hdx-hapi/hdx_hapi_conflict_event_global_1997.csv";
    const text = recorded(file);
    expect(text.charCodeAt(0)).toBe(0xfeff);
    const rows: Row[] = parse(text.slice(1), { columns: true });
    const request = requestAbout(hapiConflictCsv, "file", { url: "https://x.test/", year: "1997" });
    const reading = readBody(hapiConflictCsv, request, recordedBytes(file));
    expect([reading.rowsRead, reading.rowsBad]).toEqual([6_000, 0]);
    const summaries = servedOf(hapiConflictCsv, [[request, reading]]);
    const countries = [...new Set(rows.map((row) => row["location_code"] ?? ""))];
    expect([summaries.length, countries.length]).toEqual([48, 48]);
    // Some countries have rows for the whole country, and others only rows for their divisions.
    const countriesAt = (level: string): Set<string | undefined> =>
      new Set(rows.filter((row) => row["admin_level"] === level).map((row) => row["location_code"]));
    expect([countriesAt("0").size, countriesAt("1").size, countriesAt("2").size]).toEqual([35, 0, 13]);
    const sum = (of: readonly Row[], column: string): number =>
      of.reduce((total, row) => total + Number(row[column]), 0);
    const expected = countries.map((code) => {
      const own = rows.filter((row) => row["location_code"] === code);
      const national = own.filter((row) => row["admin_level"] === "0");
      const counted = national.length > 0 ? national : own.filter((row) => row["admin_level"] === "2");
      const [violent = [], targeting = [], peaceful = []] = [
        "political_violence",
        "civilian_targeting",
        "demonstration",
      ].map((kind) => counted.filter((row) => row["event_type"] === kind));
      expect([violent.length, targeting.length]).toEqual([peaceful.length, peaceful.length]);
      expect(peaceful.every((row) => row["fatalities"] === "")).toBe(true);
      return [
        sum(violent, "events") + sum(peaceful, "events"),
        sum(violent, "events"),
        sum(violent, "fatalities"),
        sum(targeting, "events"),
        sum(targeting, "fatalities"),
        sum(peaceful, "events"),
        "1997-01-01",
      ];
    });
    const served = summaries.map((summary) => [
      summary.conflictEventsTotal,
      summary.conflictPoliticalViolenceEvents,
      summary.conflictFatalities,
      summary.civilianTargetingEvents,
      summary.civilianTargetingFatalities,
      summary.conflictDemonstrations,
      summary.referencePeriod,
    ]);
    const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
    expect(served.toSorted(byText)).toEqual(expected.toSorted(byText));
    const angola = rows.filter((row) => row["location_code"] === "AGO" && row["event_type"] === "political_violence");
    expect(summaries.find(({ countryCode }) => countryCode === "AO")).toMatchObject({
      countryName: "Angola",
      conflictFatalities: sum(angola, "fatalities"),
    });
    // Algeria in January 1997, checked by a person: 33 events with 445 dead civilians. These deaths are also counted as
    // political violence.
    const algeria = summaries.find(({ countryCode }) => countryCode === "DZ");
    expect(algeria).toMatchObject({ civilianTargetingEvents: 33, civilianTargetingFatalities: 445 });
    expect(algeria?.conflictFatalities).toBeGreaterThanOrEqual(445);
  });
});
