import { ageless, type ContentAges, days } from "../../../contract/content-age.js";

/** The content age limits by dataset and part. */
export const contentAges = {
  naturalEvents: {
    parts: {
      nhc: ageless("Outside the season no storm is active."),
      gdacs: days(7),
      eonet: days(30),
      hko: ageless("On most days no cyclone signal is in force."),
    },
  },
} as const satisfies Readonly<Record<string, ContentAges>>;
