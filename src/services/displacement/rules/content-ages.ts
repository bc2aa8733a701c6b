import { type ContentAges, days } from "../../../contract/content-age.js";

/** The content age limits by dataset and part. */
export const contentAges = {
  displacement: { parts: { population: days(610) } },
} as const satisfies Readonly<Record<string, ContentAges>>;
