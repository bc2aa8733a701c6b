import type { AirportDelayAlert, PositionSample } from "../../../../src/sdk/index.js";
import { changeText, instantText, numberText } from "../../../format.js";
import { countryCodesIn } from "../countries.js";
import { type ThingForm, wordsOf } from "../thing.js";
import { layerOf, presentFacts } from "./layer.js";

const SEVERITY_SIZES = {
  FLIGHT_DELAY_SEVERITY_UNSPECIFIED: "unknown",
  FLIGHT_DELAY_SEVERITY_NORMAL: 0,
  FLIGHT_DELAY_SEVERITY_MINOR: 1,
  FLIGHT_DELAY_SEVERITY_MODERATE: 2,
  FLIGHT_DELAY_SEVERITY_MAJOR: 3,
  FLIGHT_DELAY_SEVERITY_SEVERE: 3,
  FLIGHT_DELAY_SEVERITY_UNKNOWN: "unknown",
} as const;

/** Delays at the monitored airports. */
export const airports = layerOf({
  id: "airports",
  name: "Airports",
  extent: "delays now",
  sizes: "delays: normal, minor, moderate, major or severe; hollow if no source answered",
  shape: "plus",
  tone: 1,
  call: "list-airport-delays",
  dataset: "airport-delays",
  rows: ({ alerts }) => alerts,
  thing: (row: AirportDelayAlert): ThingForm => {
    const severity = wordsOf(row.severity, "FLIGHT_DELAY_SEVERITY_");
    const delay = row.avgDelayMinutes === undefined ? undefined : `${numberText(row.avgDelayMinutes)} min`;
    return {
      // The row's own id is not stable: its prefix states what happens at the airport.
      id: row.iata,
      title: `${row.iata} ${row.name}`,
      place: row.location && { lat: row.location.latitude, lon: row.location.longitude },
      where: `${row.city}, ${row.country}`,
      countries: countryCodesIn(row.country),
      at: row.updatedAt,
      size: SEVERITY_SIZES[row.severity],
      measure: severity === "unknown" ? "no source answered" : [severity, delay].filter(Boolean).join(", "),
      facts: () =>
        presentFacts(
          ["Delays", severity === "unknown" ? "no source answered" : severity],
          ["Kind", row.delayType.endsWith("UNSPECIFIED") ? undefined : wordsOf(row.delayType, "FLIGHT_DELAY_TYPE_")],
          ["Mean delay", delay],
          [
            "Delayed flights",
            row.delayedFlightsPct === undefined ? undefined : `${numberText(row.delayedFlightsPct, 1)} %`,
          ],
          ["Cancelled", row.cancelledFlights === undefined ? undefined : `${numberText(row.cancelledFlights)} flights`],
          ["Counted", row.totalFlights === undefined ? undefined : `${numberText(row.totalFlights)} flights`],
          ["Reason", row.reason],
          ["Reported", row.updatedAt === undefined ? "not known" : `${instantText(row.updatedAt)} UTC`],
        ),
      source: wordsOf(row.source, "FLIGHT_DELAY_SOURCE_"),
    };
  },
});

const TROUBLES: Readonly<Record<string, string>> = {
  invalid: "The box is not valid.",
  error: "No provider of positions could be reached.",
  unavailable: "No provider of positions is set up.",
};

/** Aircraft in the box that was in view when they were requested. */
export const aircraft = layerOf({
  id: "aircraft",
  name: "Aircraft in view",
  extent: "read on request",
  sizes: "the same for all; hollow on the ground",
  shape: "dart",
  tone: 3,
  call: "track-aircraft",
  hasPast: false,
  isOnDemand: true,
  params: ({ box: [swLat, swLon, neLat, neLon] }) => ({ swLat, swLon, neLat, neLon }),
  rows: ({ positions }) => positions,
  trouble: ({ source }) => TROUBLES[source],
  thing: (row: PositionSample): ThingForm => ({
    id: row.icao24,
    title: row.callsign ?? row.icao24,
    place: { lat: row.lat, lon: row.lon },
    where: "",
    countries: [],
    at: row.observedAt,
    heading: row.trackDeg,
    size: row.onGround ? "unknown" : 1,
    measure: row.altitudeM === undefined ? "altitude unknown" : `${numberText(row.altitudeM)} m`,
    facts: () =>
      presentFacts(
        ["Address", row.icao24],
        ["Reported", `${instantText(row.observedAt)} UTC`],
        ["On the ground", row.onGround ? "yes" : "no"],
        ["Altitude", row.altitudeM === undefined ? "not known" : `${numberText(row.altitudeM)} m`],
        ["Ground speed", row.groundSpeedKts === undefined ? undefined : `${numberText(row.groundSpeedKts, 1)} kt`],
        ["Track", row.trackDeg === undefined ? undefined : `${numberText(row.trackDeg)}°`],
        ["Climb", row.verticalRate === undefined ? undefined : `${changeText(row.verticalRate)} m/s`],
      ),
    source: wordsOf(row.source, "POSITION_SOURCE_"),
  }),
});
