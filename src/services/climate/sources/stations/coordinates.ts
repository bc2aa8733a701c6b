/**
 * Returns a position with a longitude from -180 to 180; undefined for an invalid position. One of the station networks
 * publishes longitudes from 0 to 360.
 */
export function positionOf(latitude: unknown, longitude: unknown): { lat: number; lng: number } | undefined {
  if (typeof latitude !== "number" || typeof longitude !== "number") return undefined;
  if (!(Math.abs(latitude) <= 90) || !(longitude >= -180 && longitude <= 360)) return undefined;
  return { lat: latitude, lng: longitude > 180 ? longitude - 360 : longitude };
}
