import { ageless, type ContentAges, days, each, hours } from "../../../contract/content-age.js";
import { DAY_MS } from "../../../kit/clock.js";

/** The maximum age of content, by dataset and part. */
export const contentAges = {
  airQuality: { parts: each(hours(6), "openaq", "waqi", "cities") },
  climateAnomalies: { parts: each(days(14), "zones1", "zones2", "zones3", "zones4") },
  climateDisasters: { parts: { gdacs: days(7), reliefweb: days(60), nhc: days(3), eonet: days(30) } },
  climateNews: {
    wholeMs: 7 * DAY_MS,
    parts: each(
      days(30),
      "carbonBrief",
      "guardian",
      "earthObservatory",
      "unep",
      "physOrg",
      "copernicus",
      "insideClimateNews",
      "climateCentral",
      "reliefweb",
    ),
  },
  climateReports: { parts: { reports: days(30) } },
  climateNormals: { parts: { normals: ageless("Normals describe 1991 to 2020.") } },
  co2Monitoring: {
    parts: {
      daily: days(10),
      monthly: days(75),
      annual: { maxMs: 480 * DAY_MS, coversMs: 365 * DAY_MS },
      methane: days(210),
      nitrousOxide: days(210),
    },
  },
  oceanIce: {
    parts: {
      extent: days(5),
      median: ageless("The median describes 1981 to 2010."),
      // The page has no date, so the age is the time since the page's figures last changed.
      seaLevel: days(400),
      // The value of a year is dated to the middle of the year.
      heat: { maxMs: 480 * DAY_MS, coversMs: 183 * DAY_MS },
      temperature: days(75),
    },
  },
} as const satisfies Readonly<Record<string, ContentAges>>;
