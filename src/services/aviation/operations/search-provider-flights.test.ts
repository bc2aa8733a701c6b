import { describe, expect, test } from "vitest";
import { answerOf, failed, fresh, miss, notRequested, queryOf } from "../../../../test/support/operations.js";
import { itinerary } from "../testing/itineraries.js";
import { searchProviderFlights } from "./search-provider-flights.js";

describe("search for flights", () => {
  const ROUTE = "origin=ist&destination=LHR&departure_date=2026-12-10";
  const planOf = (search: string) => searchProviderFlights.fetches?.offers.plan(queryOf(searchProviderFlights, search));
  const answer = (search: string, offers: ReturnType<typeof fresh>) =>
    answerOf(searchProviderFlights, search, { offers });

  test.each([
    ["", "ECONOMY", 1],
    ["&passengers=0", "ECONOMY", 1],
    ["&passengers=-3", "ECONOMY", 1],
    ["&passengers=9", "ECONOMY", 9],
    ["&passengers=10", "ECONOMY", 9],
    ["&cabin_class=first&max_stops=NON_STOP&airlines=TK", "FIRST", 1],
  ])(
    "a query with the suffix %j requests %s and %d passengers, regardless of the other filters",
    (more, cabin, passengers) => {
      expect(planOf(ROUTE + more)).toEqual({
        origin: "IST",
        destination: "LHR",
        departureDate: "2026-12-10",
        returnDate: "",
        cabin,
        passengers,
      });
    },
  );

  test.each([
    ["", "origin must be an IATA code"],
    ["origin=IST", "destination must be an IATA code"],
    ["origin=IST&destination=LHR", "departure_date must be a date in the form YYYY-MM-DD"],
    [`${ROUTE}&return_date=soon`, "return_date must be a date in the form YYYY-MM-DD"],
    [`${ROUTE}&return_date=2026-12-09`, "return_date must not be before departure_date"],
  ])("%j is not refused; its answer is degraded, and `error` explains why", (search, error) => {
    expect(planOf(search)).toBeUndefined();
    expect(answer(search, notRequested)).toEqual({ degraded: true, error, flights: [] });
  });

  test.each([
    ["no token", failed("unconfigured"), /DUFFEL_API_TOKEN/],
    ["a failing provider", failed(), /could not be reached/],
  ])("the answer is degraded for a search with %s", (_, offers, sentence) => {
    expect(answer(ROUTE, offers)).toEqual({ degraded: true, error: expect.stringMatching(sentence), flights: [] });
  });

  test("the answer has the matching flights, and is empty if none match", () => {
    expect(answer(ROUTE, fresh(itinerary()))).toEqual({ degraded: false, error: "", flights: [itinerary()] });
    expect(answer(`${ROUTE}&airlines=BA`, fresh(itinerary()))).toEqual({ degraded: false, error: "", flights: [] });
    expect(answer(ROUTE, miss)).toEqual({ degraded: false, error: "", flights: [] });
  });
});

test("a simulated answer is marked as made up, even if its list of flights is empty", () => {
  const search = "origin=IST&destination=LHR&departure_date=2026-12-10";
  for (const simulated of [true, false]) {
    const mark = simulated ? { isDemoMode: true } : {};
    expect(answerOf(searchProviderFlights, search, { offers: failed() }, simulated)).toEqual({
      flights: [],
      degraded: true,
      error: expect.any(String),
      ...mark,
    });
  }
});
