import type { AgeLimit, Ageless, ContentAge } from "../contract/content-age.js";
import { DAY_MS, HOUR_MS } from "../kit/clock.js";

/** The limits of one dataset. */
interface ContentAges {
  /** The age of the newest observation of all parts from which the dataset is stale. Default: none. */
  readonly wholeMs?: number;
  readonly parts: Readonly<Record<string, ContentAge>>;
}

const hours = (count: number): AgeLimit => ({ maxMs: count * HOUR_MS });
const days = (count: number): AgeLimit => ({ maxMs: count * DAY_MS });
const ageless = (reason: string): Ageless => ({ agelessBecause: reason });

/** One limit for several parts. */
const each = <Part extends string>(limit: AgeLimit, ...parts: readonly Part[]): Readonly<Record<Part, AgeLimit>> =>
  // Object.fromEntries forgets the keys.
  Object.fromEntries(parts.map((part) => [part, limit])) as Record<Part, AgeLimit>;

/**
 * The limits to the age of content, by dataset and part. A limit is the publisher's usual delay plus one missed release.
 * Months are dated to their first day, so 75 days is the time to the release of the month after next.
 */
export const contentAges = {
  airQuality: { parts: each(hours(6), "openaq", "waqi", "cities") },
  airportDelays: {
    parts: {
      faa: hours(3),
      departures: ageless("A sample is removed three hours after it was made."),
      notams: ageless("A notice holds until it ends, however long ago it was issued."),
    },
  },
  alphaEvents: { wholeMs: 14 * DAY_MS, parts: { acled: days(14), gdelt: days(3) } },
  aviationNews: {
    wholeMs: 7 * DAY_MS,
    // A publisher may be silent for weeks.
    parts: each(
      days(30),
      "flightGlobal",
      "simpleFlying",
      "aeroTime",
      "thePointsGuy",
      "airlineGeeks",
      "oneMileAtATime",
      "viewFromTheWing",
      "aviationPros",
      "aviationWeek",
    ),
  },
  betaEvents: {
    wholeMs: 90 * DAY_MS,
    // The annual release of a year appears in the middle of the next.
    parts: { annual: days(610), candidate: days(90) },
  },
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
  digest: { parts: { feeds: days(4) } },
  displacement: { parts: { population: days(610) } },
  humanitarianSummary: { parts: { months: days(120) } },
  oceanIce: {
    parts: {
      extent: days(5),
      median: ageless("The median describes 1981 to 2010."),
      // The page carries no date: the age is the time since its figures last changed.
      seaLevel: days(400),
      // A year is dated to its middle.
      heat: { maxMs: 480 * DAY_MS, coversMs: 183 * DAY_MS },
      temperature: days(75),
    },
  },
  trafficAnomalies: { parts: { anomalies: days(8) } },
  usCpi: { parts: each(days(75), "headline", "core", "food", "energy", "shelter", "services") },
  usTreasuryYields: { parts: { curves: days(10) } },
} as const satisfies Readonly<Record<string, ContentAges>>;
