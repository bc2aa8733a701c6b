/** Normalizes a position; undefined for an invalid one. Longitudes above 180 come from a network that counts to 360. */
export function positionOf(latitude: unknown, longitude: unknown): { lat: number; lng: number } | undefined {
  if (typeof latitude !== "number" || typeof longitude !== "number") return undefined;
  if (!(Math.abs(latitude) <= 90) || !(longitude >= -180 && longitude <= 360)) return undefined;
  return { lat: latitude, lng: longitude > 180 ? longitude - 360 : longitude };
}
