import { describe, expect, test } from "vitest";
import { answerOf, failed, fresh, miss, notRequested, queryOf } from "../../../../test/support/operations.js";
import { served } from "../records/flights.js";
import { flight, flights, noFlights } from "../testing/scheduled-flights.js";
import { listAirportFlights } from "./list-airport-flights.js";

describe("flights of an airport", () => {
  const late = flight({ flightNumber: "TK3", scheduledDeparture: 30 });
  const early = flight({ flightNumber: "TK1", scheduledDeparture: 10 });
  const coming = flight({ flightNumber: "TK2", scheduledDeparture: 99, scheduledArrival: 20 });
  const plansOf = (search: string) =>
    Object.values(listAirportFlights.fetches ?? {}).map((read) => read.plan(queryOf(listAirportFlights, search)));

  test("flights of both directions are sorted by their times at the airport", () => {
    const observed = { departures: fresh(late, early), arrivals: fresh(coming) };
    expect(answerOf(listAirportFlights, "airport=IST", observed)).toEqual({
      flights: [early, coming, late].map((scheduled) => served(scheduled, 7)),
      source: "aviationstack",
      totalAvailable: 3,
      updatedAt: 7,
    });
  });

  test("each flight has the time at which its own page was read, and the answer has the time of the newest read", () => {
    const observed = { departures: fresh(early), arrivals: { ...fresh(coming), fetchedAt: 5 } };
    expect(answerOf(listAirportFlights, "airport=IST", observed)).toMatchObject({
      flights: [
        { flightNumber: "TK1", updatedAt: 7 },
        { flightNumber: "TK2", updatedAt: 5 },
      ],
      updatedAt: 7,
    });
  });

  test.each([
    ["", 30],
    ["&limit=0", 30],
    ["&limit=1", 1],
    ["&limit=100", 100],
  ])("a query with the suffix %j returns %d flights, and `totalAvailable` ignores the limit", (limit, count) => {
    const observed = { departures: fresh(...flights(120)), arrivals: notRequested };
    const answer = answerOf(listAirportFlights, `airport=IST&direction=FLIGHT_DIRECTION_DEPARTURE${limit}`, observed);
    expect(answer).toMatchObject({ totalAvailable: 120, flights: { length: count } });
  });

  test.each(["limit=101", "limit=-1", "direction=DEPARTURE", "airport=IS", "airport=ISTAN"])(
    "%s is refused",
    (search) => {
      expect(() =>
        queryOf(listAirportFlights, search.startsWith("airport") ? search : `airport=IST&${search}`),
      ).toThrow();
    },
  );

  test("only the page of the requested direction is read, and no page is read for a string that is not an IATA code", () => {
    const [departures, arrivals] = plansOf("airport=ist");
    expect([departures, arrivals]).toEqual([
      { airport: "IST", direction: "departure" },
      { airport: "IST", direction: "arrival" },
    ]);
    expect(plansOf("airport=IST&direction=FLIGHT_DIRECTION_DEPARTURE")).toEqual([departures, undefined]);
    expect(plansOf("airport=IST&direction=FLIGHT_DIRECTION_ARRIVAL")).toEqual([undefined, arrivals]);
    expect(plansOf("airport=LTFM")).toEqual([undefined, undefined]);
    expect(answerOf(listAirportFlights, "airport=LTFM", { departures: notRequested, arrivals: notRequested })).toEqual({
      flights: [],
      source: "invalid",
      totalAvailable: 0,
      updatedAt: 0,
    });
  });

  test.each(noFlights)("an answer without flights has the source %s", (source, observation) => {
    const answer = answerOf(listAirportFlights, "airport=IST", { departures: observation, arrivals: observation });
    expect(answer).toMatchObject({ flights: [], source, totalAvailable: 0 });
  });

  test("if one direction is unreadable, the other is served, and the source is `partial`", () => {
    const observed = { departures: fresh(early), arrivals: failed() };
    expect(answerOf(listAirportFlights, "airport=IST", observed)).toMatchObject({ flights: [{}], source: "partial" });
    const none = { departures: miss, arrivals: failed() };
    expect(answerOf(listAirportFlights, "airport=IST", none)).toMatchObject({ flights: [], source: "partial" });
  });
});
