import type { ValueRange } from "../../../contract/value-ranges.js";

const count: ValueRange = [0, 1e9];

/** Ranges of administrative levels, and of counts of events and of deaths. */
export const eventRanges: Readonly<Record<string, ValueRange>> = {
  adminLevel: [0, 10],
  deaths: count,
  deathsBest: count,
  deathsHigh: count,
  deathsLow: count,
  events: count,
  fatalities: count,
};
