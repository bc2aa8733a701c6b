import { describe, expect, test } from "vitest";
import { failureOf, firstRequest, readBody } from "../../../../test/support/reading.js";
import type { ScheduledFlight } from "../records/flights.js";
import { aviationstack, type SchedulePlan } from "./aviationstack.js";

const KEY = { AVIATIONSTACK_API: "secret" };
const departures: SchedulePlan = { airport: "IST", direction: "departure" };
const request = firstRequest(aviationstack, departures, KEY);

const end = (values: object = {}) => ({
  airport: "Istanbul",
  timezone: "Europe/Istanbul",
  iata: "IST",
  icao: "LTFM",
  terminal: "1",
  gate: null,
  delay: null,
  scheduled: "2026-11-18T03:10:00+00:00",
  estimated: null,
  actual: null,
  ...values,
});
const row = (values: object = {}) => ({
  flight_date: "2026-11-18",
  flight_status: "scheduled",
  departure: end(),
  arrival: end({ iata: "LHR" }),
  airline: { name: "Turkish Airlines", iata: "TK", icao: "THY" },
  flight: { number: "1979", iata: "TK1979", icao: "THY1979", codeshared: null },
  aircraft: null,
  live: null,
  ...values,
});
const read = (...data: readonly unknown[]) => readBody(aviationstack, request, { pagination: { total: 1 }, data });

test.each<readonly [SchedulePlan, string]>([
  [departures, "dep_iata=IST&limit=100"],
  [{ airport: "IST", direction: "arrival" }, "arr_iata=IST&limit=100"],
  [{ flight: "TK1", date: "2026-11-18", origin: "" }, "flight_iata=TK1&flight_date=2026-11-18&limit=5"],
  [{ flight: "TK1", date: "2026-11-18", origin: "IST" }, "flight_iata=TK1&flight_date=2026-11-18&limit=5&dep_iata=IST"],
])("%j is requested as %s, with the key only in `secretQuery`", (plan, query) => {
  const { url, secretQuery } = firstRequest(aviationstack, plan, KEY);
  expect(url).toBe(`https://api.aviationstack.com/v1/flights?${query}`);
  expect(secretQuery).toEqual({ access_key: "secret" });
});

test("a flight is read with all its values", () => {
  const flight = row({
    flight_status: "landed",
    departure: end({
      gate: "F9",
      delay: 12,
      estimated: "2026-11-18T03:20:00+00:00",
      actual: "2026-11-18T03:22:00+00:00",
    }),
    arrival: end({ iata: "LHR", icao: "EGLL", airport: "Heathrow", timezone: "Europe/London", delay: 40 }),
    aircraft: { registration: "TC-LJA", iata: "B77W", icao: "B77W", icao24: "4BAA00" },
  });
  expect(read(flight).records).toEqual([
    {
      actualDeparture: Date.UTC(2026, 10, 18, 3, 22),
      aircraftIcao24: "4baa00",
      aircraftType: "B77W",
      cancelled: false,
      codeshareFlightNumbers: [],
      date: "2026-11-18",
      delayMinutes: 12,
      destination: { iata: "LHR", icao: "EGLL", name: "Heathrow", timezone: "Europe/London" },
      diverted: false,
      estimatedDeparture: Date.UTC(2026, 10, 18, 3, 20),
      flightNumber: "TK1979",
      gate: "F9",
      terminal: "1",
      source: "aviationstack",
      operatingCarrier: { iataCode: "TK", icaoCode: "THY", name: "Turkish Airlines" },
      origin: { iata: "IST", icao: "LTFM", name: "Istanbul", timezone: "Europe/Istanbul" },
      scheduledArrival: Date.UTC(2026, 10, 18, 3, 10),
      scheduledDeparture: Date.UTC(2026, 10, 18, 3, 10),
      status: "FLIGHT_INSTANCE_STATUS_LANDED",
      departureDelayMinutes: 12,
      isCodeshare: false,
    },
  ]);
});

test("a codeshare is operated by the airline that it names, and lower-case codes are read as upper case", () => {
  const codeshared = { airline_name: "lot", airline_iata: "lo", airline_icao: "lot", flight_iata: "lo135" };
  expect(read(row({ flight: { number: "1", iata: "TK1", codeshared } })).records).toMatchObject([
    {
      flightNumber: "TK1",
      isCodeshare: true,
      codeshareFlightNumbers: ["LO135"],
      operatingCarrier: { iataCode: "LO", icaoCode: "LOT" },
    },
  ]);
});

describe("status", () => {
  test.each([
    ["scheduled", "SCHEDULED", false, false],
    ["active", "AIRBORNE", false, false],
    ["landed", "LANDED", false, false],
    ["cancelled", "CANCELLED", true, false],
    ["diverted", "DIVERTED", false, true],
    ["incident", "UNKNOWN", false, false],
    ["", "UNKNOWN", undefined, undefined],
    [null, "UNKNOWN", undefined, undefined],
  ])("the status %j is read as %s", (flight_status, name, cancelled, diverted) => {
    const [flight] = read(row({ flight_status })).records as readonly ScheduledFlight[];
    expect([flight?.status, flight?.cancelled, flight?.diverted]).toEqual([
      `FLIGHT_INSTANCE_STATUS_${name}`,
      cancelled,
      diverted,
    ]);
  });
});

test.each([
  ["a late departure", 12, 40, 12],
  ["a departure on time with a late arrival", 0, 40, 0],
  ["a late arrival with an unknown departure delay", null, 40, 40],
  ["a delay written as text", "12", null, 12],
  ["an early flight", -5, null, 0],
  ["a flight with an unknown delay", null, null, undefined],
])("the delay in minutes of %s is $3", (_, departure, arrival, delayMinutes) => {
  const flight = row({ departure: end({ delay: departure }), arrival: end({ delay: arrival }) });
  expect((read(flight).records as readonly ScheduledFlight[]).map((scheduled) => scheduled.delayMinutes)).toEqual([
    delayMinutes,
  ]);
});

test("values missing from the schedule are left out, never empty or zero", () => {
  const bare = { departure: {}, arrival: { delay: null, terminal: "", gate: "" }, airline: {}, aircraft: null };
  const [flight] = read(row({ ...bare, flight_status: null })).records;
  expect(flight).toEqual({
    codeshareFlightNumbers: [],
    date: "2026-11-18",
    destination: {},
    flightNumber: "TK1979",
    isCodeshare: false,
    operatingCarrier: {},
    origin: {},
    source: "aviationstack",
    status: "FLIGHT_INSTANCE_STATUS_UNKNOWN",
  });
});

test("a row with a bad day, time or delay is skipped", () => {
  const bad = [
    row({ flight_date: "2026-11-31" }),
    row({ departure: end({ scheduled: "soon" }) }),
    row({ departure: end({ delay: "late" }) }),
  ];
  expect(read(...bad, row(), row(), row(), row())).toMatchObject({ rowsRead: 7, rowsBad: 3 });
});

test("an empty list of flights is a valid answer; a refusal with status 200 and an unknown document are failures", () => {
  expect(read().records).toEqual([]);
  const refusal = failureOf(() =>
    readBody(aviationstack, request, { error: { code: "invalid_access_key", message: "…" } }),
  );
  expect([refusal.kind, refusal.message]).toEqual([
    "unavailable",
    "aviationstack refused with invalid_access_key; check AVIATIONSTACK_API",
  ]);
  expect(failureOf(() => readBody(aviationstack, request, { flights: [] })).kind).toBe("changed");
});
