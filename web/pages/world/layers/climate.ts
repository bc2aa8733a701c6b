import type { AirQualityStation, ClimateAnomaly } from "../../../../src/sdk/index.js";
import { changeText, instantText, numberText } from "../../../format.js";
import { type ThingForm, wordsOf } from "../thing.js";
import { layerOf, presentFacts } from "./layer.js";

const SEVERITY_SIZES = {
  ANOMALY_SEVERITY_NORMAL: 0,
  ANOMALY_SEVERITY_MODERATE: 2,
  ANOMALY_SEVERITY_EXTREME: 3,
} as const;
const RISK_SIZES = { good: 0, moderate: 1, unhealthy: 2, hazardous: 3 } as const;

/** Temperature and rain of climate zones, compared with normal. */
export const climateZones = layerOf({
  id: "climate",
  name: "Climate zones",
  extent: "7 days against 1991-2020",
  sizes: "difference from normal: normal, moderate, extreme",
  shape: "hexagon",
  tone: 1,
  call: "list-climate-anomalies",
  dataset: "climate-anomalies",
  rows: ({ anomalies }) => anomalies,
  thing: (row: ClimateAnomaly): ThingForm => {
    const warmth = `${changeText(row.tempDelta)} °C`;
    const rain = `${changeText(row.precipDelta)} mm per day`;
    return {
      id: row.zone,
      title: row.zone,
      place: row.location && { lat: row.location.latitude, lon: row.location.longitude },
      where: "",
      countries: [],
      at: undefined,
      size: SEVERITY_SIZES[row.severity],
      measure: `${warmth}, ${rain}`,
      facts: () =>
        presentFacts(
          ["Period", row.period],
          ["Temperature against 1991-2020", warmth],
          ["Precipitation against 1991-2020", rain],
          ["Difference", `${wordsOf(row.severity, "ANOMALY_SEVERITY_")}, mostly ${wordsOf(row.type, "ANOMALY_TYPE_")}`],
        ),
      source: "",
    };
  },
});

/** Air quality at stations and in cities. */
export const airQuality = layerOf({
  id: "air",
  name: "Air quality",
  extent: "newest readings",
  sizes: "index: good, moderate from 51, unhealthy from 101, hazardous from 301",
  shape: "circle",
  tone: 4,
  call: "list-air-quality-data",
  dataset: "air-quality",
  rows: ({ stations }) => stations,
  thing: (row: AirQualityStation): ThingForm => ({
    id: [row.city, row.station, row.lat, row.lng].filter((part) => part !== undefined).join("|"),
    title: row.station ?? row.city,
    place: row.lat === undefined || row.lng === undefined ? undefined : { lat: row.lat, lon: row.lng },
    where: row.city,
    countries: row.countryCode === undefined ? [] : [row.countryCode],
    at: row.measuredAt,
    size: RISK_SIZES[row.riskLevel],
    measure: `index ${numberText(row.aqi)}, ${row.riskLevel}`,
    facts: () =>
      presentFacts(
        ["US EPA index", `${numberText(row.aqi)} of 500, ${row.riskLevel}`],
        ["Fine particles", row.pm25 === undefined ? undefined : `${numberText(row.pm25, 1)} µg/m³`],
        ["Pollutant behind the index", row.pollutant],
        ["Measured", `${instantText(row.measuredAt)} UTC`],
      ),
    source: row.source,
  }),
});
