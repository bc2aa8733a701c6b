import { type Static, Type } from "typebox";
import { GeoCoordinates } from "../../contract/coordinates.js";
import { epochMs } from "../../contract/field.js";

/** Levels of concern about an earthquake near a test site, lowest first. */
const concernLevels = ["low", "moderate", "elevated", "critical"] as const;
export type ConcernLevel = (typeof concernLevels)[number];

/** An earthquake as reported by its agency. */
export const StoredEarthquake = Type.Object({
  id: Type.String({
    minLength: 1,
    maxLength: 100,
    description: "Event id of the agency; `nrcan:<event id>` for the Canadian agency",
  }),
  place: Type.Optional(Type.String({ description: "Place as described by the agency" })),
  magnitude: Type.Number({ description: "Published magnitude, of any scale" }),
  depthKm: Type.Optional(Type.Number({ description: "Depth below sea level, kilometres; absent if unknown" })),
  location: Type.Optional(GeoCoordinates),
  occurredAt: epochMs("Origin time"),
  sourceUrl: Type.Optional(Type.String({ description: "The agency's page about the event" })),
  source: Type.Enum(["usgs", "nrcan"], { description: "The agency: US Geological Survey or Natural Resources Canada" }),
  category: Type.Optional(Type.String({ description: "The Canadian agency's kind of event; absent for usgs" })),
});
export type StoredEarthquake = Static<typeof StoredEarthquake>;

/** A served earthquake. If it is near a nuclear test site, it has the name of the site and a score of concern. */
export const Earthquake = Type.Object(
  {
    ...StoredEarthquake.properties,
    nearTestSite: Type.Optional(
      Type.Boolean({ description: "True within 100 km of a known nuclear test site; otherwise absent" }),
    ),
    testSiteName: Type.Optional(Type.String({ description: "Name of the nearest test site within 100 km" })),
    concernScore: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description:
          "Score from 0 to 100: up to 60 points for the magnitude (60 at magnitude 9), up to 25 for proximity to the site (0 at a distance of 100 km) and up to 15 for shallowness (0 at a depth of 100 km)",
      }),
    ),
    concernLevel: Type.Optional(
      Type.Enum([...concernLevels], {
        description: "Level of the score: critical from 75, elevated from 50, moderate from 25, else low",
      }),
    ),
  },
  { title: "Earthquake" },
);
export type Earthquake = Static<typeof Earthquake>;
