import { describe, expect, test } from "vitest";
import { answerOf, failed, found, miss, notAsked, queryOf } from "../../../../test/support/operations.js";
import { flightNumber, flightStatus, iataCode, type ScheduledFlight, served } from "../records/flights.js";
import { type AirportDepartures, carrierOps } from "../rules/carrier-ops.js";
import { getCarrierOps } from "./get-carrier-ops.js";
import { getFlightStatus } from "./get-flight-status.js";
import { listAirportFlights } from "./list-airport-flights.js";

const carrier = (iataCode: string) => ({ iataCode, name: iataCode });
const airport = { iata: "IST", icao: "LTFM", name: "Istanbul", timezone: "Europe/Istanbul" };
const flight = (values: Partial<ScheduledFlight> = {}): ScheduledFlight => ({
  cancelled: false,
  ...{ codeshareFlightNumbers: [], date: "2026-11-18", delayMinutes: 0, destination: airport, diverted: false },
  ...{ flightNumber: "TK1", operatingCarrier: carrier("TK") },
  ...{ origin: airport, scheduledArrival: 0, scheduledDeparture: 0, source: "aviationstack" },
  ...{ status: "FLIGHT_INSTANCE_STATUS_SCHEDULED", departureDelayMinutes: 0, isCodeshare: false },
  ...values,
});
const flights = (count: number, values: Partial<ScheduledFlight> = {}) =>
  Array.from({ length: count }, () => flight(values));
const noFlights = [
  ["none", miss],
  ["error", failed()],
  ["unavailable", failed("unconfigured")],
  ["budget", failed("budget")],
] as const;

test.each([
  ["TK1", "TK1"],
  ["tk 0001", "TK1"],
  ["TK 1979", "TK1979"],
  ["BA0117A", "BA117A"],
  ["THY1", "THY1"],
  ["9W123", "9W123"],
  ["TK0", "TK0"],
  ["TK12345", undefined],
  ["TK", undefined],
  ["1234567", undefined],
  ["TK-1", undefined],
])("the flight number %s is %s", (given, expected) => {
  expect(flightNumber(given)).toBe(expected);
});

test.each([
  ["ist", "IST"],
  [" IST", "IST"],
  ["LTFM", undefined],
  ["I1T", undefined],
])("the airport %s is %s", (given, expected) => {
  expect(iataCode(given)).toBe(expected);
});

test.each(["incident", "", "constructor", "toString"])("the status %j is unknown", (word) => {
  expect(flightStatus(word)).toBe("FLIGHT_INSTANCE_STATUS_UNKNOWN");
});

describe("flights of an airport", () => {
  const late = flight({ flightNumber: "TK3", scheduledDeparture: 30 });
  const early = flight({ flightNumber: "TK1", scheduledDeparture: 10 });
  const coming = flight({ flightNumber: "TK2", scheduledDeparture: 99, scheduledArrival: 20 });
  const plansOf = (search: string) =>
    Object.values(listAirportFlights.fetches ?? {}).map((read) => read.plan(queryOf(listAirportFlights, search)));

  test("both directions in the order of their times there", () => {
    const observed = { departures: found(late, early), arrivals: found(coming) };
    expect(answerOf(listAirportFlights, "airport=IST", observed)).toEqual({
      flights: [early, coming, late].map((one) => served(one, 7)),
      ...{ source: "aviationstack", totalAvailable: 3, updatedAt: 7 },
    });
  });

  test.each([
    ["", 30],
    ["&limit=0", 30],
    ["&limit=1", 1],
    ["&limit=100", 100],
  ])("limit%s gives %d, and all are counted", (limit, count) => {
    const observed = { departures: found(...flights(120)), arrivals: notAsked };
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

  test("a direction asks for its page alone, and no page for what is no IATA code", () => {
    const [departures, arrivals] = plansOf("airport=ist");
    expect([departures, arrivals]).toEqual([
      { airport: "IST", direction: "departure" },
      { airport: "IST", direction: "arrival" },
    ]);
    expect(plansOf("airport=IST&direction=FLIGHT_DIRECTION_DEPARTURE")).toEqual([departures, undefined]);
    expect(plansOf("airport=IST&direction=FLIGHT_DIRECTION_ARRIVAL")).toEqual([undefined, arrivals]);
    expect(plansOf("airport=LTFM")).toEqual([undefined, undefined]);
    expect(answerOf(listAirportFlights, "airport=LTFM", { departures: notAsked, arrivals: notAsked })).toEqual({
      ...{ flights: [], source: "invalid", totalAvailable: 0, updatedAt: 0 },
    });
  });

  test.each(noFlights)("%s", (source, observation) => {
    const answer = answerOf(listAirportFlights, "airport=IST", { departures: observation, arrivals: observation });
    expect(answer).toMatchObject({ flights: [], source, totalAvailable: 0 });
  });

  test("one direction that cannot be read leaves the other, said to be partial", () => {
    const observed = { departures: found(early), arrivals: failed() };
    expect(answerOf(listAirportFlights, "airport=IST", observed)).toMatchObject({ flights: [{}], source: "partial" });
    const none = { departures: miss, arrivals: failed() };
    expect(answerOf(listAirportFlights, "airport=IST", none)).toMatchObject({ flights: [], source: "partial" });
  });
});

describe("status of a flight", () => {
  const search = "flight_number=TK%200001&date=2026-11-18";
  const planOf = (text: string) => getFlightStatus.fetches?.flight.plan(queryOf(getFlightStatus, text));

  test("is asked for by its number without spaces and zeros", () => {
    expect(planOf(search)).toEqual({ flight: "TK1", date: "2026-11-18", origin: "" });
    expect(planOf(`${search}&origin=ist`)).toEqual({ flight: "TK1", date: "2026-11-18", origin: "IST" });
  });

  test.each(["flight_number=12345&date=2026-11-18", `${search}&origin=LTFM`])("%s is invalid", (text) => {
    expect(planOf(text)).toBeUndefined();
    expect(answerOf(getFlightStatus, text, { flight: notAsked })).toEqual({
      ...{ cacheHit: false, flights: [], source: "invalid" },
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
  ] as const)("%s is a cache hit: %s", (state, cacheHit) => {
    const observation = { ...found(flight()), state } as ReturnType<typeof found>;
    expect(answerOf(getFlightStatus, search, { flight: observation })).toEqual({
      ...{ cacheHit, flights: [served(flight(), 7)], source: "aviationstack" },
    });
  });

  test.each(noFlights)("%s", (source, observation) => {
    expect(answerOf(getFlightStatus, search, { flight: observation })).toEqual({
      cacheHit: false,
      flights: [],
      source,
    });
  });
});

describe("operations of carriers", () => {
  const page = (name: string, ...departures: readonly ScheduledFlight[]): AirportDepartures => ({
    ...{ airport: name, updatedAt: 5, flights: departures },
  });
  const cancelled = { cancelled: true, departureDelayMinutes: 30 };

  test("percentages of all flights, the mean over the late ones", () => {
    const late = [flight({ departureDelayMinutes: 1 }), flight({ departureDelayMinutes: 60 })];
    expect(carrierOps([page("IST", ...late, flight(cancelled), ...flights(3))], 3)).toEqual([
      {
        ...{ airport: "IST", avgDelayMinutes: 31, cancellationRate: 16.7, cancelledCount: 1, carrier: carrier("TK") },
        ...{ delayPct: 33.3, delayedCount: 2, totalFlights: 6, updatedAt: 5 },
      },
    ]);
  });

  test.each([
    [0, 0],
    [1, 1],
  ])("a delay of %d minutes counts %d times", (departureDelayMinutes, delayedCount) => {
    expect(carrierOps([page("IST", flight({ departureDelayMinutes }))], 1)).toMatchObject([{ delayedCount }]);
  });

  test.each([
    [2, 3, 0],
    [3, 3, 1],
    [1, 1, 1],
  ])("%d flights with at least %d asked for: %d carriers", (count, least, carriers) => {
    expect(carrierOps([page("IST", ...flights(count))], least)).toHaveLength(carriers);
  });

  test("a codeshare counts once, and a flight of nobody not at all", () => {
    const sold = flight({ isCodeshare: true });
    const nobody = flight({ operatingCarrier: {} });
    expect(carrierOps([page("IST", flight(), sold, nobody)], 1)).toMatchObject([{ totalFlights: 1 }]);
  });

  test("most cancelled first, then most delayed, then by name", () => {
    const of = (code: string, values: Partial<ScheduledFlight>) =>
      flight({ ...values, operatingCarrier: carrier(code) });
    const pages = [
      page("SAW", of("AA", {})),
      page("IST", of("DD", {}), of("CC", {}), of("BB", { departureDelayMinutes: 5 }), of("ZZ", { cancelled: true })),
    ];
    const order = carrierOps(pages, 1).map(({ airport, carrier: { iataCode } }) => `${airport} ${iataCode}`);
    expect(order).toEqual(["IST ZZ", "IST BB", "IST CC", "IST DD", "SAW AA"]);
  });

  test("delays that the schedule does not tell are absent and count as none", () => {
    const { departureDelayMinutes: _delay, ...untold } = flight();
    const [unknown] = carrierOps([page("IST", untold, untold)], 1);
    expect(unknown).toMatchObject({ totalFlights: 2, cancelledCount: 0, cancellationRate: 0 });
    for (const member of ["avgDelayMinutes", "delayPct", "delayedCount"]) expect(unknown).not.toHaveProperty(member);
    const [known] = carrierOps([page("IST", untold, flight({ departureDelayMinutes: 8 }))], 1);
    expect(known).toMatchObject({ avgDelayMinutes: 8, delayPct: 50, delayedCount: 1 });
  });

  const plansOf = (search: string) => getCarrierOps.fetches?.departures.plans(queryOf(getCarrierOps, search));
  const departuresOf = (...codes: readonly string[]) =>
    codes.map((code) => ({ airport: code, direction: "departure" }));

  test.each([
    ["", ["ESB", "IST", "SAW"]],
    ["airports=LHR", ["LHR"]],
    ["airports=lhr", ["LHR"]],
    ["airports=lhr, Fra,&airports=cdg", ["CDG", "FRA", "LHR"]],
    ["airports=LHR,FRA&airports=CDG", ["CDG", "FRA", "LHR"]],
    ["airports=AAA,BBB,CCC,DDD,EEE,FFF", ["AAA", "BBB", "CCC", "DDD", "EEE", "FFF"]],
    ["airports=AAA,BBB,CCC,DDD,EEE,FFF,GGG", ["AAA", "BBB", "CCC", "DDD", "EEE", "FFF"]],
  ])("%s reads %j", (search, airports) => {
    expect(plansOf(search)).toEqual(departuresOf(...airports));
  });

  const codes = (count: number) => Array.from({ length: count }, (_, index) => `A${String.fromCharCode(65 + index)}A`);

  test("20 airports are taken, one more and what is no IATA code refused", () => {
    expect(plansOf(`airports=${codes(20).join(",")}`)).toHaveLength(6);
    for (const airports of [codes(21).join(","), "I1T", "LTFM", "IST LHR"]) {
      expect(() => queryOf(getCarrierOps, `airports=${airports}`)).toThrow();
    }
  });

  test.each([
    ["", 1],
    ["min_flights=0", 1],
    ["min_flights=4", 0],
    ["min_flights=2", 1],
  ])("%s: carriers with three flights are listed %d times", (search, count) => {
    const observed = { departures: [found(...flights(3)), miss, miss] };
    expect(answerOf(getCarrierOps, search, observed)).toMatchObject({
      ...{ carriers: { length: count }, source: "aviationstack", updatedAt: 7 },
    });
  });

  test.each([
    ["all without flights", [miss, miss, miss], "none"],
    ["all without a key", [failed("unconfigured"), failed("unconfigured"), failed("unconfigured")], "unavailable"],
    ["all over budget", [failed("budget"), failed("budget"), failed("budget")], "budget"],
    ["all failing", [failed(), failed(), failed()], "error"],
    ["one failing", [found(...flights(9)), failed(), miss], "partial"],
    ["failing in different ways", [failed("budget"), failed(), failed()], "partial"],
  ])("%s", (_, departures, source) => {
    expect(answerOf(getCarrierOps, "", { departures })).toMatchObject({ carriers: [], source });
  });
});
