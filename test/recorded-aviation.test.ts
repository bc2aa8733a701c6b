import { describe, expect, test } from "vitest";
import type { AnySource } from "../src/contract/source.js";
import { airports } from "../src/geography/airports.js";
import { airportStatuses } from "../src/services/aviation/rules/airports/airport-status.js";
import { validityIn } from "../src/services/aviation/rules/airports/closure-notice.js";
import { alertOf } from "../src/services/aviation/rules/airports/delay-alert.js";
import { noticeKind } from "../src/services/aviation/rules/airports/notice-kind.js";
import { aviationstackDepartures } from "../src/services/aviation/sources/aviationstack-departures.js";
import { type FaaProgramme, type FaaRecord, faaStatus } from "../src/services/aviation/sources/faa-status.js";
import { type AirportNotice, icaoNotams } from "../src/services/aviation/sources/icao-notams.js";
import { topicFeeds } from "../src/services/news/sources/news-feeds.js";
import { firstRequest, readBody, servedOf } from "./support/reading.js";
import { recorded, recordedBytes, recordedTitle, recordingsAbsent } from "./support/recordings.js";

// Every expected value is read from the raw file by a few lines of this test, never by the decoders under test.

const read = <T>(source: AnySource, body: string | Buffer | object, plan: object = {}): readonly T[] => {
  const reading = readBody(source, firstRequest(source, plan), body);
  expect(reading.rowsBad).toBe(0);
  return reading.records as readonly T[];
};

/** The text content of all elements with this name. */
const texts = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(([, text = ""]) => text);

/** The duration in a text, in minutes. Two numbers are hours and minutes; one number is minutes. */
const minutesOf = (words: string): number => {
  const [first = 0, second] = (words.match(/\d+/g) ?? []).map(Number);
  return second === undefined ? first : first * 60 + second;
};

const monitored = new Set(airports.map(({ iata }) => iata));

describe.skipIf(recordingsAbsent)(recordedTitle, () => {
  describe.each([
    [
      "faa-nas-status/airport-status-information.2026-07-29.xml",
      Date.UTC(2026, 6, 29, 14, 41, 1),
      { Ground_Delay_List: [1], Arrival_Departure_Delay_List: [1], Airport_Closure_List: [3, 4] },
    ],
    [
      "faa-nas-status/airport-status-information.2026-10-05.xml",
      Date.UTC(2026, 9, 5, 21, 50, 19),
      { Ground_Delay_List: [4], Arrival_Departure_Delay_List: [2], Airport_Closure_List: [3] },
    ],
  ] as const)("the FAA recording %s", (file, updatedAt, sections) => {
    const records = recordingsAbsent ? [] : read<FaaRecord>(faaStatus, recordedBytes(file));
    const programmes = records.filter((record): record is FaaProgramme => record.kind === "programme");
    const xml = recordingsAbsent ? "" : recorded(file);

    test("has the expected sections with their numbers of rows, and no ground stop", () => {
      for (const [name, rows] of Object.entries(sections)) {
        const matches = [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))];
        expect([name, matches.map(([, body = ""]) => body.split("<ARPT>").length - 1)]).toEqual([name, rows]);
      }
      expect(xml).not.toContain("Ground_Stop_List");
      expect(programmes.filter(({ type }) => type === "GROUND_STOP")).toEqual([]);
      const { rowsRead } = readBody(faaStatus, firstRequest(faaStatus, {}), recordedBytes(file));
      // The count includes each row of each section, and the bulletin itself.
      expect(rowsRead).toBe(
        Object.values(sections)
          .flat()
          .reduce((sum, rows) => sum + rows, 1),
      );
    });

    test("states its own time", () => {
      expect(records[0]).toEqual({ kind: "bulletin", updatedAt });
      expect(programmes.every((programme) => programme.updatedAt === updatedAt)).toBe(true);
    });

    test("yields every ground delay programme of a monitored airport", () => {
      const expected = [...xml.matchAll(/<Ground_Delay>.*?<\/Ground_Delay>/g)].flatMap(([row]) => {
        const [[iata = ""], [avg = ""], [reason = ""]] = ["ARPT", "Avg", "Reason"].map((name) => texts(row, name)) as [
          string[],
          string[],
          string[],
        ];
        return monitored.has(iata) ? [{ iata, minutes: minutesOf(avg), reason }] : [];
      });
      expect(expected.length).toBeGreaterThan(0);
      expect(
        programmes
          .filter(({ type }) => type === "GROUND_DELAY")
          .map(({ iata, minutes, reason }) => ({ iata, minutes, reason })),
      ).toEqual(expected);
    });

    test("yields every arrival and departure delay with the mean of its limits", () => {
      const expected = [...xml.matchAll(/<Delay>.*?<\/Delay>/g)].map(([row]) => ({
        iata: texts(row, "ARPT")[0],
        minutes: Math.round((minutesOf(texts(row, "Min")[0] ?? "") + minutesOf(texts(row, "Max")[0] ?? "")) / 2),
        type: /Type="Departure"/.test(row) ? "DEPARTURE_DELAY" : "ARRIVAL_DELAY",
      }));
      expect(expected.length).toBeGreaterThan(0);
      const delays = programmes.filter(({ type }) => type.endsWith("E_DELAY") || type.endsWith("L_DELAY"));
      expect(delays.map(({ iata, minutes, type }) => ({ iata, minutes, type }))).toEqual(expected);
    });

    test("closes no monitored airport, because closures of monitored airports apply only to some aircraft", () => {
      const rows = [...xml.matchAll(/<Airport>.*?<\/Airport>/g)].map(([row]) => row);
      const ours = rows.filter((row) => monitored.has(texts(row, "ARPT")[0] ?? ""));
      expect(ours.length).toBeGreaterThan(2);
      expect(ours.every((row) => row.includes("CLSD TO "))).toBe(true);
      expect(programmes.filter(({ isClosure }) => isClosure)).toEqual([]);
    });

    test("every closure notice states the start and end that its row states, and the year, which the row omits", () => {
      for (const [row] of xml.matchAll(/<Airport>.*?<\/Airport>/g)) {
        const [notice = "", start = "", reopen = ""] = ["Reason", "Start", "Reopen"].map((name) => texts(row, name)[0]);
        const validity = validityIn(notice);
        const named = (text: string): string => text.replace(/^(\w{3}) (\d\d) at (\d\d:\d\d) UTC\.$/, "$2 $1 $3");
        const dated = (at: number): string =>
          new Date(at).toUTCString().replace(/^\w+, (\d\d \w+) \d{4} (\d\d:\d\d).*/, "$1 $2");
        expect([dated(validity?.startAt ?? 0), dated(validity?.endAt ?? 0)]).toEqual([named(start), named(reopen)]);
        expect(validity?.startAt).toBeLessThan(updatedAt);
        expect(validity?.endAt).toBeGreaterThan(updatedAt);
      }
    });
  });

  test("the FAA recording of 5 October 2026 yields the alerts that a person would derive from it", () => {
    const file = "faa-nas-status/airport-status-information.2026-10-05.xml";
    const statuses = airportStatuses({ faa: read(faaStatus, recordedBytes(file)), samples: [], notices: [] });
    const alerts = [...statuses.values()].map(alertOf).filter(({ id }) => id.startsWith("faa-"));
    const summary = alerts.map(({ iata, avgDelayMinutes, severity, delayType }) => [
      iata,
      avgDelayMinutes,
      severity.replace(/.*_/, ""),
      delayType.replace("FLIGHT_DELAY_TYPE_", ""),
    ]);
    // Expected in minutes: BOS 179; LAS 44; SAN 31 as a programme and 31 to 45 at departure; YUL 57; LGA 16 to 30.
    expect(summary).toEqual([
      ["BOS", 179, "SEVERE", "GROUND_DELAY"],
      ["LAS", 44, "MODERATE", "GROUND_DELAY"],
      ["LGA", 23, "MINOR", "DEPARTURE_DELAY"],
      ["SAN", 38, "MODERATE", "DEPARTURE_DELAY"],
      ["YUL", 57, "MODERATE", "GROUND_DELAY"],
    ]);
  });

  test("the FAA recording of 29 July 2026 closes each airport only at the hours stated for it", () => {
    const xml = recorded("faa-nas-status/airport-status-information.2026-07-29.xml");
    // PVD, SNA and LFT are closed to all aircraft for a few hours each night. The test changes their code to JFK's.
    const asOurs = (time: string): string =>
      xml.replace("14:41:01", time).replaceAll(/<ARPT>(PVD|SNA|LFT)<\/ARPT>/g, "<ARPT>JFK</ARPT>");
    const closures = (time: string) =>
      read<FaaRecord>(faaStatus, asOurs(time)).filter((record) => record.kind === "programme" && record.isClosure);
    // Closed daily from 04:30 to 09:45, from 06:30 to 13:15 and from 04:30 to 09:15 UTC.
    expect(
      ["04:29:59", "04:30:00", "06:30:00", "09:15:00", "09:45:00", "13:15:00"].map((time) => closures(time).length),
    ).toEqual([0, 2, 3, 2, 1, 0]);
  });

  test("the recorded aviationstack departure yields one counted flight", () => {
    const file = recorded("aviationstack/flights.one-row.json");
    const [flight] = JSON.parse(file).data;
    expect([flight.flight_status, flight.departure.delay, flight.flight.codeshared]).toEqual(["landed", null, null]);
    const plan = { airports: [{ iata: "BJL", timeZone: "Africa/Banjul" }], now: Date.UTC(2025, 2, 15, 12) };
    const request = firstRequest(aviationstackDepartures, plan);
    expect(new URL(request.url).searchParams.get("flight_date")).toBe(flight.flight_date);
    const reading = readBody(aviationstackDepartures, request, file);
    expect(servedOf(aviationstackDepartures, [[request, reading]])).toEqual([
      {
        iata: "BJL",
        totalFlights: 1,
        countedFlights: 1,
        cancelledFlights: 0,
      },
    ]);
  });

  test("the recorded NOTAM texts neither close nor restrict an airport", () => {
    const places: { icao: string; notams: string[] }[] = JSON.parse(
      recorded("notam/faa-notam-texts.via-fdesjardins-notams.json"),
    );
    const words = places.flatMap(({ notams }) => notams);
    expect(words).toHaveLength(6);
    expect(words.map((text) => noticeKind({ code23: "", code45: "", text }))).toEqual(words.map(() => "other"));
    const rows = words.map((all) => ({ location: "EGLL", all: `${all}CREATED: 01 Apr 2017 10:36:00 \nSOURCE: ADK` }));
    const request = firstRequest(icaoNotams, { airports });
    const { records, rowsBad } = readBody(icaoNotams, request, rows);
    expect(rowsBad).toBe(0);
    expect(records).toMatchObject(words.map(() => ({ iata: "LHR", kind: "other" })));
    // The last line of each text contains the start as YYMMDDhhmm. One text has a line break within its message.
    const starts = words.map((text) => /(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)-/.exec(text)?.slice(1).map(Number) ?? []);
    expect(records.map((notice) => (notice as AirportNotice).startsAt)).toEqual(
      starts.map(([year = 0, month = 0, ...time]) => Date.UTC(2000 + year, month - 1, ...(time as [number]))),
    );
  });

  describe("ICAO's list of two published records", () => {
    const file = "round2/icao-notams/notams-realtime-list.2-records.json";
    interface RawNotam {
      readonly location: string;
      readonly all: string;
      readonly Qcode?: string;
      readonly message?: string;
      readonly startdate?: string;
      readonly enddate?: string;
    }
    const raw = (): RawNotam[] => JSON.parse(recorded(file));
    const readList = (rows: readonly object[]) => {
      const request = firstRequest(icaoNotams, { airports });
      const reading = readBody(icaoNotams, request, rows);
      const { rowsRead, rowsBad } = reading;
      return { rowsRead, rowsBad, notices: servedOf(icaoNotams, [[request, reading]]) };
    };
    const [domestic, decoded] = recordingsAbsent ? [] : raw();

    test("has a runway closure in the FAA's format, and a restricted area at an airport that is not monitored", () => {
      expect(raw().map(({ location, Qcode }) => [location, Qcode])).toEqual([
        ["KEWR", undefined],
        ["LSAS", "RRCA"],
      ]);
      expect(readList(raw())).toEqual({
        rowsRead: 2,
        rowsBad: 0,
        notices: [
          { iata: "EWR", kind: "other", startsAt: Date.UTC(2024, 0, 16, 7, 16), endsAt: Date.UTC(2024, 0, 16, 8) },
        ],
      });
    });

    test("yields the same notice from decoded members, from the text alone and from both", () => {
      const { all = "", Qcode, message, startdate = "", enddate = "" } = decoded ?? {};
      const location = "LSZH";
      const forms = [
        { location, all, Qcode, message, startdate, enddate },
        { location, all },
        { location, Qcode, message, startdate, enddate },
      ];
      const expected = { iata: "ZRH", kind: "other", startsAt: Date.parse(startdate), endsAt: Date.parse(enddate) };
      expect(forms.map((form) => readList([form]).notices)).toEqual(forms.map(() => [expected]));
      expect([startdate, enddate]).toEqual(["2019-05-27T14:00:00.000Z", "2019-05-27T14:40:00.000Z"]);
    });

    test("closes or restricts an airport if the codes or the text of a notice state a closure or a restriction", () => {
      const { all = "" } = decoded ?? {};
      const closing = { location: "LSZH", all: all.replace("QRRCA", "QFALC").replace("NOTAMN", "NOTAMR W0996/19") };
      const restricting = { location: "LSZH", all: all.replace("QRRCA", "QRART") };
      const shut = { ...domestic, all: domestic?.all.replace("RWY 04L/22R CLSD", "AD AP CLSD") };
      expect(readList([closing, restricting, shut]).notices.map(({ iata, kind, text }) => [iata, kind, text])).toEqual([
        ["ZRH", "closure", "R-AREA LS-R2 HOHGANT ACT."],
        ["ZRH", "restriction", "R-AREA LS-R2 HOHGANT ACT."],
        ["EWR", "closure", "!EWR 01/136 EWR AD AP CLSD 2401160716-2401160800"],
      ]);
    });
  });

  test("the recorded FAA notices are recognised as closures by their text, unless they close an airport only to some aircraft", () => {
    const notices = ["2026-07-29", "2026-10-05"].flatMap((day) =>
      [...recorded(`faa-nas-status/airport-status-information.${day}.xml`).matchAll(/<Reason>(![^<]*)<\/Reason>/g)].map(
        ([, text = ""]) => text,
      ),
    );
    expect(notices).toHaveLength(10);
    for (const text of notices) {
      expect(noticeKind({ code23: "", code45: "", text })).toBe(text.includes("CLSD TO ") ? "other" : "closure");
    }
  });

  test.each(["news/guardian-rss20.xml", "news/nytimes-home-rss20-2017.xml"])(
    "the recorded publisher's feed %s yields all its items, newest first",
    (file) => {
      const xml = recorded(file);
      const count = xml.match(/<item>/g)?.length ?? 0;
      const due = [{ id: "flightglobal", url: "https://www.flightglobal.com/rss", isStored: false }];
      const plan = { feeds: ["flightglobal"], due };
      const headlines = read<{ title: string; publishedAt: number }>(topicFeeds, recordedBytes(file), plan);
      expect(headlines).toHaveLength(count);
      const [first] = [...xml.matchAll(/<item>[\s\S]*?<pubDate>([^<]*)/g)].map(([, date = ""]) => Date.parse(date));
      expect(headlines[0]?.publishedAt).toBe(first);
    },
  );
});
