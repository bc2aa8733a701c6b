import type { ValueRange } from "../../../contract/value-ranges.js";

/** Ranges of the values of price indexes. */
export const indexRanges: Readonly<Record<string, ValueRange>> = {
  index: [0, 1e6],
};
