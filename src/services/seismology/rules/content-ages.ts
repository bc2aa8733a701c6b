import { type ContentAges, each, hours } from "../../../contract/content-age.js";

/** The maximum content age, by dataset and part. */
export const contentAges = {
  // Each agency locates events every day, so a feed without an event of the last 48 hours has failed.
  earthquakes: { parts: each(hours(48), "usgs", "nrcan") },
} as const satisfies Readonly<Record<string, ContentAges>>;
