import type { ValueRange } from "../../../contract/value-ranges.js";

/** Ranges of the values in the fields of natural events. */
export const eventRanges: Readonly<Record<string, ValueRange>> = {
  category: [0, 5],
  hour: [0, 240],
  // The unit depends on the event: fires are measured in acres, ice in square nautical miles.
  magnitude: [-1e6, 1e9],
  movementDir: [0, 360],
  movementSpeedKt: [0, 150],
  pressureMb: [850, 1_050],
  stormCategory: [0, 5],
  timestamp: [Date.UTC(1850, 0), Date.UTC(2101, 0)],
  windAveragingPeriodMinutes: [1, 10],
  windKt: [0, 200],
};
