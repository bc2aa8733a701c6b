import { type ContentAges, days } from "../../../contract/content-age.js";

/** The content age limits by dataset and part. */
export const contentAges = {
  digest: { parts: { feeds: days(4) } },
  // A publisher on one topic may have no news for weeks.
  newsFeeds: { parts: { feeds: days(4), topics: days(30), open: days(30) } },
} as const satisfies Readonly<Record<string, ContentAges>>;
