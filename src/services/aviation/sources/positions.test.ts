import { describe, expect, test } from "vitest";
import { failureOf, firstRequest, readBody, requestsOf } from "../../../../test/support/reading.js";
import type { PositionPlan } from "../records/positions.js";
import { adsbLol } from "./adsb-lol.js";
import { opensky } from "./opensky.js";

const alps: PositionPlan = { box: { south: 45, west: 6, north: 47, east: 10 } };
const pacific: PositionPlan = { box: { south: -20, west: 176, north: -15, east: -178 } };
const europe: PositionPlan = { box: { south: 35, west: -10, north: 60, east: 30 } };

describe("adsb.lol", () => {
  const NOW = 1_785_336_058_500;
  const aircraft = (values: object = {}) => ({
    hex: "a3c9b4",
    type: "adsb_icao",
    flight: "DAL1375 ",
    alt_baro: 32_000,
    alt_geom: 32_975,
    gs: 454.54,
    track: 42.15,
    baro_rate: -832,
    lat: 41.143892,
    lon: -79.072723,
    seen_pos: 0.298,
    ...values,
  });
  const read = (...ac: readonly unknown[]) =>
    readBody(adsbLol, firstRequest(adsbLol, alps), { ac, msg: "No error", now: NOW, total: ac.length });

  test.each<readonly [PositionPlan, string]>([
    [{ icao24: "3c6444" }, "hex/3c6444"],
    [{ callsign: "DLH4AB" }, "callsign/DLH4AB"],
    [alps, "lat/46/lon/8/dist/104"],
  ])("%j is requested at %s", (plan, path) => {
    expect(firstRequest(adsbLol, plan).url).toBe(`https://api.adsb.lol/v2/${path}`);
  });

  test("a box is supported only if the circle around it has a radius of at most 250 nautical miles", () => {
    const wide = (degrees: number): PositionPlan => ({ box: { south: 0, west: 0, north: 0, east: degrees } });
    // 500 nautical miles of equator are 8.3275 degrees.
    expect([wide(8.32), wide(8.34), pacific, europe].map((plan) => adsbLol.answers?.(plan))).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  test("feet, knots and feet per minute become metres, knots and metres per second", () => {
    expect(read(aircraft()).records).toEqual([
      {
        icao24: "a3c9b4",
        callsign: "DAL1375",
        lat: 41.143892,
        lon: -79.072723,
        altitudeM: 9753.6,
        groundSpeedKts: 454.5,
        trackDeg: 42.15,
        verticalRate: -4.23,
        onGround: false,
        observedAt: NOW - 298,
        source: "POSITION_SOURCE_ADSB",
      },
    ]);
  });

  test.each<readonly [name: string, field: object, holds: object, lacks: readonly string[]]>([
    ["an aircraft on the ground, which has no altitude", { alt_baro: "ground" }, { onGround: true }, ["altitudeM"]],
    ["an address outside ICAO's register", { hex: "~279b9b" }, { icao24: "~279b9b" }, []],
    ["a blank callsign", { flight: "        " }, {}, ["callsign"]],
    ["no barometric altitude", { alt_baro: null }, { altitudeM: 10_050.78 }, []],
    ["no altitude at all", { alt_baro: null, alt_geom: undefined }, {}, ["altitudeM"]],
    ["no barometric climb", { baro_rate: undefined, geom_rate: 64 }, { verticalRate: 0.33 }, []],
    ["no movement", { gs: null, track: null, baro_rate: null }, {}, ["groundSpeedKts", "trackDeg"]],
    ["no position age", { seen_pos: undefined }, { observedAt: NOW }, []],
  ])("the right record is read from a row with %s", (_, field, holds, lacks) => {
    const [record] = read(aircraft(field)).records;
    expect(record).toMatchObject(holds);
    for (const name of lacks) expect(record).not.toHaveProperty(name);
  });

  test("an aircraft without a position is left out without counting as a bad row; a bad row is counted and skipped", () => {
    const rows = [aircraft(), aircraft({ lat: null }), aircraft({ hex: "zz" }), aircraft({ lat: 90.1 }), aircraft()];
    expect(read(...rows)).toMatchObject({ rowsRead: 5, rowsBad: 2, records: [{}, {}] });
  });

  test("an empty list is a valid answer; a document of another shape is not", () => {
    expect(read().records).toEqual([]);
    const request = firstRequest(adsbLol, alps);
    expect(failureOf(() => readBody(adsbLol, request, { aircraft: [], now: NOW })).kind).toBe("changed");
  });
});

describe("OpenSky", () => {
  const state = (changes: Readonly<Record<number, unknown>> = {}): unknown[] => {
    const vector: unknown[] = ["a4754b", "N387A   ", "United States", 1_634_471_388, 1_634_471_389, -96.1886, 36.016];
    vector.push(10_546.08, false, 203.82, 60.85, 2.28, null, 10_934.7, null, false, 0);
    for (const [index, value] of Object.entries(changes)) vector[Number(index)] = value;
    return vector;
  };
  const read = (states: readonly unknown[] | null) =>
    readBody(opensky, firstRequest(opensky, alps), { time: 1_634_471_390, states });

  test("a box across the antimeridian takes two requests, and any other box takes one", () => {
    const urls = (plan: PositionPlan) => requestsOf(opensky, plan).map(({ url }) => url.split("?")[1]);
    expect(urls(alps)).toEqual(["lamin=45&lomin=6&lamax=47&lomax=10"]);
    expect(urls(pacific)).toEqual([
      "lamin=-20&lomin=176&lamax=-15&lomax=180",
      "lamin=-20&lomin=-180&lamax=-15&lomax=-178",
    ]);
    expect(urls({ icao24: "3c6444" })).toEqual(["icao24=3c6444"]);
  });

  test.each<readonly [PositionPlan, boolean]>([
    [{ icao24: "3c6444" }, true],
    [{ icao24: "~3c6444" }, false],
    [{ callsign: "DLH4AB" }, false],
    [europe, true],
  ])("OpenSky supports the search %j: %s", (plan, expected) => {
    expect(opensky.answers?.(plan)).toBe(expected);
  });

  test("metres are kept, metres per second become knots, and seconds become milliseconds", () => {
    expect(read([state()]).records).toEqual([
      {
        icao24: "a4754b",
        callsign: "N387A",
        lat: 36.016,
        lon: -96.1886,
        altitudeM: 10_546.08,
        groundSpeedKts: 396.2,
        trackDeg: 60.85,
        verticalRate: 2.28,
        onGround: false,
        observedAt: 1_634_471_389_000,
        source: "POSITION_SOURCE_OPENSKY",
      },
    ]);
  });

  test.each<readonly [name: string, field: Readonly<Record<number, unknown>>, holds: object, lacks: readonly string[]]>(
    [
      ["an aircraft on the ground", { 7: null, 8: true, 13: null }, { onGround: true }, ["altitudeM"]],
      ["no barometric altitude", { 7: null }, { altitudeM: 10_934.7 }, []],
      ["an empty callsign", { 1: "" }, {}, ["callsign"]],
      ["no callsign", { 1: null }, {}, ["callsign"]],
      ["no climb", { 11: null }, {}, ["verticalRate"]],
      ["a category as an additional member", { 17: 3 }, { icao24: "a4754b" }, []],
    ],
  )("the right record is read from a state with %s", (_, field, holds, lacks) => {
    const [record] = read([state(field)]).records;
    expect(record).toMatchObject(holds);
    for (const name of lacks) expect(record).not.toHaveProperty(name);
  });

  test("an aircraft without a position is left out without counting as a bad row; a bad row is counted and skipped", () => {
    const rows = [state(), state({ 5: null, 6: null }), state({ 5: 181 }), "no vector", state(), state()];
    expect(read(rows)).toMatchObject({ rowsRead: 6, rowsBad: 2 });
    expect(read(rows).records).toHaveLength(3);
  });

  test("null instead of a list is a valid answer; a document of another shape is not", () => {
    expect(read(null).records).toEqual([]);
    const request = firstRequest(opensky, alps);
    expect(failureOf(() => readBody(opensky, request, { time: 1, vectors: [] })).kind).toBe("changed");
  });
});
