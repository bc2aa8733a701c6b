import type { ValueRange } from "../../../contract/value-ranges.js";

/**
 * Ranges of seismic values. The deepest known earthquakes are at about 750 km. A depth is negative above sea level, as
 * inside a mountain.
 */
export const seismicRanges: Readonly<Record<string, ValueRange>> = {
  depthKm: [-10, 900],
  magnitude: [-5, 11],
};
