/** The minimum and maximum of a field. */
export type ValueRange = readonly [min: number, max: number];

/** Instants that a record may carry, epoch ms: the years -2100 to 2100. */
export const instantRange: ValueRange = [Date.UTC(-2100, 0), Date.UTC(2101, 0) - 1];

const instant = instantRange;
const latitude: ValueRange = [-90, 90];
const longitude: ValueRange = [-180, 180];

/**
 * The ranges of places, instants, years and ids, by the name of the field. A field with one of these names has the same
 * meaning and unit wherever it appears, at any depth of a record. A source declares the ranges of its other fields as
 * `ranges`. A row with a number outside its range is bad.
 */
export const valueRanges: Readonly<Record<string, ValueRange>> = {
  at: instant,
  date: instant,
  dateEnd: instant,
  dateStart: instant,
  day: instant,
  endDate: instant,
  endsAt: instant,
  expiresAt: instant,
  id: [0, Number.MAX_SAFE_INTEGER],
  lat: latitude,
  latitude,
  lng: longitude,
  lon: longitude,
  longitude,
  measuredAt: instant,
  month: instant,
  observedAt: instant,
  occurredAt: instant,
  publishedAt: instant,
  startDate: instant,
  startedAt: instant,
  startsAt: instant,
  updatedAt: instant,
  year: [1800, 2100],
};
