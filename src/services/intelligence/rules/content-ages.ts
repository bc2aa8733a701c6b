import { type ContentAges, days } from "../../../contract/content-age.js";

/** The content age limits by dataset and part. */
export const contentAges = {
  // EDGAR closes from Friday evening to Monday morning, and for up to five days around Christmas.
  materialEvents: { parts: { filings: days(6) } },
} as const satisfies Readonly<Record<string, ContentAges>>;
