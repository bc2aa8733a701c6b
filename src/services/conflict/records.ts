import { type Static, Type } from "typebox";
import { GeoCoordinates } from "../../contract/coordinates.js";
import { epochMs } from "../../contract/field.js";

const int32 = (description: string) => Type.Integer({ format: "int32", minimum: 0, description });

/** An act of political violence at a place, on a day. */
export const AlphaConflictEvent = Type.Object(
  {
    id: Type.String({ minLength: 1, description: "Source and the source's event id, such as `acled-UKR142665`" }),
    country: Type.String({ description: "Name, as the source writes it" }),
    admin1: Type.Optional(Type.String({ description: "First-level division; absent if the source names none" })),
    actors: Type.Array(Type.String(), { description: "Parties to the event" }),
    eventType: Type.String({ description: "The source's event type, such as Battles or Fight" }),
    fatalities: int32("Number of reported deaths; 0 with `fatalitiesKnown: false` if deaths were not counted"),
    fatalitiesKnown: Type.Optional(Type.Boolean({ description: "False if deaths were not counted" })),
    location: Type.Optional(GeoCoordinates),
    occurredAt: epochMs("Day of the event, at UTC midnight"),
    source: Type.String({ description: "Reporting source; `GDELT: <site>` for rows of GDELT" }),
  },
  { title: "AlphaConflictEvent" },
);
export type AlphaConflictEvent = Static<typeof AlphaConflictEvent>;

export const violenceTypes = [
  "BETA_VIOLENCE_TYPE_UNSPECIFIED",
  "BETA_VIOLENCE_TYPE_STATE_BASED",
  "BETA_VIOLENCE_TYPE_NON_STATE",
  "BETA_VIOLENCE_TYPE_ONE_SIDED",
] as const;
export type ViolenceType = (typeof violenceTypes)[number];

/** An event of organised violence with its estimates of deaths. */
export const BetaViolenceEvent = Type.Object(
  {
    id: Type.String({ minLength: 1, description: "`ucdp-` and the event's id in the Georeferenced Event Dataset" }),
    country: Type.String({ description: "Name, as the source writes it" }),
    dateStart: epochMs("First day, at UTC midnight"),
    dateEnd: epochMs("Last day, at UTC midnight"),
    deathsBest: int32("Best estimate of deaths"),
    deathsHigh: int32("Highest reliable estimate of deaths"),
    deathsLow: int32("Lowest reliable estimate of deaths"),
    location: Type.Optional(GeoCoordinates),
    sideA: Type.Optional(Type.String({ description: "First party to the conflict; absent if not identified yet" })),
    sideB: Type.Optional(
      Type.String({
        description: "Second party, `Civilians` for one-sided violence; absent if not identified yet",
      }),
    ),
    sourceOriginal: Type.Optional(Type.String({ description: "The quoted source, if the dataset names it" })),
    violenceType: Type.Enum([...violenceTypes], { description: "State-based, non-state or one-sided" }),
  },
  { title: "BetaViolenceEvent" },
);
export type BetaViolenceEvent = Static<typeof BetaViolenceEvent>;

export const HumanitarianCountrySummary = Type.Object(
  {
    countryCode: Type.String({ description: "ISO 3166-1 alpha-2" }),
    countryName: Type.String({ description: "English name" }),
    conflictEventsTotal: int32("Number of events of political violence and of demonstrations, together"),
    conflictPoliticalViolenceEvents: Type.Optional(
      int32("Number of events of political violence, including those that target civilians; absent if not counted"),
    ),
    conflictFatalities: Type.Optional(int32("Number of deaths in political violence; absent if not counted")),
    civilianTargetingEvents: Type.Optional(int32("Number of events that target civilians; absent if not counted")),
    civilianTargetingFatalities: Type.Optional(
      int32("Number of deaths in events that target civilians; absent if not counted"),
    ),
    conflictDemonstrations: Type.Optional(int32("Number of demonstrations; absent if not counted")),
    referencePeriod: Type.String({ description: "First day of the counted month, YYYY-MM-DD" }),
    updatedAt: epochMs("Time of collection"),
  },
  { title: "HumanitarianCountrySummary", description: "Conflict in a country in its latest counted month." },
);
export type HumanitarianCountrySummary = Static<typeof HumanitarianCountrySummary>;

/** A stored summary. It has no time of collection, because that time is the same for all summaries of a build. */
export type StoredSummary = Omit<HumanitarianCountrySummary, "updatedAt">;
