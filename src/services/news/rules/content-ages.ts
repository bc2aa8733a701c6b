import { type ContentAges, days } from "../../../contract/content-age.js";

/** The content age limits by dataset and part. */
export const contentAges = {
  digest: { parts: { feeds: days(4) } },
  newsFeeds: { parts: { feeds: days(4) } },
} as const satisfies Readonly<Record<string, ContentAges>>;
