import { type ContentAges, days } from "../../../contract/content-age.js";

/** The content age limits by dataset and part. */
export const contentAges = {
  trafficAnomalies: { parts: { anomalies: days(8) } },
} as const satisfies Readonly<Record<string, ContentAges>>;
