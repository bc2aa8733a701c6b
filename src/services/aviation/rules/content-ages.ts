import { ageless, type ContentAges, days, each, hours } from "../../../contract/content-age.js";
import { DAY_MS } from "../../../kit/clock.js";

/** The maximum age of content, by dataset and part. */
export const contentAges = {
  airportDelays: {
    parts: {
      faa: hours(3),
      departures: ageless("A build removes samples that are three hours old or older."),
      notams: ageless("A notice is valid until it ends, regardless of its age."),
    },
  },
  aviationNews: {
    wholeMs: 7 * DAY_MS,
    // A publisher may have no news for weeks.
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
} as const satisfies Readonly<Record<string, ContentAges>>;
