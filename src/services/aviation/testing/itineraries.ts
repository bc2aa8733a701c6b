import type { ProviderFlightResult } from "../records/itineraries.js";

export const leg = (values: Partial<ProviderFlightResult["legs"][number]> = {}) => ({
  airlineCode: "TK",
  arrivalAirport: "LHR",
  arrivalDatetime: "2026-12-10T12:00:00",
  departureAirport: "IST",
  departureDatetime: "2026-12-10T08:00:00",
  durationMinutes: 240,
  flightNumber: "TK1979",
  ...values,
});
export const itinerary = (values: Partial<ProviderFlightResult> = {}): ProviderFlightResult => ({
  durationMinutes: 240,
  legs: [leg()],
  price: 100,
  stops: 0,
  ...values,
});
