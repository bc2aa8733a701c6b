import { Type } from "typebox";
import { Value } from "typebox/value";
import { LeftOut, SourceFailure, source, step } from "../../../contract/source.js";
import { HOUR_MS } from "../../../kit/clock.js";
import type { StoredEarthquake } from "../records.js";
import { seismicRanges } from "./seismic-ranges.js";

const Collection = Type.Object({ type: Type.Literal("FeatureCollection"), features: Type.Array(Type.Unknown()) });

const Missing = Type.Null();

/** Earthquakes of magnitude 4.5 and more worldwide in the last seven days. */
export const usgsEarthquakes = source({
  id: "usgs-earthquakes",
  title: "US Geological Survey, earthquakes of magnitude 4.5 and more of the past week",
  home: "https://earthquake.usgs.gov/earthquakes/feed/v1.0/geojson.php",
  seen: "recorded",
  licence: { name: "US government work", attribution: "U.S. Geological Survey", open: true },
  steps: {
    week: step({
      request: () => ({
        key: "week",
        url: "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/4.5_week.geojson",
      }),
      format: { kind: "json" },
      row: Type.Object({
        id: Type.String({ minLength: 1, maxLength: 100 }),
        properties: Type.Object({
          mag: Type.Union([Type.Number(), Missing]),
          place: Type.Optional(Type.Union([Type.String(), Missing])),
          time: Type.Integer(),
          url: Type.Optional(Type.String({ pattern: "^https?://" })),
        }),
        geometry: Type.Object({
          coordinates: Type.Array(Type.Union([Type.Number(), Missing]), { minItems: 2 }),
        }),
      }),
      rows(document) {
        if (!Value.Check(Collection, document))
          throw new SourceFailure("changed", "expected a GeoJSON FeatureCollection");
        return document.features;
      },
      record({ id, properties, geometry }): StoredEarthquake | LeftOut {
        const { mag, place, time, url } = properties;
        // The magnitude of a new event can be null until it is computed.
        if (mag === null) return new LeftOut("no magnitude");
        const [longitude, latitude, depthKm] = geometry.coordinates;
        return {
          id,
          ...(place && { place }),
          magnitude: mag,
          ...(typeof depthKm === "number" && { depthKm }),
          ...(typeof longitude === "number" && typeof latitude === "number" && { location: { latitude, longitude } }),
          occurredAt: time,
          ...(url !== undefined && { sourceUrl: url }),
          source: "usgs",
        };
      },
    }),
  },
  observedAt: ({ occurredAt }) => occurredAt,
  aheadMs: HOUR_MS,
  ranges: seismicRanges,
});
