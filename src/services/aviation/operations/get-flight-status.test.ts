import { describe, expect, test } from "vitest";
import { answerOf, fresh, notRequested, queryOf } from "../../../../test/support/operations.js";
import { served } from "../records/flights.js";
import { flight, noFlights } from "../testing/scheduled-flights.js";
import { getFlightStatus } from "./get-flight-status.js";

describe("status of a flight", () => {
  const search = "flight_number=TK%200001&date=2026-11-18";
  const planOf = (text: string) => getFlightStatus.fetches?.flight.plan(queryOf(getFlightStatus, text));

  test("a flight is requested by its number without spaces and leading zeros", () => {
    expect(planOf(search)).toEqual({ flight: "TK1", date: "2026-11-18", origin: "" });
    expect(planOf(`${search}&origin=ist`)).toEqual({ flight: "TK1", date: "2026-11-18", origin: "IST" });
  });

  test.each(["flight_number=12345&date=2026-11-18", `${search}&origin=LTFM`])("%s has the source `invalid`", (text) => {
    expect(planOf(text)).toBeUndefined();
    expect(answerOf(getFlightStatus, text, { flight: notRequested })).toEqual({
      cacheHit: false,
      flights: [],
      source: "invalid",
    });
  });

  test.each([
    "flight_number=TK&date=2026-11-18",
    "flight_number=TK123456789&date=2026-11-18",
    "flight_number=TK1&date=2026-11-31",
    "flight_number=TK1&date=20261118",
    "flight_number=TK1",
    "date=2026-11-18",
  ])("%s is refused", (text) => {
    expect(() => queryOf(getFlightStatus, text)).toThrow();
  });

  test.each([
    ["fresh", false],
    ["cached", true],
    ["stale", true],
  ] as const)("for a %s observation, `cacheHit` is %s", (state, cacheHit) => {
    const observation = { ...fresh(flight()), state } as ReturnType<typeof fresh>;
    expect(answerOf(getFlightStatus, search, { flight: observation })).toEqual({
      cacheHit,
      flights: [served(flight(), 7)],
      source: "aviationstack",
    });
  });

  test.each(noFlights)("an answer without flights has the source %s", (source, observation) => {
    expect(answerOf(getFlightStatus, search, { flight: observation })).toEqual({
      cacheHit: false,
      flights: [],
      source,
    });
  });
});
