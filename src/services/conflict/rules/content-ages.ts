import { type ContentAges, days } from "../../../contract/content-age.js";
import { DAY_MS } from "../../../kit/clock.js";

/** The content age limits by dataset and part. */
export const contentAges = {
  alphaEvents: { wholeMs: 14 * DAY_MS, parts: { acled: days(14), gdelt: days(3) } },
  betaEvents: {
    wholeMs: 90 * DAY_MS,
    // `annual` has a long limit, because the events of a year are published in the middle of the next year.
    parts: { annual: days(610), candidate: days(90) },
  },
  humanitarianSummary: { parts: { months: days(120) } },
} as const satisfies Readonly<Record<string, ContentAges>>;
