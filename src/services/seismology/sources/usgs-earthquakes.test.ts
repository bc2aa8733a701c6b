import { describe, expect, test } from "vitest";
import { failureOf, firstRequest, readBody } from "../../../../test/support/reading.js";
import { recorded, recordedTitle, recordingsAbsent } from "../../../../test/support/recordings.js";
import { usgsEarthquakes } from "./usgs-earthquakes.js";

const request = firstRequest(usgsEarthquakes, {});
const at = Date.UTC(2026, 10, 18, 9);
const feature = (properties: object = {}, coordinates: readonly unknown[] = [21.5, 38.9, 10]) => ({
  type: "Feature",
  id: "us7000c93g",
  properties: { mag: 4.8, place: "11 km WSW of Kerasochóri, Greece", time: at, url: "https://x.test/1", ...properties },
  geometry: { type: "Point", coordinates },
});
const read = (...features: readonly object[]) =>
  readBody(usgsEarthquakes, request, { type: "FeatureCollection", features });

test("a feature becomes an earthquake with its depth below sea level", () => {
  expect(read(feature()).records).toEqual([
    {
      id: "us7000c93g",
      place: "11 km WSW of Kerasochóri, Greece",
      magnitude: 4.8,
      depthKm: 10,
      location: { latitude: 38.9, longitude: 21.5 },
      occurredAt: at,
      sourceUrl: "https://x.test/1",
      source: "usgs",
    },
  ]);
});

test("an event without a magnitude is omitted, but is not a bad row", () => {
  expect(read(feature({ mag: null }), feature())).toMatchObject({ rowsBad: 0, records: [{ magnitude: 4.8 }] });
});

test("an unknown place and depth are absent", () => {
  const [record] = read(feature({ place: null }, [21.5, 38.9, null])).records;
  expect(record).not.toHaveProperty("place");
  expect(record).not.toHaveProperty("depthKm");
});

test.each([
  ["an out-of-range position", feature({}, [0, 91, 10])],
  ["an impossible magnitude", feature({ mag: 48 })],
  ["a depth below the mantle", feature({}, [0, 0, 9_000])],
])("a row with %s is skipped", (_name, broken) => {
  expect(read(feature(), broken, feature())).toMatchObject({ rowsRead: 3, rowsBad: 1 });
});

test("a document that is not a feature collection is reported as a changed document", () => {
  expect(failureOf(() => readBody(usgsEarthquakes, request, { features: [] })).kind).toBe("changed");
});

describe.skipIf(recordingsAbsent)(recordedTitle, () => {
  test.each([
    ["groups-hazards/usgs-earthquakes/4.5_week.2020-11-02.geojson", 103],
    ["groups-hazards/usgs-earthquakes/all_week.2023-08-04.geojson", 1_500],
    ["usgs-earthquakes/earthquakes.json", 1_700],
  ])("%s: the magnitude, time, position and depth of every event with a magnitude are read", (file, atLeast) => {
    const body = recorded(file);
    const { features } = JSON.parse(body) as {
      features: { id: string; properties: { mag: number | null; time: number }; geometry: { coordinates: number[] } }[];
    };
    const reading = readBody(usgsEarthquakes, request, body);
    const expected = features
      .filter(({ properties }) => properties.mag !== null)
      .map(({ id, properties: { mag, time }, geometry: { coordinates } }) => [id, mag, time, ...coordinates]);
    const records = reading.records as readonly {
      id: string;
      magnitude: number;
      occurredAt: number;
      depthKm: number;
      location: { latitude: number; longitude: number };
    }[];
    expect(
      records.map(({ id, magnitude, occurredAt, location, depthKm }) => [
        id,
        magnitude,
        occurredAt,
        location.longitude,
        location.latitude,
        depthKm,
      ]),
    ).toEqual(expected);
    expect(expected.length).toBeGreaterThanOrEqual(atLeast);
    expect(reading.rowsBad).toBe(0);
  });
});
