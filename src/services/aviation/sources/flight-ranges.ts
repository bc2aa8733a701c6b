import { instantRange, type ValueRange } from "../../../contract/value-ranges.js";

type Ranges = Readonly<Record<string, ValueRange>>;

/** Valid ranges of the values of flights. A flight can leave up to a day early. */
export const flightRanges: Ranges = {
  actualArrival: instantRange,
  actualDeparture: instantRange,
  delayMinutes: [-1_440, 100_000],
  departureDelayMinutes: [-1_440, 100_000],
  estimatedArrival: instantRange,
  estimatedDeparture: instantRange,
  minutes: [-1_440, 100_000],
  scheduledArrival: instantRange,
  scheduledDeparture: instantRange,
};

/** Valid ranges of the values of flight offers. */
export const offerRanges: Ranges = {
  durationMinutes: [0, 100_000],
  price: [0, 1e8],
  priceAmount: [0, 1e8],
  stops: [0, 20],
  tripClass: [0, 9],
};

/** Valid ranges of the values of aircraft positions. */
export const positionRanges: Ranges = {
  altitudeM: [-1_000, 60_000],
  groundSpeedKts: [0, 20_000],
  // Some transponders send negative degrees, counter-clockwise from north.
  trackDeg: [-360, 360],
  verticalRate: [-1_000, 1_000],
};
