/** The minimum and maximum of a field. */
export type ValueRange = readonly [min: number, max: number];

/** Instants that a record may carry, epoch ms: the years -2100 to 2100. */
export const instantRange: ValueRange = [Date.UTC(-2100, 0), Date.UTC(2101, 0) - 1];

const instant = instantRange;
const count: ValueRange = [0, 1e9];
const people: ValueRange = [0, 1e10];
const latitude: ValueRange = [-90, 90];
const longitude: ValueRange = [-180, 180];
const minutes: ValueRange = [-1_440, 100_000];
const yieldPercent: ValueRange = [-20, 100];
const ice: ValueRange = [0, 30];
const price: ValueRange = [0, 1e8];

/**
 * The range of each numeric field that records of several services share, by the field's name at any depth. Such a
 * field has one meaning and one unit wherever it appears. A source declares the ranges of its other fields as `ranges`.
 * A row with a number outside its range is bad.
 */
export const valueRanges: Readonly<Record<string, ValueRange>> = {
  actualArrival: instant,
  actualDeparture: instant,
  adminLevel: [0, 10],
  affectedPopulation: people,
  altitudeM: [-1_000, 60_000],
  anomalyC: [-50, 50],
  aqi: [0, 10_000],
  asylumSeekers: people,
  at: instant,
  date: instant,
  dateEnd: instant,
  dateStart: instant,
  day: instant,
  dayOfYear: [1, 366],
  deaths: count,
  deathsBest: count,
  deathsHigh: count,
  deathsLow: count,
  delayMinutes: minutes,
  departureDelayMinutes: minutes,
  durationMinutes: [0, 100_000],
  endDate: instant,
  endsAt: instant,
  estimatedArrival: instant,
  estimatedDeparture: instant,
  events: count,
  expiresAt: instant,
  extentMkm2: ice,
  fatalities: count,
  firstDay: instant,
  fiveYear: yieldPercent,
  fourMonth: yieldPercent,
  globalMeanPpm: [100, 10_000],
  groundSpeedKts: [0, 20_000],
  id: [0, Number.MAX_SAFE_INTEGER],
  idps: people,
  index: [0, 1e6],
  lastDay: instant,
  lat: latitude,
  latitude,
  lng: longitude,
  lon: longitude,
  longitude,
  measuredAt: instant,
  medianMkm2: ice,
  minutes,
  mmAbove1993: [-1_000, 10_000],
  mmPerYear: [-100, 100],
  month: instant,
  observedAt: instant,
  occurredAt: instant,
  oneAndAHalfMonth: yieldPercent,
  oneMonth: yieldPercent,
  oneYear: yieldPercent,
  pm25: [0, 10_000],
  precipitationMm: [0, 3_000],
  price,
  priceAmount: price,
  publishedAt: instant,
  refugees: people,
  scheduledArrival: instant,
  scheduledDeparture: instant,
  sevenYear: yieldPercent,
  sixMonth: yieldPercent,
  startDate: instant,
  startedAt: instant,
  startsAt: instant,
  stateless: people,
  stationGrowthPpm: [-50, 50],
  stops: [0, 20],
  temperatureC: [-100, 70],
  tenYear: yieldPercent,
  thirtyYear: yieldPercent,
  threeMonth: yieldPercent,
  threeYear: yieldPercent,
  // Some transponders send negative degrees, counter-clockwise from north.
  trackDeg: [-360, 360],
  tripClass: [0, 9],
  twentyYear: yieldPercent,
  twoMonth: yieldPercent,
  twoYear: yieldPercent,
  updatedAt: instant,
  value: [0, 1e6],
  verticalRate: [-1_000, 1_000],
  year: [1800, 2100],
  zettajoules: [-10_000, 10_000],
};
