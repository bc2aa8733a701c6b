/** Normalizes a position; undefined for an invalid one. One network has longitudes from 0 to 360. */
export function positionOf(latitude: unknown, longitude: unknown): { lat: number; lng: number } | undefined {
  if (typeof latitude !== "number" || typeof longitude !== "number") return undefined;
  if (!(Math.abs(latitude) <= 90) || !(longitude >= -180 && longitude <= 360)) return undefined;
  return { lat: latitude, lng: longitude > 180 ? longitude - 360 : longitude };
}
