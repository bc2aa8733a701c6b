const EARTH_RADIUS_KM = 6_371;

interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Great-circle distance in kilometres, on a sphere. */
export function distanceKm(a: Position, b: Position): number {
  const [phiA, phiB] = [radians(a.latitude), radians(b.latitude)];
  const haversine =
    Math.sin((phiB - phiA) / 2) ** 2 +
    Math.cos(phiA) * Math.cos(phiB) * Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(haversine)));
}
