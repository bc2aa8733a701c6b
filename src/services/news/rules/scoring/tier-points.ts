import type { FeedTier } from "../../digest-records.js";

/** Points by publisher tier. */
export const tierPoints: Readonly<Record<FeedTier, number>> = { 1: 100, 2: 75, 3: 50, 4: 25 };
