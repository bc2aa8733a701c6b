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

const latitude = () => Type.Number({ description: "Degrees north" });
const longitude = () => Type.Number({ description: "Degrees east" });
const whole = (description: string, range: { minimum?: number; maximum?: number } = {}) =>
  Type.Integer({ format: "int32", description, ...range });
const windKt = () => Type.Optional(whole("Knots", { minimum: 0, maximum: 200 }));
const pressureMb = () => Type.Optional(whole("Central pressure; hPa", { minimum: 850, maximum: 1_050 }));
const averagingMinutes = () =>
  Type.Optional(
    Type.Enum([1, 3, 10], {
      description: "Minutes of which the wind is the mean; never compare unlike periods",
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
    agency: Type.String({ description: "NHC, JTWC or GDACS" }),
    agencyId: Type.String({ description: "Its id there" }),
    observedAt: epochMs("Observed"),
    lat: Type.Optional(latitude()),
    lon: Type.Optional(longitude()),
    windKt: windKt(),
    windAveragingPeriodMinutes: averagingMinutes(),
    pressureMb: pressureMb(),
    classification: Type.Optional(Type.String({ description: "Class of the agency" })),
    status: Type.Optional(Type.String({ description: "Alert level" })),
    sourceName: Type.String({ description: "Publisher" }),
    sourceUrl: Type.String({ description: "Empty where unknown" }),
  },
  { title: "StormAgencyObservation" },
);
export type StormAgencyObservation = Static<typeof StormAgencyObservation>;

/** A natural event as one list reports it. */
export const ReportedEvent = Type.Object({
  id: Type.String({ minLength: 1, description: "`<agency>:<agency id>`" }),
  title: Type.String({ description: "In the words of the list" }),
  description: Type.String({ description: "Empty without any" }),
  category: Type.Enum(categoryNames, { description: "One of thirteen categories" }),
  categoryTitle: Type.String({ description: "The category in words" }),
  lat: latitude(),
  lon: longitude(),
  date: epochMs("Newest position or report"),
  magnitude: Type.Optional(Type.Number({ description: "Size, in `magnitudeUnit`" })),
  magnitudeUnit: Type.Optional(Type.String({ description: "kts, acres, NM^2, M, …" })),
  sourceUrl: Type.String({ description: "Empty where unknown" }),
  sourceName: Type.String({ description: "Its list" }),
  closed: Type.Boolean({ description: "True where its list says that it is over" }),
  stormId: Type.Optional(Type.String({ description: "Its id there" })),
  stormName: Type.Optional(Type.String({ description: "Name of the storm" })),
  basin: Type.Optional(Type.String({ description: "AL, EP, CP, WP, IO, SH or SP" })),
  stormCategory: Type.Optional(
    whole("Saffir-Simpson category; absent where the wind is unknown", { minimum: 0, maximum: 5 }),
  ),
  classification: Type.Optional(Type.String({ description: "Class of the agency: TD, TS, HU, …" })),
  windKt: windKt(),
  pressureMb: pressureMb(),
  movementDir: Type.Optional(whole("Degrees from north", { minimum: 0, maximum: 360 })),
  movementSpeedKt: Type.Optional(whole("Knots")),
  windAveragingPeriodMinutes: averagingMinutes(),
  canonicalAliases: Type.Optional(Type.Array(Type.String(), { description: "Its ids and names at agencies" })),
  forecastTrack: Type.Optional(Type.Array(StormForecastPoint, { description: "Nearest first" })),
  conePolygon: Type.Optional(Type.Array(StormConeRing, { description: "Likely area" })),
  pastTrack: Type.Optional(Type.Array(StormPastPoint, { description: "Oldest first" })),
  agencyObservations: Type.Optional(Type.Array(StormAgencyObservation, { description: "The leading agency first" })),
});
export type ReportedEvent = Static<typeof ReportedEvent>;

/** A natural event as it is served, one row for all lists that report it. */
export const NaturalEvent = Type.Object(
  {
    ...ReportedEvent.properties,
    canonicalId: Type.Optional(Type.String({ description: "One id for all reports of a storm" })),
    matchingConfidence: Type.Optional(
      Type.Enum(["alias-bounded", "proximity-bounded", "single-source"], {
        description: "Storms only: joined by name or id, by position and time, or reported once",
      }),
    ),
  },
  { title: "NaturalEvent" },
);
export type NaturalEvent = Static<typeof NaturalEvent>;
