import { ageless, type ContentAges } from "../../../contract/content-age.js";

/** The content age limits by dataset and part. */
export const contentAges = {
  listedCompanies: { parts: { companies: ageless("the SEC's list of tickers has no date") } },
} as const satisfies Readonly<Record<string, ContentAges>>;
