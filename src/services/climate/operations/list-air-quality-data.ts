import { Type } from "typebox";
import { epochMs } from "../../../contract/field.js";
import { operation } from "../../../contract/operation.js";
import { airQuality } from "../datasets/air-quality.js";
import { AirQualityStation } from "../records.js";

/**
 * Identifies a station by source, position and its own name. `city` is only the last resort, because it changes when
 * another station of the same town is listed.
 */
const identityOf = ({ source, lat, lng, station, city }: AirQualityStation): string => {
  if (lat === undefined || lng === undefined) return `${source} ${station ?? city}`;
  const place = `${source} ${lat},${lng}`;
  return station === undefined ? place : `${place} ${station}`;
};

/** Current air quality, worst first. Sources: Open-Meteo (model), OpenAQ, WAQI. */
export const listAirQualityData = operation({
  rpc: "list-air-quality-data",
  summary: "Air quality of stations and cities, worst first",
  description:
    "Readings of the last two hours with the US EPA index, highest first. An empty list with `fetchedAt` 0 means that no data is available.",
  cache: "fast",
  reads: { air: airQuality },
  query: {},
  response: Type.Object(
    {
      fetchedAt: epochMs("Time of collection; 0 without data"),
      stations: Type.Array(AirQualityStation, { description: "Highest index first" }),
    },
    { title: "ListAirQualityDataResponse" },
  ),
  list: { rows: "stations", identity: identityOf, location: ["lat", "lng"] },
  examples: [{}, { jmespath: "stations[:5].[city, aqi]" }],
  run: (_query, { air }, { tally }) =>
    air.available ? { fetchedAt: air.builtAt, stations: [...tally.whole(air.view)] } : { fetchedAt: 0, stations: [] },
});
