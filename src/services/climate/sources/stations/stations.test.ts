import { describe, expect, test } from "vitest";
import {
  failureOf,
  firstRequest,
  readBody,
  requestAbout,
  requestsOf,
  servedOf,
} from "../../../../../test/support/reading.js";
import { cities } from "../../../../geography/cities.js";
import { airQuality } from "../../datasets/air-quality.js";
import { positionOf } from "./coordinates.js";
import { openMeteoAirQuality } from "./open-meteo-air-quality.js";
import { openAq } from "./openaq.js";
import { waqi } from "./waqi.js";

const hour = Date.UTC(2026, 10, 18, 12);

describe("OpenAQ", () => {
  const since = Date.UTC(2026, 10, 18, 10);
  const [locations, latest] = requestsOf(openAq, { since }, { OPENAQ_API_KEY: "secret" });
  if (!locations || !latest) throw new Error("expected requests for two lists");
  const place = (id: number, values: object = {}) => ({
    id,
    name: `Station ${id}`,
    locality: null,
    country: { code: "FR" },
    coordinates: { latitude: 48.86, longitude: 2.35 },
    ...values,
  });
  const reading = (id: number, value: number | string, utc = "2026-11-18T12:00:00Z") => ({
    locationsId: id,
    value,
    datetime: { utc },
  });
  const joined = (places: readonly object[], readings: readonly object[]) =>
    servedOf(openAq, [
      [locations, readBody(openAq, locations, { results: places })],
      [latest, readBody(openAq, latest, { results: readings })],
    ]);

  test("both lists are requested with the key in a header", () => {
    expect([locations, latest].map(({ url }) => url)).toEqual([
      "https://api.openaq.org/v3/locations?parameters_id=2&limit=1000&page=1",
      "https://api.openaq.org/v3/parameters/2/latest?datetime_min=2026-11-18T10:00:00Z&limit=1000&page=1",
    ]);
    for (const { secretHeaders } of [locations, latest]) expect(secretHeaders).toEqual({ "X-API-Key": "secret" });
  });

  test("the next page is requested after a full page, up to the twentieth", () => {
    const full = { results: Array.from({ length: 1_000 }, (_, id) => place(id)) };
    const { more } = readBody(openAq, locations, full);
    expect(more).toMatchObject([{ key: "locations 2", url: expect.stringContaining("page=2") }]);
    const fullOfReadings = { results: Array.from({ length: 1_000 }, (_, id) => reading(id, 5)) };
    const [second] = readBody(openAq, latest, fullOfReadings).more;
    expect(second?.url).toBe(latest.url.replace("page=1", "page=2"));
    expect(readBody(openAq, requestAbout(openAq, "locations", { since, page: 20 }), full).more).toEqual([]);
    expect(readBody(openAq, locations, { results: [place(1)] }).more).toEqual([]);
  });

  describe("a list that continues after the twentieth page", () => {
    const last = requestAbout(openAq, "locations", { since, page: 20 });
    const full = (total?: unknown) => ({
      results: Array.from({ length: 1_000 }, (_, id) => place(id)),
      ...(total !== undefined && { meta: { found: total } }),
    });
    const sentence = "it lists more than 20000 stations; the rest was not read";

    test.each([
      ["of unknown length", undefined, sentence],
      ["of more than 1,000", ">1000", sentence],
      ["of 20,001", 20_001, sentence],
      ["of exactly 20,000", 20_000, undefined],
    ])("if the list is %s, the message about unread stations is: %s", (_, total, lacks) => {
      expect(readBody(openAq, last, full(total)).lacks).toBe(lacks);
      expect(readBody(openAq, locations, full(total)).lacks).toBeUndefined();
      expect(readBody(openAq, last, { results: [place(1)] }).lacks).toBeUndefined();
    });

    test("a truncation marker stored by an earlier version becomes the message about unread stations", () => {
      const [station] = joined([place(1)], [reading(1, 5)]);
      const { opened } = airQuality.parts.openaq;
      expect(opened?.([station, { kind: "cut", of: "locations" }])).toEqual({ records: [station], lacking: sentence });
      expect(opened?.([station])).toEqual({ records: [station] });
    });
  });

  test("a reading has its station's position", () => {
    expect(joined([place(1, { locality: "Paris" })], [reading(1, 12.1)])).toEqual([
      {
        city: "Paris",
        station: "Station 1",
        countryCode: "FR",
        lat: 48.86,
        lng: 2.35,
        aqi: 51,
        riskLevel: "moderate",
        pm25: 12.1,
        pollutant: "pm25",
        measuredAt: hour,
        source: "OpenAQ",
      },
    ]);
  });

  describe("the name of a city", () => {
    const citiesOf = (places: readonly object[], readings = places.map((_, index) => reading(index + 1, 5))) =>
      joined(places, readings).map(({ city }) => city);
    const inParis = (id: number, values: object = {}) => place(id, { locality: " Paris ", ...values });

    test("a city's name is the locality, or the station's own name if there is no locality", () => {
      expect(citiesOf([inParis(1), place(2, { name: " Nord " }), place(3, { name: null, locality: "" })])).toEqual([
        "Paris",
        "Nord",
        "OpenAQ station 3",
      ]);
    });

    test("a city's name begins with the station's own name if several stations share the locality", () => {
      expect(citiesOf([inParis(1, { name: "Opéra " }), inParis(2, { name: "Paris 13e" })])).toEqual([
        "Opéra, Paris",
        "Paris 13e",
      ]);
    });

    test("a city's name is the locality alone if no other station with a reading shares locality and country", () => {
      expect(citiesOf([inParis(1)], [reading(1, 5), reading(1, 6)])).toEqual(["Paris", "Paris"]);
      expect(citiesOf([inParis(1), inParis(2, { country: { code: "US" } })])).toEqual(["Paris", "Paris"]);
      expect(citiesOf([inParis(1), inParis(2)], [reading(2, 5)])).toEqual(["Paris"]);
    });
  });

  test("a reading is dropped if its station is unknown, and a station is dropped if it has no reading", () => {
    expect(joined([place(1)], [reading(2, 5)])).toEqual([]);
  });

  test.each([
    [{ coordinates: null }, undefined],
    [{ coordinates: { latitude: null, longitude: null } }, undefined],
    [{ coordinates: { latitude: -16.5, longitude: 208.2 } }, -151.8],
  ])("a station with %j has the longitude %s", (values, lng) => {
    const [station] = joined([place(1, values)], [reading(1, 5)]);
    const longitude = station?.lng;
    if (lng === undefined) expect(station).not.toHaveProperty("lat");
    else expect(longitude).toBeCloseTo(lng, 6);
  });

  test("a negative value is a missing reading; a string and an implausible value are bad rows", () => {
    const results = [reading(1, -1), reading(1, "5"), reading(1, 99_999), reading(1, 1), reading(1, 2)];
    expect(readBody(openAq, latest, { results })).toMatchObject({
      rowsRead: 5,
      rowsBad: 2,
      records: { length: 2 },
    });
  });
});

describe("WAQI", () => {
  const request = firstRequest(waqi, {}, { WAQI_API_KEY: "secret" });
  const station = (aqi: string | number, values: object = {}) => ({
    lat: 48.86,
    lon: 2.35,
    uid: -1,
    aqi,
    station: { name: "Paris, France", time: "2026-11-18T21:00:00+09:00" },
    ...values,
  });

  test("the world is requested in six tiles, with the token outside the logged address", () => {
    const requests = requestsOf(waqi, {}, { WAQI_API_KEY: "secret" });
    expect(requests.map(({ url }) => url.split("latlng=")[1])).toEqual([
      "-90,-180,0,-60",
      "-90,-60,0,60",
      "-90,60,0,180",
      "0,-180,90,-60",
      "0,-60,90,60",
      "0,60,90,180",
    ]);
    for (const { secretQuery } of requests) expect(secretQuery).toEqual({ token: "secret" });
  });

  test("the index may be a string or a number, and the reading has no pollutant", () => {
    expect(readBody(waqi, request, { status: "ok", data: [station("157"), station(42)] }).records).toEqual([
      {
        city: "Paris, France",
        countryCode: "FR",
        lat: 48.86,
        lng: 2.35,
        aqi: 157,
        riskLevel: "unhealthy",
        measuredAt: hour,
        source: "WAQI",
      },
      expect.objectContaining({ aqi: 42, riskLevel: "good" }),
    ]);
  });

  test("a dash is a missing value; a word is a bad row", () => {
    const data = [station("-"), station("high"), station("1"), station("2")];
    expect(readBody(waqi, request, { status: "ok", data })).toMatchObject({
      rowsRead: 4,
      rowsBad: 1,
      records: { length: 2 },
    });
  });

  test("a refusal with status 200 is reported as unavailable, with the message from its data", () => {
    const failed = failureOf(() => readBody(waqi, request, { status: "error", data: "Invalid key" }));
    expect([failed.kind, failed.message]).toEqual(["unavailable", 'WAQI answered "Invalid key"']);
    expect(failureOf(() => readBody(waqi, request, { status: "ok" })).kind).toBe("changed");
  });
});

describe("Open-Meteo's air quality", () => {
  const requests = requestsOf(openMeteoAirQuality, {});
  const batch = (count: number, values: object = {}) =>
    Array.from({ length: count }, () => ({
      utc_offset_seconds: 3_600,
      current: { time: "2026-11-18T13:00", interval: 900, pm2_5: 35.5, us_aqi: 99, ...values },
    }));

  test("every city is requested once, a hundred at a time", () => {
    expect(cities.length).toBeGreaterThanOrEqual(200);
    const queries = requests.flatMap(({ url }) => new URL(url).searchParams.get("latitude")?.split(",") ?? []);
    expect(queries).toEqual(cities.map(({ latitude }) => String(latitude)));
    expect(
      Math.max(...requests.map(({ url }) => new URL(url).searchParams.get("latitude")?.split(",").length ?? 0)),
    ).toBe(100);
  });

  test("the index is computed from PM2.5, and the local time is converted to UTC", () => {
    const second = requests[1];
    if (!second) throw new Error("expected a second batch");
    const [reading] = readBody(openMeteoAirQuality, second, batch(100)).records;
    const city = cities[100];
    expect(reading).toEqual({
      city: city?.name,
      countryCode: city?.countryCode,
      lat: city?.latitude,
      lng: city?.longitude,
      aqi: 101,
      riskLevel: "unhealthy",
      pm25: 35.5,
      pollutant: "pm25",
      measuredAt: hour,
      source: "Open-Meteo (model)",
    });
  });

  test("null is a missing value, and an answer without times of day is reported as changed", () => {
    const first = requests[0];
    if (!first) throw new Error("expected a first batch");
    expect(readBody(openMeteoAirQuality, first, batch(100, { pm2_5: null }))).toMatchObject({
      records: [],
      rowsBad: 0,
    });
    expect(failureOf(() => readBody(openMeteoAirQuality, first, batch(100, { time: "2026-11-18" }))).kind).toBe(
      "changed",
    );
  });
});

test.each([
  [48, 2, { lat: 48, lng: 2 }],
  [-16, 208.2, { lat: -16, lng: 208.2 - 360 }],
  [90.1, 0, undefined],
  [0, 360.1, undefined],
  [0, -180.1, undefined],
  [Number.NaN, 0, undefined],
  ["48", 2, undefined],
  [null, null, undefined],
])("the coordinates %s, %s are read as %j", (latitude, longitude, position) => {
  expect(positionOf(latitude, longitude)).toEqual(position);
});
