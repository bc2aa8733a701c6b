import { type ContentAges, days, each } from "../../../contract/content-age.js";

/** The maximum age of content, by dataset and part. */
export const contentAges = {
  usCpi: { parts: each(days(75), "headline", "core", "food", "energy", "shelter", "services") },
  usTreasuryYields: { parts: { curves: days(10) } },
} as const satisfies Readonly<Record<string, ContentAges>>;
