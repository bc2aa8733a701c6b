import { describe, expect, test } from "vitest";
import { failureOf, firstRequest, readBody } from "../../../../test/support/reading.js";
import type { OffersPlan, ProviderFlightResult } from "../records/itineraries.js";
import { itinerary } from "../testing/itineraries.js";
import { duffel } from "./duffel.js";

describe("offers", () => {
  const plan: OffersPlan = {
    origin: "IST",
    destination: "LHR",
    departureDate: "2026-12-10",
    returnDate: "2026-12-17",
    cabin: "PREMIUM_ECONOMY",
    passengers: 2,
  };
  const request = firstRequest(duffel, plan, { DUFFEL_API_TOKEN: "secret" });
  const segment = (values: object = {}) => ({
    origin: { iata_code: "IST" },
    destination: { iata_code: "LHR" },
    duration: "PT4H",
    departing_at: "2026-12-10T08:00:00",
    arriving_at: "2026-12-10T12:00:00",
    marketing_carrier: { iata_code: "TK" },
    marketing_carrier_flight_number: "1979",
    ...values,
  });
  const offer = (slices: readonly object[], total_amount = "212.50") => ({
    total_amount,
    total_currency: "GBP",
    slices,
  });
  const way = (duration: string | null, ...segments: readonly object[]) => ({ duration, segments });
  const read = (...offers: readonly object[]) => readBody(duffel, request, { data: { live_mode: true, offers } });

  test("a round trip is requested with one slice per direction", () => {
    expect(request.secretHeaders).toEqual({ Authorization: "Bearer secret" });
    expect(JSON.parse(request.body ?? "")).toEqual({
      data: {
        slices: [
          { origin: "IST", destination: "LHR", departure_date: "2026-12-10" },
          { origin: "LHR", destination: "IST", departure_date: "2026-12-17" },
        ],
        passengers: [{ type: "adult" }, { type: "adult" }],
        cabin_class: "premium_economy",
      },
    });
  });

  test("an offer of one slice with one segment becomes an itinerary without stops", () => {
    expect(read(offer([way("PT4H", segment())])).records).toEqual([itinerary({ price: 212.5 })]);
  });

  test("an itinerary has the legs of both directions, their total time, and the larger number of stops", () => {
    const back = way("P1DT1H5M", segment(), segment(), segment());
    expect(read(offer([way("PT4H", segment()), back])).records).toMatchObject([
      { durationMinutes: 240 + 24 * 60 + 65, legs: { length: 4 }, stops: 2 },
    ]);
  });

  test("an unknown duration is absent, and so is a sum that would include it", () => {
    const offers = offer([way("PT4H", segment({ duration: null })), way(null, segment())]);
    const [itinerary] = read(offers).records as readonly ProviderFlightResult[];
    expect(itinerary).not.toHaveProperty("durationMinutes");
    expect(itinerary?.legs.map(({ durationMinutes }) => durationMinutes)).toEqual([undefined, 240]);
  });

  test("an offer with a bad price, duration or time is skipped", () => {
    const good = offer([way("PT4H", segment())]);
    const bad = [
      offer([way("PT4H", segment())], "a lot"),
      offer([way("4 hours", segment())]),
      offer([way("PT4H", segment({ departing_at: "08:00" }))]),
      offer([]),
    ];
    expect(read(...bad, good, good, good, good)).toMatchObject({ rowsRead: 8, rowsBad: 4 });
  });

  test("offers of a test token are never served as real", () => {
    const failure = failureOf(() => readBody(duffel, request, { data: { live_mode: false, offers: [] } }));
    expect([failure.kind, failure.message]).toEqual(["unconfigured", expect.stringContaining("DUFFEL_API_TOKEN")]);
  });

  test("a document of another shape is reported as changed", () => {
    expect(failureOf(() => readBody(duffel, request, { data: { live_mode: true, proposals: [] } })).kind).toBe(
      "changed",
    );
  });
});
