import type { ClimateDisaster, Earthquake, NaturalEvent } from "../../../../src/sdk/index.js";
import { instantText, numberText } from "../../../format.js";
import { countryCodesIn } from "../countries.js";
import { type MarkSize, sizeBy, type ThingForm } from "../thing.js";
import { layerOf, presentFacts } from "./layer.js";

const SEVERITY_SIZES: Readonly<Record<string, MarkSize>> = { green: 1, medium: 2, orange: 2, red: 3, high: 3 };

/** Disasters that are under way, announced, or over but still listed by their source. */
export const disasters = layerOf({
  id: "disasters",
  name: "Disasters",
  extent: "current and recent",
  sizes: "severity: green, then orange or medium, then red or high",
  shape: "triangle",
  tone: 2,
  call: "list-climate-disasters",
  dataset: "climate-disasters",
  rows: ({ disasters: rows }) => rows,
  thing: (row: ClimateDisaster): ThingForm => ({
    id: row.id,
    title: row.name,
    place: row.lat === undefined || row.lng === undefined ? undefined : { lat: row.lat, lon: row.lng },
    where: row.country,
    countries: row.countryCodes ?? (row.countryCode === undefined ? countryCodesIn(row.country) : [row.countryCode]),
    at: row.startedAt,
    until: row.status === "past" ? row.startedAt : Number.POSITIVE_INFINITY,
    size: SEVERITY_SIZES[row.severity ?? ""] ?? "unknown",
    measure: row.severity === undefined ? "severity unknown" : `severity ${row.severity}`,
    facts: () =>
      presentFacts(
        ["Kind", row.type],
        ["Status", row.status],
        ["Start", row.startedAt === undefined ? "not known" : `${instantText(row.startedAt)} UTC`],
        ["Severity", row.severity ?? "not known"],
        [
          "Affected people",
          row.affectedPopulation === undefined ? "not counted" : `${numberText(row.affectedPopulation)} people`,
        ],
      ),
    source: row.source,
    sourceUrl: row.sourceUrl,
  }),
});

/** Natural events, storms included. Some of them may be marked as closed. */
export const naturalEvents = layerOf({
  id: "natural",
  name: "Natural events",
  extent: "open",
  sizes: "storm category: none, 1, 3, 5",
  shape: "wedge",
  tone: 4,
  call: "list-natural-events",
  dataset: "natural-events",
  rows: ({ events }) => events,
  trouble: ({ dataAvailable }) => (dataAvailable ? undefined : "No data is stored."),
  thing: (row: NaturalEvent): ThingForm => {
    const size =
      row.magnitude === undefined ? undefined : `${numberText(row.magnitude, 1)} ${row.magnitudeUnit ?? ""}`.trim();
    const wind = row.windKt === undefined ? undefined : `${row.windKt} kt`;
    return {
      id: row.id,
      title: row.title,
      place: { lat: row.lat, lon: row.lon },
      where: row.basin === undefined ? "" : `basin ${row.basin}`,
      countries: [],
      at: row.date,
      until: row.closed ? row.date : Number.POSITIVE_INFINITY,
      size: sizeBy(row.stormCategory ?? 0, [1, 3, 5]),
      measure: wind ?? size ?? row.categoryTitle,
      facts: () =>
        presentFacts(
          ["Kind", row.categoryTitle],
          ["Newest report", `${instantText(row.date)} UTC`],
          ["Size", size],
          ["Wind", wind && `${wind}, mean of ${row.windAveragingPeriodMinutes ?? "an unknown number of"} min`],
          ["Pressure", row.pressureMb === undefined ? undefined : `${row.pressureMb} hPa`],
          ["Closed", row.closed ? "yes" : "no"],
          ["Description", row.description],
        ),
      source: row.sourceName,
      sourceUrl: row.sourceUrl,
    };
  },
});

/** Earthquakes of magnitude 4.5 and above in the last seven days. */
export const earthquakes = layerOf({
  id: "earthquakes",
  name: "Earthquakes",
  extent: "magnitude 4.5 and more, 7 days",
  sizes: "magnitude: 4.5, 5, 6, 7",
  shape: "ring",
  tone: 6,
  call: "list-earthquakes",
  dataset: "earthquakes",
  rows: ({ earthquakes: rows }) => rows,
  thing: (row: Earthquake): ThingForm => ({
    id: row.id,
    title: row.place ?? "Place not named",
    place: row.location && { lat: row.location.latitude, lon: row.location.longitude },
    where: "",
    countries: [],
    at: row.occurredAt,
    size: sizeBy(row.magnitude, [5, 6, 7]),
    measure: `magnitude ${numberText(row.magnitude, 1)}`,
    facts: () =>
      presentFacts(
        ["Time", `${instantText(row.occurredAt)} UTC`],
        ["Magnitude", numberText(row.magnitude, 1)],
        ["Depth", row.depthKm === undefined ? "not known" : `${numberText(row.depthKm, 1)} km`],
        ["Near a nuclear test site", row.testSiteName],
        ["Concern", row.concernLevel],
      ),
    source: row.source === "usgs" ? "US Geological Survey" : "Natural Resources Canada",
    sourceUrl: row.sourceUrl,
  }),
});
