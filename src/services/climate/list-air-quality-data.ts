import { Type } from "typebox";
import { epochMs } from "../../contract/field.js";
import { operation } from "../../contract/operation.js";
import { airQuality } from "./datasets/air-quality.js";
import { AirQualityStation } from "./records.js";

/** Air quality of now, the worst first. Sources: Open-Meteo (model), OpenAQ, WAQI. */
export const listAirQualityData = operation({
  rpc: "list-air-quality-data",
  summary: "Air quality of stations and cities, the worst first",
  description:
    "PM2.5 and the US EPA air quality index of the last two hours. `fetchedAt` is when this content was collected; 0 with an empty list means that no data could be served.",
  cache: "fast",
  reads: { air: airQuality },
  query: {},
  response: Type.Object(
    {
      fetchedAt: epochMs("When this content was collected; 0 without data"),
      stations: Type.Array(AirQualityStation, { description: "Highest index first" }),
    },
    { title: "ListAirQualityDataResponse" },
  ),
  examples: [{}, { jmespath: "stations[:5].[city, aqi]" }],
  run: (_query, { air }) =>
    air.available ? { fetchedAt: air.builtAt, stations: [...air.view] } : { fetchedAt: 0, stations: [] },
});
