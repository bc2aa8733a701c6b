import { type Static, Type } from "typebox";
import { epochMs } from "../../contract/field.js";

/** The categories of events, as NASA EONET names them. */
export const categories = {
  severeStorms: "Severe Storms",
  wildfires: "Wildfires",
  volcanoes: "Volcanoes",
  earthquakes: "Earthquakes",
  floods: "Floods",
  landslides: "Landslides",
  drought: "Drought",
  dustHaze: "Dust and Haze",
  snow: "Snow",
  tempExtremes: "Temperature Extremes",
  seaLakeIce: "Sea and Lake Ice",
  waterColor: "Water Color",
  manmade: "Manmade",
} as const;
export type Category = keyof typeof categories;
// Object.keys forgets the names.
export const categoryNames = Object.keys(categories) as Category[];

const latitude = () => Type.Number({ format: "double", description: "Degrees north" });
const longitude = () => Type.Number({ format: "double", description: "Degrees east" });
const whole = (description: string, range: { minimum?: number; maximum?: number } = {}) =>
  Type.Integer({ format: "int32", description, ...range });
const windKt = () => Type.Optional(whole("Sustained wind; knots", { minimum: 0, maximum: 200 }));
const pressureMb = () => Type.Optional(whole("Central pressure; hPa", { minimum: 850, maximum: 1_050 }));
const averagingMinutes = () =>
  Type.Optional(
    Type.Enum([1, 3, 10], {
      description: "Minutes over which the wind is averaged: 1 for US agencies. Never compare unlike periods",
    }),
  );

export const StormForecastPoint = Type.Object(
  {
    lat: latitude(),
    lon: longitude(),
    hour: whole("Lead time; hours"),
    windKt: windKt(),
    category: Type.Optional(whole("Saffir-Simpson category", { minimum: 0, maximum: 5 })),
  },
  { title: "StormForecastPoint" },
);
export type StormForecastPoint = Static<typeof StormForecastPoint>;

export const StormConeRing = Type.Object(
  {
    points: Type.Array(Type.Object({ lat: latitude(), lon: longitude() }, { title: "StormConePoint" }), {
      description: "The outline, thinned to at most 120 points",
    }),
  },
  { title: "StormConeRing" },
);
export type StormConeRing = Static<typeof StormConeRing>;

export const StormPastPoint = Type.Object(
  { lat: latitude(), lon: longitude(), windKt: windKt(), timestamp: Type.Optional(epochMs("Time of the position")) },
  { title: "StormPastPoint" },
);
export type StormPastPoint = Static<typeof StormPastPoint>;

export const StormAgencyObservation = Type.Object(
  {
    agency: Type.String({ description: "Agency that observed it: NHC, JTWC, GDACS" }),
    agencyId: Type.String({ description: "Id of the storm at the agency" }),
    observedAt: epochMs("Time of the observation"),
    lat: Type.Optional(latitude()),
    lon: Type.Optional(longitude()),
    windKt: windKt(),
    windAveragingPeriodMinutes: averagingMinutes(),
    pressureMb: pressureMb(),
    classification: Type.Optional(Type.String({ description: "Class in the agency's own terms" })),
    status: Type.Optional(Type.String({ description: "Alert level of the agency" })),
    sourceName: Type.String({ description: "Publisher" }),
    sourceUrl: Type.String({ description: "Page of the publisher about it; empty where unknown" }),
  },
  { title: "StormAgencyObservation" },
);
export type StormAgencyObservation = Static<typeof StormAgencyObservation>;

/** A natural event as one list reports it. */
export const ReportedEvent = Type.Object({
  id: Type.String({ minLength: 1, description: "`<agency>:<agency id>`" }),
  title: Type.String({ description: "Title in the words of the list" }),
  description: Type.String({ description: "Further words of the list; empty without any" }),
  category: Type.Enum(categoryNames, { description: "One of thirteen categories" }),
  categoryTitle: Type.String({ description: "The category in words" }),
  lat: latitude(),
  lon: longitude(),
  date: epochMs("Time of the newest position, or of the report"),
  magnitude: Type.Optional(Type.Number({ format: "double", description: "Size of the event, in `magnitudeUnit`" })),
  magnitudeUnit: Type.Optional(Type.String({ description: "Unit of the magnitude: kts, acres, NM^2, M, …" })),
  sourceUrl: Type.String({ description: "Page about the event; empty where unknown" }),
  sourceName: Type.String({ description: "The list that the row comes from" }),
  closed: Type.Boolean({ description: "True where the list says that the event is over" }),
  stormId: Type.Optional(Type.String({ description: "Id of the storm at the agency" })),
  stormName: Type.Optional(Type.String({ description: "Name of the storm" })),
  basin: Type.Optional(Type.String({ description: "AL, EP, CP, WP, IO, SH or SP" })),
  stormCategory: Type.Optional(
    whole("Saffir-Simpson category by the wind; absent where the wind is unknown", { minimum: 0, maximum: 5 }),
  ),
  classification: Type.Optional(Type.String({ description: "Class in the agency's own terms: TD, TS, HU, …" })),
  windKt: windKt(),
  pressureMb: pressureMb(),
  movementDir: Type.Optional(whole("Direction of movement; degrees from north", { minimum: 0, maximum: 360 })),
  movementSpeedKt: Type.Optional(whole("Speed of movement; knots")),
  windAveragingPeriodMinutes: averagingMinutes(),
  canonicalAliases: Type.Optional(
    Type.Array(Type.String(), { description: "Ids and names under which agencies know it" }),
  ),
  forecastTrack: Type.Optional(Type.Array(StormForecastPoint, { description: "Forecast positions, nearest first" })),
  conePolygon: Type.Optional(Type.Array(StormConeRing, { description: "Area in which the centre is likely to move" })),
  pastTrack: Type.Optional(Type.Array(StormPastPoint, { description: "Past positions, oldest first" })),
  agencyObservations: Type.Optional(
    Type.Array(StormAgencyObservation, { description: "What each agency observed, the leading one first" }),
  ),
});
export type ReportedEvent = Static<typeof ReportedEvent>;

/** A natural event as it is served, one row for all lists that report it. */
export const NaturalEvent = Type.Object(
  {
    ...ReportedEvent.properties,
    canonicalId: Type.Optional(Type.String({ description: "One id for a storm that several agencies report" })),
    matchingConfidence: Type.Optional(
      Type.Enum(["alias-bounded", "proximity-bounded", "single-source"], {
        description: "Storms only: joined by a shared name or id, by position and time alone, or reported once",
      }),
    ),
  },
  { title: "NaturalEvent" },
);
export type NaturalEvent = Static<typeof NaturalEvent>;
