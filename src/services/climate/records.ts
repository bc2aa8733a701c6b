import { type Static, Type } from "typebox";
import { GeoCoordinates } from "../../contract/coordinates.js";
import { epochMs } from "../../contract/field.js";

const anomalySeverities = ["ANOMALY_SEVERITY_NORMAL", "ANOMALY_SEVERITY_MODERATE", "ANOMALY_SEVERITY_EXTREME"] as const;
export type AnomalySeverity = (typeof anomalySeverities)[number];

export const anomalyTypes = [
  "ANOMALY_TYPE_UNSPECIFIED",
  "ANOMALY_TYPE_WARM",
  "ANOMALY_TYPE_COLD",
  "ANOMALY_TYPE_WET",
  "ANOMALY_TYPE_DRY",
  "ANOMALY_TYPE_MIXED",
] as const;
export type AnomalyType = (typeof anomalyTypes)[number];

/** The anomaly of a zone: its last seven days against the normal of the month in which they end. */
export const ClimateAnomaly = Type.Object(
  {
    zone: Type.String({ minLength: 1, description: "Name of the climate zone" }),
    period: Type.String({ minLength: 1, description: "First and last day, `2026-11-10 to 2026-11-16`" }),
    location: Type.Optional(GeoCoordinates),
    tempDelta: Type.Number({ description: "Mean temperature minus the 1991-2020 normal; °C, 1 decimal" }),
    precipDelta: Type.Number({ description: "Mean precipitation minus the 1991-2020 normal; mm per day, 1 decimal" }),
    severity: Type.Enum([...anomalySeverities], {
      description: "EXTREME from 5 °C or 12 mm per day, MODERATE from 3 °C or 6 mm per day",
    }),
    type: Type.Enum([...anomalyTypes], { description: "The dominant deviation; UNSPECIFIED if there is none" }),
  },
  { title: "ClimateAnomaly" },
);
export type ClimateAnomaly = Static<typeof ClimateAnomaly>;

export const disasterTypes = ["flood", "cyclone", "drought", "heatwave", "wildfire", "volcano"] as const;
export type DisasterType = (typeof disasterTypes)[number];

export const disasterStatuses = ["alert", "ongoing", "past"] as const;
export type DisasterStatus = (typeof disasterStatuses)[number];

/** A natural disaster as one of its sources reports it. Unreported values are absent. */
export const ClimateDisaster = Type.Object(
  {
    id: Type.String({ description: "Source, and the id of the event at the source, such as `gdacs-TC1000643`" }),
    type: Type.Enum([...disasterTypes], { description: "Kind of disaster" }),
    name: Type.String({ description: "Name given by the source" }),
    country: Type.String({ description: "One country, or all that the source names, such as `Argentina, Chile`" }),
    countryCode: Type.Optional(
      Type.String({
        description: "ISO 3166-1 alpha-2; for several countries, the code of the country at the position",
      }),
    ),
    countryCodes: Type.Optional(
      Type.Array(Type.String(), {
        description: "All countries, if the source names several; the country at the position comes first",
      }),
    ),
    lat: Type.Optional(Type.Number({ description: "Degrees north; for humanitarian rows, the country's centre" })),
    lng: Type.Optional(Type.Number({ description: "Degrees east; for humanitarian rows, the country's centre" })),
    severity: Type.Optional(
      Type.String({ description: "red, orange, green (hazard feeds); high, medium (humanitarian)" }),
    ),
    status: Type.Enum([...disasterStatuses], {
      description: "`alert` (announced or forecast; may not have begun), `ongoing` or `past`",
    }),
    startedAt: Type.Optional(epochMs("Actual or announced start")),
    source: Type.String({ description: "Source of the row" }),
    sourceUrl: Type.Optional(Type.String({ description: "The source's page about the event" })),
    affectedPopulation: Type.Optional(
      Type.Integer({
        format: "int32",
        description:
          "Number of affected people that the source states; for storms, GDACS counts people in hurricane-force winds. Absent if not stated",
      }),
    ),
  },
  { title: "ClimateDisaster" },
);
export type ClimateDisaster = Static<typeof ClimateDisaster>;

/** A stored disaster: the served fields and the time of the source's last report on it. */
export interface StoredDisaster extends ClimateDisaster {
  /** Epoch ms. */
  readonly observedAt: number;
}

const Ppm = (description: string) => Type.Number({ description: `${description}; ppm` });

const Co2DataPoint = Type.Object(
  {
    month: Type.String({ description: "YYYY-MM" }),
    ppm: Ppm("Mean of the month"),
    anomaly: Type.Optional(Type.Number({ description: "Change from the same month a year before; ppm" })),
  },
  { title: "Co2DataPoint" },
);

export const Co2Monitoring = Type.Object(
  {
    currentPpm: Ppm("Newest daily mean at the station"),
    measuredAt: epochMs("Day of `currentPpm`"),
    monthlyAverage: Ppm("Newest monthly mean at the station"),
    monthlyAverageObservedAt: Type.Optional(epochMs("First day of the month of `monthlyAverage`")),
    yearAgoPpm: Type.Optional(Ppm("Daily mean of the same date a year before, or of the nearest day")),
    yearAgoPpmObservedAt: Type.Optional(epochMs("Day of `yearAgoPpm`")),
    annualGrowthRate: Type.Number({
      description:
        "Difference of the last two global annual means of consecutive years, else the growth at Mauna Loa; ppm per year",
    }),
    annualGrowthRateObservedAt: Type.Optional(epochMs("First day of the year in which `annualGrowthRate` ends")),
    methanePpb: Type.Number({ description: "Newest monthly mean, global; ppb" }),
    methanePpbObservedAt: Type.Optional(epochMs("First day of the month of `methanePpb`")),
    nitrousOxidePpb: Type.Number({ description: "Newest monthly mean, global; ppb" }),
    nitrousOxidePpbObservedAt: Type.Optional(epochMs("First day of the month of `nitrousOxidePpb`")),
    preIndustrialBaseline: Ppm("Level before 1750, for comparison"),
    station: Type.String({ description: "Station of the daily and monthly means" }),
    trend12m: Type.Array(Co2DataPoint, { description: "The last twelve months with a mean, oldest first" }),
  },
  { title: "Co2Monitoring", description: "Greenhouse gases at the reference station and worldwide." },
);
export type Co2Monitoring = Static<typeof Co2Monitoring>;

const IceTrendPoint = Type.Object(
  {
    month: Type.String({ description: "YYYY-MM" }),
    extentMkm2: Type.Number({ description: "Extent on the last measured day of the month; million km²" }),
    anomalyMkm2: Type.Optional(Type.Number({ description: "Difference from the 1981-2010 median; million km²" })),
  },
  { title: "IceTrendPoint" },
);

export const arcticTrends = ["record_low", "below_average", "average", "above_average"] as const;

/** Arctic sea ice and the oceans. The values of a source that was never read are absent. */
export const OceanIceData = Type.Object(
  {
    arcticExtentMkm2: Type.Optional(Type.Number({ description: "Newest daily extent; million km²" })),
    arcticExtentAnomalyMkm2: Type.Optional(
      Type.Number({ description: "Difference from the 1981-2010 median; million km²" }),
    ),
    arcticExtentObservedAt: Type.Optional(epochMs("Day of the Arctic values")),
    arcticTrend: Type.Optional(
      Type.Enum([...arcticTrends], {
        description: "`record_low`: lowest on record for the calendar day; else compared with the 1981-2010 median",
      }),
    ),
    iceTrend12m: Type.Optional(Type.Array(IceTrendPoint, { description: "Oldest first" })),
    seaLevelMmAbove1993: Type.Optional(Type.Number({ description: "Global mean sea level relative to 1993; mm" })),
    seaLevelAnnualRiseMm: Type.Optional(Type.Number({ description: "Current rate of rise; mm per year" })),
    seaLevelUnchangedSince: Type.Optional(
      epochMs("Time at which these sea level figures were first read; NASA's page states no date"),
    ),
    ohc0700mZj: Type.Optional(
      Type.Number({ description: "World ocean heat content anomaly, 0 to 700 m; ZJ (10²¹ J)" }),
    ),
    ohc0700mZjObservedAt: Type.Optional(epochMs("Middle of the year of `ohc0700mZj`")),
    sstAnomalyC: Type.Optional(
      Type.Number({ description: "Global ocean surface temperature relative to the 1971-2000 mean of the month; °C" }),
    ),
    sstAnomalyCObservedAt: Type.Optional(epochMs("First day of the month of `sstAnomalyC`")),
    measuredAt: epochMs("Time of the newest observation of sea ice, ocean heat or surface temperature"),
  },
  {
    title: "OceanIceData",
    description: "Arctic sea ice and the oceans; the values of a source that was never read are absent.",
  },
);
export type OceanIceData = Static<typeof OceanIceData>;

/** A place with its newest air quality reading. */
export const AirQualityStation = Type.Object(
  {
    city: Type.String({
      description: "Town, or name of the station; both if several stations of the list are in one town",
    }),
    station: Type.Optional(
      Type.String({ description: "The station's own name, if the network has it in addition to the town" }),
    ),
    countryCode: Type.Optional(Type.String({ description: "ISO 3166-1 alpha-2" })),
    lat: Type.Optional(Type.Number({ description: "Degrees north" })),
    lng: Type.Optional(Type.Number({ description: "Degrees east" })),
    aqi: Type.Integer({ format: "int32", description: "US EPA air quality index, 0 to 500; up to 999 for WAQI" }),
    riskLevel: Type.Enum(["good", "moderate", "unhealthy", "hazardous"], {
      description: "good up to 50, moderate up to 100, unhealthy up to 300, hazardous above",
    }),
    pm25: Type.Optional(Type.Number({ description: "Fine particles; µg/m³" })),
    pollutant: Type.Optional(
      Type.String({ description: "Pollutant behind `aqi`; absent if the source does not name it" }),
    ),
    measuredAt: epochMs("Time of the reading"),
    source: Type.String({ description: "Source of the reading" }),
  },
  { title: "AirQualityStation" },
);
export type AirQualityStation = Static<typeof AirQualityStation>;

export const ClimateNewsItem = Type.Object(
  {
    id: Type.String({ description: "Unique, and stable across builds" }),
    title: Type.String({ description: "Headline" }),
    url: Type.String({ description: "Address of the article" }),
    sourceName: Type.String({ description: "Name of the publisher" }),
    publishedAt: epochMs("Date given by the publisher"),
    summary: Type.Optional(Type.String({ description: "Teaser, at most 300 characters; absent without one" })),
  },
  { title: "ClimateNewsItem" },
);
export type ClimateNewsItem = Static<typeof ClimateNewsItem>;
