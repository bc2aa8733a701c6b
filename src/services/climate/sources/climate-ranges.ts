import { instantRange, type ValueRange } from "../../../contract/value-ranges.js";

type Ranges = Readonly<Record<string, ValueRange>>;

/** Valid ranges of air quality values. */
export const airRanges: Ranges = {
  aqi: [0, 10_000],
  pm25: [0, 10_000],
};

/** Valid ranges of greenhouse gas values, in ppm or ppb. */
export const gasRanges: Ranges = {
  globalMeanPpm: [100, 10_000],
  stationGrowthPpm: [-50, 50],
  value: [0, 1e6],
};

/** Valid ranges of ice and ocean values. */
export const oceanRanges: Ranges = {
  anomalyC: [-50, 50],
  dayOfYear: [1, 366],
  extentMkm2: [0, 30],
  medianMkm2: [0, 30],
  mmAbove1993: [-1_000, 10_000],
  mmPerYear: [-100, 100],
  /** The heat content has risen from about -100 to about 300 ZJ since 1955. */
  zettajoules: [-1_000, 1_000],
};

/** Valid ranges of weather values and normals. */
export const weatherRanges: Ranges = {
  firstDay: instantRange,
  lastDay: instantRange,
  precipitationMm: [0, 3_000],
  temperatureC: [-100, 70],
};
