import { type Static, Type } from "typebox";
import { GeoCoordinates } from "../../contract/coordinates.js";
import { epochMs } from "../../contract/field.js";

/** Concern about an earthquake near a test site, from the least to the greatest. */
const concernLevels = ["low", "moderate", "elevated", "critical"] as const;
export type ConcernLevel = (typeof concernLevels)[number];

/** An earthquake as its agency reports it. */
export const StoredEarthquake = Type.Object({
  id: Type.String({
    minLength: 1,
    maxLength: 100,
    description: "Event id of the agency; `nrcan:<event id>` for the Canadian agency",
  }),
  place: Type.Optional(Type.String({ description: "Place in the agency's own words" })),
  magnitude: Type.Number({ description: "Magnitude as published, whatever its scale" }),
  depthKm: Type.Optional(Type.Number({ description: "Depth below sea level; kilometres, absent where unknown" })),
  location: Type.Optional(GeoCoordinates),
  occurredAt: epochMs("Origin time"),
  sourceUrl: Type.Optional(Type.String({ description: "The agency's page about the event" })),
  source: Type.Enum(["usgs", "nrcan"], { description: "The agency: US Geological Survey or Natural Resources Canada" }),
  category: Type.Optional(
    Type.String({ description: "Kind of event in the words of the Canadian agency; absent for usgs" }),
  ),
});
export type StoredEarthquake = Static<typeof StoredEarthquake>;

/** An earthquake as it is served, marked when it is near a nuclear test site. */
export const Earthquake = Type.Object(
  {
    ...StoredEarthquake.properties,
    nearTestSite: Type.Optional(
      Type.Boolean({ description: "True within 100 km of a known nuclear test site; otherwise absent" }),
    ),
    testSiteName: Type.Optional(Type.String({ description: "Name of the nearest of these test sites" })),
    concernScore: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description: "60 % magnitude out of 9, 25 % nearness and 15 % shallowness, each within 100 km",
      }),
    ),
    concernLevel: Type.Optional(
      Type.Enum([...concernLevels], {
        description: "The score in words: critical from 75, elevated from 50, moderate from 25, else low",
      }),
    ),
  },
  { title: "Earthquake" },
);
export type Earthquake = Static<typeof Earthquake>;
