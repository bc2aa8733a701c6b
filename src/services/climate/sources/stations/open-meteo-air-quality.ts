import { Type } from "typebox";
import { BadRow, source } from "../../../../contract/source.js";
import { type City, cities } from "../../../../geography/cities.js";
import type { AirQualityStation } from "../../records.js";
import { aqiOfPm25, riskLevelOf } from "../../rules/air-quality.js";
import { locationsOf, openMeteoLicence } from "../open-meteo-archive.js";

const CITIES_PER_CALL = 100;

const batches = Array.from({ length: Math.ceil(cities.length / CITIES_PER_CALL) }, (_, index) =>
  cities.slice(index * CITIES_PER_CALL, (index + 1) * CITIES_PER_CALL),
);

const list = (asked: readonly City[], degreesOf: (city: City) => number): string => asked.map(degreesOf).join(",");

/** Modelled PM2.5 of now in a fixed list of cities, from the Copernicus atmosphere model. */
export const openMeteoAirQuality = source({
  id: "open-meteo-air-quality",
  title: "Open-Meteo air quality, cities of the world",
  home: "https://open-meteo.com/en/docs/air-quality-api",
  seen: "described",
  licence: {
    ...openMeteoLicence,
    attribution: "Air quality by Open-Meteo.com; CAMS by Copernicus Atmosphere Monitoring Service",
  },
  requests: (_plan: object) =>
    batches.map((asked, index) => ({
      key: `cities ${index + 1}`,
      url: `https://air-quality-api.open-meteo.com/v1/air-quality?latitude=${list(asked, ({ latitude }) => latitude)}&longitude=${list(asked, ({ longitude }) => longitude)}&current=pm2_5,us_aqi&timezone=UTC`,
      format: { kind: "json" },
    })),
  row: Type.Object({
    city: Type.Integer(),
    location: Type.Object({
      utc_offset_seconds: Type.Number(),
      current: Type.Object({ time: Type.String(), pm2_5: Type.Union([Type.Number(), Type.Null()]) }),
    }),
  }),
  *rows(document, { key }) {
    const batch = Number(key.split(" ")[1]) - 1;
    const asked = batches[batch] ?? [];
    const locations = locationsOf(document, asked.length);
    for (const index of asked.keys()) yield { city: batch * CITIES_PER_CALL + index, location: locations[index] };
  },
  record({ city: index, location: { current, utc_offset_seconds: offsetSeconds } }): AirQualityStation | undefined {
    const city = cities[index];
    const { pm2_5: pm25 } = current;
    // Local time without its offset, which stands beside it.
    const local = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(current.time) ? Date.parse(`${current.time}Z`) : Number.NaN;
    if (!city || Number.isNaN(local)) throw new BadRow(`"${current.time.slice(0, 20)}" is no local time`);
    if (pm25 === null) return undefined;
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
  observedAt: ({ measuredAt }) => measuredAt,
});
