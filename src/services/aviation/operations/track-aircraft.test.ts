import { describe, expect, test } from "vitest";
import { answerOf, failed, fresh, miss, notRequested, queryOf } from "../../../../test/support/operations.js";
import type { Observation } from "../../../contract/on-demand.js";
import type { PositionSample } from "../records/positions.js";
import { trackAircraft } from "./track-aircraft.js";

type Observed = Observation<readonly unknown[]>;

const sample = (values: Partial<PositionSample> = {}): PositionSample => ({
  icao24: "3c6444",
  lat: 46,
  lon: 8,
  observedAt: 5,
  onGround: false,
  source: "POSITION_SOURCE_ADSB",
  ...values,
});

/** Returns the plans of the three reads of a query: by address, by callsign, in a box. */
function plansOf(search: string): unknown[] {
  const query = queryOf(trackAircraft, search);
  return Object.values(trackAircraft.fetches ?? {}).map((read) => read.plan(query));
}

type Reads = "byAddress" | "byCallsign" | "inBox";

function answer(search: string, observed: Partial<Record<Reads, Observed>>, simulated = false): unknown {
  const none = { byAddress: notRequested, byCallsign: notRequested, inBox: notRequested };
  return answerOf(trackAircraft, search, { ...none, ...observed }, simulated);
}

const BOX = "sw_lat=45&sw_lon=6&ne_lat=47&ne_lon=10";
const box = { box: { south: 45, west: 6, north: 47, east: 10 } };

describe("the search", () => {
  test.each([
    ["an address in upper case", "icao24=3C6444", [{ icao24: "3c6444" }, undefined, undefined]],
    ["a non-ICAO address", "icao24=~279B9B", [{ icao24: "~279b9b" }, undefined, undefined]],
    ["a callsign", "callsign=dlh4ab", [undefined, { callsign: "DLH4AB" }, undefined]],
    ["a padded callsign", "callsign=DLH4AB%20%20", [undefined, { callsign: "DLH4AB" }, undefined]],
    ["a box", BOX, [undefined, undefined, box]],
    ["an address and a callsign", "icao24=3c6444&callsign=DLH4AB", [{ icao24: "3c6444" }, undefined, undefined]],
    ["a callsign and a box", `callsign=DLH4AB&${BOX}`, [undefined, { callsign: "DLH4AB" }, undefined]],
    [
      "a box whose absent corner counts as 0",
      "ne_lat=5&ne_lon=9",
      [undefined, undefined, { box: { south: 0, west: 0, north: 5, east: 9 } }],
    ],
    [
      "a box across the antimeridian",
      "sw_lat=-20&sw_lon=175&ne_lat=-10&ne_lon=-175",
      [undefined, undefined, { box: { south: -20, west: 175, north: -10, east: -175 } }],
    ],
    ["an empty query", "", [undefined, undefined, undefined]],
    ["a query whose corners are all 0", "sw_lat=0&ne_lat=0", [undefined, undefined, undefined]],
  ])("%s: the planned reads by address, by callsign and in a box are $2", (_, search, plans) => {
    expect(plansOf(search)).toEqual(plans);
  });

  test.each([
    ["an address of five digits", "icao24=3c644"],
    ["an address of seven digits", "icao24=3c64444"],
    ["an address that is not a number", "icao24=3c644g"],
    ["an invalid address with a valid callsign", "icao24=xyz&callsign=DLH4AB"],
    ["a callsign of one character", "callsign=A"],
    ["a callsign of nine characters", "callsign=ABCDEFGH9"],
    ["a callsign with a slash", "callsign=A/../B"],
    ["a box whose southern edge is north of its northern edge", "sw_lat=47&sw_lon=6&ne_lat=45&ne_lon=10"],
  ])("%s is invalid, and no provider is called", (_, search) => {
    expect(plansOf(search)).toEqual([undefined, undefined, undefined]);
    expect(answer(search, {})).toEqual({ positions: [], source: "invalid", updatedAt: 0 });
  });

  test.each(["sw_lat=90.1", "sw_lon=-180.1", "ne_lat=north", "ne_lon=1,5"])("%s is refused", (search) => {
    expect(() => queryOf(trackAircraft, search)).toThrow();
  });
});

describe("the answer", () => {
  test.each<readonly [name: string, observed: Observed, source: string, updatedAt: number]>([
    ["no receiver reports the aircraft", miss, "none", 7],
    ["no provider could be reached", failed(), "error", 0],
    ["no upstream is configured", failed("unconfigured"), "unavailable", 0],
    ["no calls are left", failed("budget"), "budget", 0],
  ])("if %s, the answer is empty, and `source` gives the reason", (_, byAddress, source, updatedAt) => {
    expect(answer("icao24=3c6444", { byAddress })).toEqual({ positions: [], source, updatedAt });
  });

  test.each([
    ["POSITION_SOURCE_ADSB", "adsb-lol"],
    ["POSITION_SOURCE_OPENSKY", "opensky"],
  ] as const)("a position from %s has the source %s", (source, name) => {
    const position = sample({ source });
    expect(answer("icao24=3c6444", { byAddress: fresh(position) })).toEqual({
      positions: [position],
      source: name,
      updatedAt: 7,
    });
  });

  test("simulated positions are marked as simulated", () => {
    expect(answer("icao24=3c6444", { byAddress: fresh(sample()) }, true)).toMatchObject({
      positions: [{ source: "POSITION_SOURCE_SIMULATED" }],
      source: "simulated",
    });
  });

  test("if the provider also reports aircraft outside the box, the answer omits them", () => {
    const inside = sample();
    expect(answer(BOX, { inBox: fresh(inside, sample({ lat: 47.1 })) })).toMatchObject({ positions: [inside] });
    expect(answer(BOX, { inBox: fresh(sample({ lat: 47.1 })) })).toMatchObject({ positions: [], source: "none" });
  });

  test("an empty query has an empty answer", () => {
    expect(answer("", {})).toEqual({ positions: [], source: "none", updatedAt: 0 });
  });
});
