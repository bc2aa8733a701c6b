import { describe, expect, test } from "vitest";
import { queryOf } from "../../../../test/support/operations.js";
import { absent, snapshotOf, storedAnswerOf } from "../../../../test/support/stored-answers.js";
import { viewOf } from "../../../../test/support/views.js";
import { airports } from "../../../geography/airports.js";
import { airportDelays } from "../datasets/airport-delays.js";
import { getAirportOpsSummary } from "./get-airport-ops-summary.js";

const FAA_AT = Date.UTC(2026, 10, 18, 11);
const faa = [{ kind: "bulletin" as const, updatedAt: FAA_AT }];
const delays = snapshotOf(viewOf(airportDelays, { faa, departures: [], notams: [] }));

const rowsOf = (search: string) =>
  (storedAnswerOf(getAirportOpsSummary, search, { delays }) as { summaries: { iata: string }[] }).summaries;

describe("get-airport-ops-summary", () => {
  test("get-airport-ops-summary has one row for each requested airport, in the order of the query", () => {
    expect(rowsOf("airports=lhr,JFK,ZZZ").map(({ iata }) => iata)).toEqual(["LHR", "JFK", "ZZZ"]);
  });

  test("get-airport-ops-summary has rows for six airports by default", () => {
    expect(rowsOf("").map(({ iata }) => iata)).toEqual(["IST", "ESB", "SAW", "LHR", "FRA", "CDG"]);
  });

  test("a row has the values of the sources that answered, and no values if the airport is not monitored", () => {
    expect(rowsOf("airports=JFK,ZZZ")).toMatchObject([
      { iata: "JFK", icao: "KJFK", closureStatus: false, source: "faa" },
      {
        iata: "ZZZ",
        notamFlags: [],
        severity: "FLIGHT_DELAY_SEVERITY_UNKNOWN",
        topDelayReasons: [],
        source: "unknown",
      },
    ]);
  });

  test("get-airport-ops-summary refuses more than twenty airports", () => {
    const codes = (count: number): string =>
      airports
        .slice(0, count)
        .map(({ iata }) => iata)
        .join(",");
    expect(queryOf(getAirportOpsSummary, `airports=${codes(20)}`).airports).toHaveLength(20);
    expect(() => queryOf(getAirportOpsSummary, `airports=${codes(21)}`)).toThrow();
  });

  test("get-airport-ops-summary is empty while nothing is stored", () => {
    expect(storedAnswerOf(getAirportOpsSummary, "", { delays: absent })).toEqual({ cacheHit: false, summaries: [] });
  });
});
