/** The edges of a box, in degrees. A box whose western edge is east of its eastern edge crosses the antimeridian. */
export interface Box {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** Builds a box from its corners; undefined if its southern edge is north of its northern edge. */
export function boxOf(southWest: readonly [number, number], northEast: readonly [number, number]): Box | undefined {
  const [south, west] = southWest;
  const [north, east] = northEast;
  return south > north ? undefined : { south, west, north, east };
}

export function isInside({ south, west, north, east }: Box, { lat, lon }: { lat: number; lon: number }): boolean {
  if (lat < south || lat > north) return false;
  return west <= east ? lon >= west && lon <= east : lon >= west || lon <= east;
}

/** Splits a box at the antimeridian. */
export function partsOf(box: Box): readonly Box[] {
  if (box.west <= box.east) return [box];
  return [
    { ...box, east: 180 },
    { ...box, west: -180 },
  ];
}

export interface Circle {
  readonly lat: number;
  readonly lon: number;
  /** Whole nautical miles, rounded up. */
  readonly radiusNm: number;
}

const EARTH_RADIUS_NM = 3_440.065;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/**
 * Returns the smallest circle that has its centre at the centre of a box and contains the box. For a box that spans
 * more than 180 degrees of longitude, the circle covers the globe.
 */
export function circleAround({ south, west, north, east }: Box): Circle {
  const width = east >= west ? east - west : east - west + 360;
  const lat = (south + north) / 2;
  const middle = west + width / 2;
  const lon = middle > 180 ? middle - 360 : middle;
  // Northern and southern corners are both measured, because the edge nearer to the equator is longer. A corner is the
  // point farthest from the centre, unless the box spans more than 180 degrees of longitude.
  const corners = [south, north].map((corner) => distanceNm(lat, corner, Math.min(width / 2, 180)));
  const isWide = width > 180;
  const radiusNm = isWide ? Math.ceil(Math.PI * EARTH_RADIUS_NM) : Math.max(1, Math.ceil(Math.max(...corners)));
  return { lat, lon, radiusNm };
}

function distanceNm(fromLat: number, toLat: number, lonApart: number): number {
  const [a, b, apart] = [radians(fromLat), radians(toLat), radians(lonApart)];
  const h = Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(apart / 2) ** 2;
  return 2 * EARTH_RADIUS_NM * Math.asin(Math.min(1, Math.sqrt(h)));
}
