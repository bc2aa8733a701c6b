import { describe, expect, test } from "vitest";
import { airports } from "../../../../geography/airports.js";
import type { AirportSample } from "../../sources/aviationstack-departures.js";
import type { FaaProgramme } from "../../sources/faa-status.js";
import type { AirportNotice } from "../../sources/icao-notams.js";
import { airportsDue, CALLS_PER_MONTH_MAX, SAMPLED_EVERY_MS, sampledAirports } from "./airport-coverage.js";
import { type AirportStatus, airportStatuses, worstProgramme } from "./airport-status.js";
import { alertOf } from "./delay-alert.js";
import { type Departure, sampleOf } from "./departure-sample.js";
import { summaryOf, unknownSummary } from "./ops-summary.js";

const AT = Date.UTC(2026, 10, 21, 9);
const [FAA_AT, SAMPLED_AT, READ_AT] = [AT - 60_000, AT - 120_000, AT - 180_000];

const bulletin = { kind: "bulletin", updatedAt: FAA_AT } as const;

const programme = (iata: string, type: FaaProgramme["type"], minutes: number, isClosure = false): FaaProgramme => ({
  kind: "programme",
  iata,
  type,
  minutes,
  isAssumed: false,
  isClosure,
  reason: `${type} words`,
  updatedAt: FAA_AT,
});

const flights = (count: number, outcome: Departure["outcome"], delayMinutes = 0): Departure[] =>
  Array.from({ length: count }, () => ({ outcome, delayMinutes }));

const sample = (iata: string, departures: readonly Departure[]): AirportSample => ({
  iata,
  sampledAt: SAMPLED_AT,
  ...sampleOf(departures),
});

const notice = (iata: string, kind: AirportNotice["kind"], text = `${kind} words`): AirportNotice => ({
  iata,
  kind,
  readAt: READ_AT,
  ...(kind !== "other" && { text }),
});

const statusOf = (iata: string, read: Partial<Parameters<typeof airportStatuses>[0]>): AirportStatus => {
  const status = airportStatuses({ faa: [], samples: [], notices: [], ...read }).get(iata);
  if (!status) throw new Error(`no ${iata}`);
  return status;
};

const calm = flights(20, "flown");
const late = [...flights(10, "flown"), ...flights(10, "flown", 50)];

describe("the row of an airport", () => {
  const brief = (status: AirportStatus) => {
    const { id, severity, delayType, source } = alertOf(status);
    return [id, ...[severity, delayType, source].map((name) => name.replace(/^FLIGHT_DELAY_[A-Z]+_/, ""))];
  };

  test.each<[string, string, Parameters<typeof statusOf>[1], string[]]>([
    ["no source answered", "JFK", {}, ["unknown-JFK", "UNKNOWN", "UNSPECIFIED", "UNSPECIFIED"]],
    [
      "the FAA is silent about one of its airports",
      "JFK",
      { faa: [bulletin] },
      ["status-JFK", "NORMAL", "UNSPECIFIED", "FAA"],
    ],
    [
      "the FAA is silent about an airport that it does not cover",
      "YUL",
      { faa: [bulletin] },
      ["unknown-YUL", "UNKNOWN", "UNSPECIFIED", "UNSPECIFIED"],
    ],
    [
      "the FAA mentions an airport that it does not cover",
      "YUL",
      { faa: [bulletin, programme("YUL", "GROUND_DELAY", 57)] },
      ["faa-YUL", "MODERATE", "GROUND_DELAY", "FAA"],
    ],
    [
      "the FAA announces 14 minutes",
      "JFK",
      { faa: [bulletin, programme("JFK", "GROUND_DELAY", 14)] },
      ["status-JFK", "NORMAL", "UNSPECIFIED", "FAA"],
    ],
    [
      "the FAA announces 15 minutes",
      "JFK",
      { faa: [bulletin, programme("JFK", "DEPARTURE_DELAY", 15)] },
      ["faa-JFK", "MINOR", "DEPARTURE_DELAY", "FAA"],
    ],
    [
      "the FAA announces a closure",
      "JFK",
      { faa: [bulletin, programme("JFK", "GROUND_STOP", 120, true)] },
      ["faa-JFK", "SEVERE", "GROUND_STOP", "FAA"],
    ],
    [
      "the departures are punctual",
      "LHR",
      { samples: [sample("LHR", calm)] },
      ["status-LHR", "NORMAL", "UNSPECIFIED", "AVIATIONSTACK"],
    ],
    [
      "the departures are late",
      "LHR",
      { samples: [sample("LHR", late)] },
      ["avstack-LHR", "MAJOR", "GENERAL", "AVIATIONSTACK"],
    ],
    [
      "nothing departs",
      "LHR",
      { samples: [sample("LHR", [])] },
      ["unknown-LHR", "UNKNOWN", "UNSPECIFIED", "UNSPECIFIED"],
    ],
    [
      "FAA and departures, the FAA worse",
      "YUL",
      { faa: [bulletin, programme("YUL", "GROUND_DELAY", 90)], samples: [sample("YUL", late)] },
      ["faa-YUL", "SEVERE", "GROUND_DELAY", "FAA"],
    ],
    [
      "FAA and departures, the departures worse",
      "YUL",
      { faa: [bulletin, programme("YUL", "GROUND_DELAY", 20)], samples: [sample("YUL", late)] },
      ["avstack-YUL", "MAJOR", "GENERAL", "AVIATIONSTACK"],
    ],
    [
      "only irrelevant NOTAMs",
      "KRT",
      { notices: [notice("KRT", "other")] },
      ["unknown-KRT", "UNKNOWN", "UNSPECIFIED", "UNSPECIFIED"],
    ],
    ["a closure alone", "KRT", { notices: [notice("KRT", "closure")] }, ["notam-KRT", "SEVERE", "CLOSURE", "NOTAM"]],
    [
      "a restriction alone",
      "KRT",
      { notices: [notice("KRT", "restriction")] },
      ["notam-KRT", "MAJOR", "GENERAL", "NOTAM"],
    ],
    [
      "a closure and a restriction",
      "KRT",
      { notices: [notice("KRT", "restriction"), notice("KRT", "closure")] },
      ["notam-KRT", "SEVERE", "CLOSURE", "NOTAM"],
    ],
    [
      "a closure with punctual departures",
      "LHR",
      { samples: [sample("LHR", calm)], notices: [notice("LHR", "closure")] },
      ["notam-LHR", "MODERATE", "CLOSURE", "NOTAM"],
    ],
    [
      "a closure with late departures",
      "LHR",
      { samples: [sample("LHR", late)], notices: [notice("LHR", "closure")] },
      ["notam-LHR", "MAJOR", "CLOSURE", "NOTAM"],
    ],
    [
      "a restriction with punctual departures",
      "LHR",
      { samples: [sample("LHR", calm)], notices: [notice("LHR", "restriction")] },
      ["notam-LHR", "MODERATE", "GENERAL", "NOTAM"],
    ],
    [
      "a closure with few flights, half of them cancelled",
      "LHR",
      {
        samples: [sample("LHR", [...flights(3, "flown"), ...flights(3, "cancelled")])],
        notices: [notice("LHR", "closure")],
      },
      ["notam-LHR", "MAJOR", "CLOSURE", "NOTAM"],
    ],
  ])("%s: the id, severity, type and source of the row are $3", (_name, iata, read, expected) => {
    expect(brief(statusOf(iata, read))).toEqual(expected);
  });

  test("figures come from the sample or the announcement, and unknown figures are left out", () => {
    const sampled = alertOf(statusOf("LHR", { samples: [sample("LHR", late)] }));
    expect(sampled).toMatchObject({
      avgDelayMinutes: 50,
      delayedFlightsPct: 50,
      cancelledFlights: 0,
      totalFlights: 20,
    });
    expect(sampled).toMatchObject({ updatedAt: SAMPLED_AT, location: { latitude: 51.47, longitude: -0.46 } });
    const announced = alertOf(statusOf("JFK", { faa: [bulletin, programme("JFK", "GROUND_DELAY", 44)] }));
    expect(announced).toMatchObject({ avgDelayMinutes: 44, reason: "GROUND_DELAY words", updatedAt: FAA_AT });
    for (const name of ["delayedFlightsPct", "cancelledFlights", "totalFlights"])
      expect(announced).not.toHaveProperty(name);
    const unknown = alertOf(statusOf("JFK", {}));
    for (const name of ["avgDelayMinutes", "totalFlights", "reason", "updatedAt"])
      expect(unknown).not.toHaveProperty(name);
  });

  test("a reason has at most 200 characters", () => {
    const { reason } = alertOf(statusOf("KRT", { notices: [notice("KRT", "closure", "x".repeat(201))] }));
    expect(reason).toBe("x".repeat(200));
  });

  test("every monitored airport has a status, in the order of the list", () => {
    const statuses = airportStatuses({ faa: [bulletin], samples: [], notices: [] });
    expect([...statuses.keys()]).toEqual(airports.map(({ iata }) => iata));
    const rows = [...statuses.values()].map(alertOf);
    expect(rows.filter(({ id }) => id.startsWith("status-"))).toHaveLength(30);
    expect(rows.filter(({ id }) => id.startsWith("unknown-"))).toHaveLength(airports.length - 30);
  });
});

describe("several announcements of the FAA", () => {
  test.each([
    [
      "a ground delay together with a longer departure delay",
      [programme("SAN", "GROUND_DELAY", 31), programme("SAN", "DEPARTURE_DELAY", 38)],
      "DEPARTURE_DELAY",
      38,
    ],
    [
      "a ground delay together with a shorter departure delay",
      [programme("SAN", "GROUND_DELAY", 44), programme("SAN", "DEPARTURE_DELAY", 23)],
      "GROUND_DELAY",
      44,
    ],
    [
      "a stop together with a shorter delay",
      [programme("SAN", "ARRIVAL_DELAY", 23), programme("SAN", "GROUND_STOP", 60)],
      "GROUND_STOP",
      60,
    ],
    [
      "a stop together with a longer ground delay",
      [programme("SAN", "GROUND_STOP", 60), programme("SAN", "GROUND_DELAY", 179)],
      "GROUND_STOP",
      179,
    ],
    [
      "a closure together with a stop",
      [programme("SAN", "GROUND_STOP", 60), programme("SAN", "GROUND_STOP", 120, true)],
      "GROUND_STOP",
      120,
    ],
  ] as const)(
    "%s: the worst announcement is a stop or closure if there is one, else the longest delay; the minutes are the longest",
    (_name, programmes, type, minutes) => {
      expect(worstProgramme(programmes)).toMatchObject({ type, minutes });
      expect(worstProgramme(programmes.toReversed())).toMatchObject({ type, minutes });
    },
  );

  test("the worst announcement is undefined if there are no announcements", () => {
    expect(worstProgramme([])).toBeUndefined();
  });
});

describe("the operations of an airport", () => {
  const brief = (status: AirportStatus) => {
    const { severity, closureStatus, notamFlags, source } = summaryOf(status);
    return [severity.replace(/^.*_/, ""), closureStatus, notamFlags, source];
  };
  const all = (iata: string) => [notice(iata, "closure"), notice(iata, "restriction"), notice(iata, "other")];

  test.each<[string, string, Parameters<typeof statusOf>[1], unknown[]]>([
    ["no source answered", "LHR", {}, ["UNKNOWN", undefined, [], "unknown"]],
    ["the FAA is silent", "JFK", { faa: [bulletin] }, ["NORMAL", false, [], "faa"]],
    [
      "the FAA announces a closure",
      "JFK",
      { faa: [bulletin, programme("JFK", "GROUND_STOP", 120, true)] },
      ["SEVERE", true, [], "faa"],
    ],
    [
      "a sample without a source for closures",
      "LHR",
      { samples: [sample("LHR", calm)] },
      ["NORMAL", undefined, [], "aviationstack"],
    ],
    [
      "a closed airport with flights",
      "LHR",
      { samples: [sample("LHR", calm)], notices: [notice("LHR", "closure")] },
      ["MODERATE", true, ["CLOSED"], "aviationstack+notam"],
    ],
    [
      "a closed airport with late flights",
      "LHR",
      { samples: [sample("LHR", late)], notices: [notice("LHR", "closure")] },
      ["MAJOR", true, ["CLOSED"], "aviationstack+notam"],
    ],
    [
      "a closed airport without flights",
      "LHR",
      { samples: [sample("LHR", [])], notices: [notice("LHR", "closure")] },
      ["SEVERE", true, ["CLOSED"], "notam"],
    ],
    [
      "a restricted airport with flights",
      "LHR",
      { samples: [sample("LHR", calm)], notices: [notice("LHR", "restriction")] },
      ["MINOR", false, ["RESTRICTED"], "aviationstack+notam"],
    ],
    [
      "a restricted airport without flights",
      "KRT",
      { notices: [notice("KRT", "restriction")] },
      ["MINOR", false, ["RESTRICTED"], "notam"],
    ],
    ["other notices alone", "KRT", { notices: [notice("KRT", "other")] }, ["UNKNOWN", false, ["NOTAM"], "unknown"]],
    [
      "a notice that could not be read",
      "KRT",
      { notices: [notice("KRT", "unread")] },
      ["UNKNOWN", undefined, ["NOTAM"], "unknown"],
    ],
    [
      "a notice that could not be read, with flights",
      "LHR",
      { samples: [sample("LHR", calm)], notices: [notice("LHR", "unread")] },
      ["NORMAL", undefined, ["NOTAM"], "aviationstack"],
    ],
    [
      "a closure and a notice that could not be read",
      "KRT",
      { notices: [notice("KRT", "unread"), notice("KRT", "closure")] },
      ["SEVERE", true, ["CLOSED", "NOTAM"], "notam"],
    ],
    [
      "all kinds of notices",
      "KRT",
      { notices: all("KRT") },
      ["SEVERE", true, ["CLOSED", "RESTRICTED", "NOTAM"], "notam"],
    ],
  ])("%s: the severity, closure, notices and sources of the summary are $3", (_name, iata, read, expected) => {
    expect(brief(statusOf(iata, read))).toEqual(expected);
  });

  test("the figures of a sample have one decimal", () => {
    const departures = [...flights(10, "flown"), ...flights(2, "cancelled"), ...flights(1, "flown", 7)];
    expect(summaryOf(statusOf("LHR", { samples: [sample("LHR", departures)] }))).toEqual({
      iata: "LHR",
      icao: "EGLL",
      name: "London Heathrow",
      timezone: "Europe/London",
      notamFlags: [],
      delayPct: 7.7,
      avgDelayMinutes: 7,
      cancellationRate: 15.4,
      totalFlights: 13,
      topDelayReasons: [],
      severity: "FLIGHT_DELAY_SEVERITY_MINOR",
      source: "aviationstack",
      updatedAt: SAMPLED_AT,
    });
  });

  test("the reasons of all sources are listed", () => {
    const read = { faa: [bulletin, programme("YUL", "GROUND_DELAY", 20)], notices: all("YUL") };
    expect(summaryOf(statusOf("YUL", read)).topDelayReasons).toEqual([
      "GROUND_DELAY words",
      "closure words",
      "restriction words",
    ]);
  });

  test("the row of an airport that is not monitored has its code, an unknown severity and no figures", () => {
    expect(unknownSummary("ZZZ")).toEqual({
      iata: "ZZZ",
      notamFlags: [],
      severity: "FLIGHT_DELAY_SEVERITY_UNKNOWN",
      topDelayReasons: [],
      source: "unknown",
    });
  });

  test("assumed minutes determine the severity but are not served", () => {
    const stop = { ...programme("JFK", "GROUND_STOP", 60), isAssumed: true };
    const status = statusOf("JFK", { faa: [bulletin, stop] });
    expect([alertOf(status), summaryOf(status)].map((row) => [row.severity, row.avgDelayMinutes])).toEqual([
      ["FLIGHT_DELAY_SEVERITY_MAJOR", undefined],
      ["FLIGHT_DELAY_SEVERITY_MAJOR", undefined],
    ]);
    const beside = statusOf("JFK", { faa: [bulletin, stop, programme("JFK", "GROUND_DELAY", 95)] });
    expect(alertOf(beside)).toMatchObject({ delayType: "FLIGHT_DELAY_TYPE_GROUND_STOP", avgDelayMinutes: 95 });
  });

  test("if a sample has no known delay, its cancellations are served without delay figures", () => {
    const departures = [...flights(12, "flown"), ...flights(2, "cancelled")].map((scheduled) => ({
      ...scheduled,
      delayMinutes: undefined,
    }));
    const status = statusOf("LHR", { samples: [sample("LHR", departures)] });
    const { avgDelayMinutes, delayedFlightsPct, cancelledFlights, totalFlights } = alertOf(status);
    expect([avgDelayMinutes, delayedFlightsPct, cancelledFlights, totalFlights]).toEqual([undefined, undefined, 2, 14]);
    const { delayPct, cancellationRate } = summaryOf(status);
    expect([delayPct, cancellationRate]).toEqual([undefined, 14.3]);
  });
});

describe("the airports to request", () => {
  test("requesting fifty airports every 55 minutes takes fewer than 41,000 calls in the longest month", () => {
    expect(sampledAirports).toHaveLength(50);
    expect(new Set(sampledAirports).size).toBe(50);
    expect(SAMPLED_EVERY_MS).toBe(55 * 60_000);
    // 31 days of 1,440 minutes contain 811 whole spans of 55 minutes, so at most 812 calls fit into them.
    expect(CALLS_PER_MONTH_MAX).toBe(50 * 812);
    expect(CALLS_PER_MONTH_MAX).toBeLessThan(48_000 - 7_000);
  });

  test("no airport is requested before it is due, even if a run starts every minute", () => {
    const requestedAt = new Map<string, number>();
    const calls = new Map<string, number[]>();
    for (let now = AT; now < AT + 6 * 3_600_000; now += 60_000) {
      const kept = [...requestedAt].map(([iata, sampledAt]) => ({ iata, sampledAt }));
      for (const { iata } of airportsDue(kept, now)) {
        requestedAt.set(iata, now);
        calls.set(iata, [...(calls.get(iata) ?? []), now]);
      }
    }
    expect(calls.size).toBe(50);
    for (const times of calls.values()) {
      const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(SAMPLED_EVERY_MS);
    }
  });

  test("a run requests all airports if no sample is stored, and at most 25 if every airport has a sample", () => {
    expect(airportsDue([], AT)).toHaveLength(50);
    const kept = sampledAirports.map(({ iata }) => ({ iata, sampledAt: AT }));
    expect(airportsDue(kept, AT + SAMPLED_EVERY_MS - 1)).toEqual([]);
    const due = airportsDue(kept, AT + SAMPLED_EVERY_MS);
    expect(due).toHaveLength(25);
    expect(new Set(due).size).toBe(25);
  });

  test("an airport whose request failed is due no sooner than one whose request succeeded", () => {
    const requestedAt = Object.fromEntries(sampledAirports.map(({ iata }) => [iata, AT]));
    expect(airportsDue([], AT + SAMPLED_EVERY_MS - 1, requestedAt)).toEqual([]);
    expect(airportsDue([], AT + SAMPLED_EVERY_MS, requestedAt)).toHaveLength(50);
    expect(airportsDue([], AT + 1, { ...requestedAt, LHR: 0 }).map(({ iata }) => iata)).toEqual(["LHR"]);
  });

  test("an airport that was never read is due, but does not come first in every run", () => {
    const kept = sampledAirports.slice(1).map(({ iata }) => ({ iata, sampledAt: AT - 2 * SAMPLED_EVERY_MS }));
    const runs = Array.from({ length: 25 }, (_, minute) => airportsDue(kept, AT + minute * 60_000));
    const never = sampledAirports[0];
    expect(runs.every((run) => run.some((airport) => airport === never))).toBe(true);
    expect(runs.filter((run) => run[0] === never)).toHaveLength(1);
  });
});
