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
// The cast is needed because `Object.keys` returns string[].
export const categoryNames = Object.keys(categories) as Category[];

const latitude = () => Type.Number({ description: "Degrees north" });
const longitude = () => Type.Number({ description: "Degrees east" });
const whole = (description: string, range: { minimum?: number; maximum?: number } = {}) =>
  Type.Integer({ format: "int32", description, ...range });
const windKt = () => Type.Optional(whole("Knots", { minimum: 0, maximum: 200 }));
const pressureMb = () => Type.Optional(whole("Central pressure; hPa", { minimum: 850, maximum: 1_050 }));
const averagingMinutes = () =>
  Type.Optional(
    Type.Enum([1, 3, 10], {
      description: "Averaging period of the wind, minutes; winds of different periods are not comparable",
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
      description: "At most 120 points",
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
    agency: Type.String({ description: "The agency, such as NHC, JTWC or GDACS" }),
    agencyId: Type.String({ description: "Id at the agency" }),
    observedAt: epochMs("Time of the observation"),
    lat: Type.Optional(latitude()),
    lon: Type.Optional(longitude()),
    windKt: windKt(),
    windAveragingPeriodMinutes: averagingMinutes(),
    pressureMb: pressureMb(),
    classification: Type.Optional(Type.String({ description: "The agency's classification" })),
    status: Type.Optional(Type.String({ description: "Alert level" })),
    sourceName: Type.String({ description: "Publisher" }),
    sourceUrl: Type.String({ description: "Empty if unknown" }),
  },
  { title: "StormAgencyObservation" },
);
export type StormAgencyObservation = Static<typeof StormAgencyObservation>;

/** A natural event as one list reports it. */
export const ReportedEvent = Type.Object({
  id: Type.String({ minLength: 1, description: "`<agency>:<agency id>`" }),
  title: Type.String({ description: "Title given by the list" }),
  description: Type.String({ description: "Empty if there is none" }),
  category: Type.Enum(categoryNames, { description: "One of thirteen categories" }),
  categoryTitle: Type.String({ description: "The category in words" }),
  lat: latitude(),
  lon: longitude(),
  date: epochMs("Time of the newest position or report"),
  magnitude: Type.Optional(Type.Number({ description: "Size, in `magnitudeUnit`" })),
  magnitudeUnit: Type.Optional(Type.String({ description: "kts, acres, NM^2, M, …" })),
  sourceUrl: Type.String({ description: "Empty if unknown" }),
  sourceName: Type.String({ description: "Name of the list" }),
  closed: Type.Boolean({ description: "True if the list marks the event as closed" }),
  stormId: Type.Optional(Type.String({ description: "Id at the agency" })),
  stormName: Type.Optional(Type.String({ description: "Name of the storm" })),
  basin: Type.Optional(Type.String({ description: "AL, EP, CP, WP, IO, SH or SP" })),
  stormCategory: Type.Optional(
    whole("Saffir-Simpson category; absent if the wind is unknown", { minimum: 0, maximum: 5 }),
  ),
  classification: Type.Optional(Type.String({ description: "The agency's classification: TD, TS, HU, …" })),
  windKt: windKt(),
  pressureMb: pressureMb(),
  movementDir: Type.Optional(
    whole("Direction of movement, degrees clockwise from north", { minimum: 0, maximum: 360 }),
  ),
  movementSpeedKt: Type.Optional(whole("Knots")),
  windAveragingPeriodMinutes: averagingMinutes(),
  canonicalAliases: Type.Optional(Type.Array(Type.String(), { description: "Agencies' ids and names for the storm" })),
  forecastTrack: Type.Optional(Type.Array(StormForecastPoint, { description: "Nearest first" })),
  conePolygon: Type.Optional(Type.Array(StormConeRing, { description: "Forecast cone" })),
  pastTrack: Type.Optional(Type.Array(StormPastPoint, { description: "Oldest first" })),
  agencyObservations: Type.Optional(Type.Array(StormAgencyObservation, { description: "Leading agency first" })),
});
export type ReportedEvent = Static<typeof ReportedEvent>;

/** A served natural event: one row for all lists that report it. */
export const NaturalEvent = Type.Object(
  {
    ...ReportedEvent.properties,
    canonicalId: Type.Optional(Type.String({ description: "Storms only; the id of the leading report" })),
    matchingConfidence: Type.Optional(
      Type.Enum(["alias-bounded", "proximity-bounded", "single-source"], {
        description: "Storms only; how the reports were joined: by name or id, by position and time, or not at all",
      }),
    ),
  },
  { title: "NaturalEvent" },
);
export type NaturalEvent = Static<typeof NaturalEvent>;
