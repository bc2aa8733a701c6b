import { expect, test } from "vitest";
import { absent, BUILT_AT, snapshotOf, storedAnswerOf } from "../../../../test/support/stored-answers.js";
import { viewOf } from "../../../../test/support/views.js";
import { airQuality } from "../datasets/air-quality.js";
import type { AirQualityStation } from "../records.js";
import { listAirQualityData } from "./list-air-quality-data.js";

const station = (city: string, aqi: number): AirQualityStation => ({
  city,
  aqi,
  riskLevel: "moderate",
  measuredAt: BUILT_AT,
  source: "Test",
});

test("list-air-quality-data serves the stations of all networks, highest index first", () => {
  const records = { openaq: [station("Oslo", 20)], waqi: [station("Delhi", 312)], cities: [station("Lima", 90)] };
  const air = snapshotOf(viewOf(airQuality, records));
  expect(storedAnswerOf(listAirQualityData, "", { air })).toEqual({
    fetchedAt: BUILT_AT,
    stations: [station("Delhi", 312), station("Lima", 90), station("Oslo", 20)],
  });
});

test("list-air-quality-data answers with an empty list and `fetchedAt: 0` while nothing is stored", () => {
  expect(storedAnswerOf(listAirQualityData, "", { air: absent })).toEqual({ fetchedAt: 0, stations: [] });
});
