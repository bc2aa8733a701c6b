import { Type } from "typebox";
import { BadRow, LeftOut, source, step } from "../../../../contract/source.js";
import { type City, cities } from "../../../../geography/cities.js";
import type { AirQualityStation } from "../../records.js";
import { aqiOfPm25, riskLevelOf } from "../../rules/air-quality.js";
import { airRanges } from "../climate-ranges.js";
import { locationsOf, openMeteoLicence } from "../open-meteo-archive.js";

const CITIES_PER_CALL = 100;

/** The cities of one request. */
interface Batch {
  /** From 1. */
  readonly number: number;
  readonly cities: readonly City[];
}

const batches = Array.from(
  { length: Math.ceil(cities.length / CITIES_PER_CALL) },
  (_, index): Batch => ({
    number: index + 1,
    cities: cities.slice(index * CITIES_PER_CALL, (index + 1) * CITIES_PER_CALL),
  }),
);

const degrees = (batch: readonly City[], degreesOf: (city: City) => number): string => batch.map(degreesOf).join(",");

/** Current PM2.5 in a fixed list of cities, modelled by the Copernicus atmosphere model. */
export const openMeteoAirQuality = source({
  id: "open-meteo-air-quality",
  title: "Open-Meteo air quality, cities of the world",
  home: "https://open-meteo.com/en/docs/air-quality-api",
  seen: "described",
  licence: {
    ...openMeteoLicence,
    attribution: "Air quality by Open-Meteo.com; CAMS by Copernicus Atmosphere Monitoring Service",
  },
  steps: {
    batch: step({
      ask: () => batches,
      request: ({ number, cities }) => ({
        key: `cities ${number}`,
        url: `https://air-quality-api.open-meteo.com/v1/air-quality?latitude=${degrees(cities, ({ latitude }) => latitude)}&longitude=${degrees(cities, ({ longitude }) => longitude)}&current=pm2_5,us_aqi&timezone=UTC`,
      }),
      format: { kind: "json" },
      row: Type.Object({
        index: Type.Integer(),
        location: Type.Object({
          utc_offset_seconds: Type.Number(),
          current: Type.Object({ time: Type.String(), pm2_5: Type.Union([Type.Number(), Type.Null()]) }),
        }),
      }),
      *rows(document, { cities }) {
        const locations = locationsOf(document, cities.length);
        for (const index of cities.keys()) yield { index, location: locations[index] };
      },
      record(
        { index, location: { current, utc_offset_seconds: offsetSeconds } },
        { cities },
      ): AirQualityStation | LeftOut {
        const city = cities[index];
        const { pm2_5: pm25 } = current;
        // Local time without a UTC offset; the offset is a separate member.
        const local = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(current.time)
          ? Date.parse(`${current.time}Z`)
          : Number.NaN;
        if (!city || Number.isNaN(local)) throw new BadRow(`"${current.time.slice(0, 20)}" is not a local time`);
        if (pm25 === null) return new LeftOut("no value");
        if (pm25 < 0) throw new BadRow(`${pm25} µg/m³ of PM2.5`);
        const aqi = aqiOfPm25(pm25);
        return {
          city: city.name,
          countryCode: city.countryCode,
          lat: city.latitude,
          lng: city.longitude,
          aqi,
          riskLevel: riskLevelOf(aqi),
          pm25,
          pollutant: "pm25",
          measuredAt: local - offsetSeconds * 1_000,
          source: "Open-Meteo (model)",
        };
      },
    }),
  },
  ranges: airRanges,
  observedAt: ({ measuredAt }) => measuredAt,
});
