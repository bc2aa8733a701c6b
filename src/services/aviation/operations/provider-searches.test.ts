import { describe, expect, test } from "vitest";
import { answerOf, failed, found, miss, notAsked, queryOf } from "../../../../test/support/operations.js";
import { failureOf, firstRequest, readBody } from "../../../../test/support/reading.js";
import { cheapestDates, type DatePrice, type DatesPlan, monthsBetween } from "../records/date-prices.js";
import {
  cabinFrom,
  fitting,
  type OffersPlan,
  type ProviderFlightResult,
  stopsMaxFrom,
  windowFrom,
} from "../records/itineraries.js";
import { duffel } from "../sources/duffel.js";
import { travelpayoutsCalendar, travelpayoutsMonth } from "../sources/travelpayouts-dates.js";
import { searchProviderDates } from "./search-provider-dates.js";
import { searchProviderFlights } from "./search-provider-flights.js";

const leg = (values: Partial<ProviderFlightResult["legs"][number]> = {}) => ({
  ...{ airlineCode: "TK", arrivalAirport: "LHR", arrivalDatetime: "2026-12-10T12:00:00", departureAirport: "IST" },
  ...{ departureDatetime: "2026-12-10T08:00:00", durationMinutes: 240, flightNumber: "TK1979" },
  ...values,
});
const itinerary = (values: Partial<ProviderFlightResult> = {}): ProviderFlightResult => ({
  ...{ durationMinutes: 240, legs: [leg()], price: 100, stops: 0 },
  ...values,
});

describe("wishes that are not understood fall back", () => {
  test.each([
    ["business", "BUSINESS"],
    ["PREMIUM_ECONOMY", "PREMIUM_ECONOMY"],
    ["royal", "ECONOMY"],
    ["", "ECONOMY"],
  ])("cabin %j is %s", (given, expected) => {
    expect(cabinFrom(given)).toBe(expected);
  });

  test.each([
    ["NON_STOP", 0],
    ["one_stop", 1],
    ["TWO_PLUS_STOPS", Number.POSITIVE_INFINITY],
    ["ANY", Number.POSITIVE_INFINITY],
    ["3", Number.POSITIVE_INFINITY],
  ])("stops %j are at most %d", (given, expected) => {
    expect(stopsMaxFrom(given)).toBe(expected);
  });

  test.each([
    ["6-20", [360, 1_200]],
    ["06-6", [360, 360]],
    ["0-24", [0, 1_440]],
    ["0-25", undefined],
    ["20-6", undefined],
    ["morning", undefined],
    ["", undefined],
  ])("the window %j is %j", (given, expected) => {
    expect(windowFrom(given)).toEqual(expected);
  });
});

describe("itineraries that fit", () => {
  const wishes = { maxStops: "", departureWindow: "", airlines: [], sortBy: "" };
  const leaving = (time: string) => itinerary({ legs: [leg({ departureDatetime: `2026-12-10T${time}:00` })] });

  test.each([
    ["05:59", 0],
    ["06:00", 1],
    ["20:00", 1],
    ["20:01", 0],
  ])("from 6 to 20: one that leaves at %s is there %d times", (time, count) => {
    expect(fitting([leaving(time)], { ...wishes, departureWindow: "6-20" })).toHaveLength(count);
  });

  test.each([
    ["NON_STOP", [0]],
    ["ONE_STOP", [0, 1]],
    ["TWO_PLUS_STOPS", [0, 1, 2]],
    ["whatever", [0, 1, 2]],
  ])("%s leaves those with %j stops", (maxStops, expected) => {
    const all = [0, 1, 2].map((stops) => itinerary({ stops }));
    expect(fitting(all, { ...wishes, maxStops }).map(({ stops }) => stops)).toEqual(expected);
  });

  test("every leg must be of an asked airline", () => {
    const mixed = itinerary({ legs: [leg(), leg({ airlineCode: "BA" })] });
    const found = (airlines: readonly string[]) => fitting([itinerary(), mixed], { ...wishes, airlines }).length;
    expect([found([]), found(["tk"]), found(["TK", "BA"]), found(["BA"])]).toEqual([2, 1, 2, 0]);
  });

  test.each([
    ["CHEAPEST", ["a", "b", "c"]],
    ["DURATION", ["c", "b", "a"]],
    ["DEPARTURE_TIME", ["b", "a", "c"]],
    ["ARRIVAL_TIME", ["c", "a", "b"]],
    ["", ["a", "b", "c"]],
    ["COMFORT", ["a", "b", "c"]],
  ])("in the order %s", (sortBy, expected) => {
    const of = (flightNumber: string, price: number, durationMinutes: number, from: string, to: string) =>
      itinerary({
        price,
        durationMinutes,
        legs: [leg({ flightNumber, departureDatetime: from, arrivalDatetime: to })],
      });
    const all = [of("b", 2, 20, "T01", "T30"), of("c", 3, 10, "T03", "T10"), of("a", 1, 30, "T02", "T20")];
    expect(fitting(all, { ...wishes, sortBy }).map(({ legs }) => legs[0]?.flightNumber)).toEqual(expected);
  });
});

describe("search for flights", () => {
  const ROUTE = "origin=ist&destination=LHR&departure_date=2026-12-10";
  const planOf = (search: string) => searchProviderFlights.fetches?.offers.plan(queryOf(searchProviderFlights, search));
  const answer = (search: string, offers: ReturnType<typeof found>) =>
    answerOf(searchProviderFlights, search, { offers });

  test.each([
    ["", "ECONOMY", 1],
    ["&passengers=0", "ECONOMY", 1],
    ["&passengers=-3", "ECONOMY", 1],
    ["&passengers=9", "ECONOMY", 9],
    ["&passengers=10", "ECONOMY", 9],
    ["&cabin_class=first&max_stops=NON_STOP&airlines=TK", "FIRST", 1],
  ])("%s asks for %s and %d passengers, whatever the other wishes", (more, cabin, passengers) => {
    expect(planOf(ROUTE + more)).toEqual({
      ...{ origin: "IST", destination: "LHR", departureDate: "2026-12-10", returnDate: "", cabin, passengers },
    });
  });

  test.each([
    ["", "origin must be an IATA code"],
    ["origin=IST", "destination must be an IATA code"],
    ["origin=IST&destination=LHR", "departure_date must be a day as YYYY-MM-DD"],
    [`${ROUTE}&return_date=soon`, "return_date must be a day as YYYY-MM-DD"],
    [`${ROUTE}&return_date=2026-12-09`, "return_date must not be before departure_date"],
  ])("%j is degraded with a sentence and not refused", (search, error) => {
    expect(planOf(search)).toBeUndefined();
    expect(answer(search, notAsked)).toEqual({ degraded: true, error, flights: [] });
  });

  test.each([
    ["no token", failed("unconfigured"), /DUFFEL_API_TOKEN/],
    ["a failing provider", failed(), /could not be asked/],
  ])("%s is degraded", (_, offers, sentence) => {
    expect(answer(ROUTE, offers)).toEqual({ degraded: true, error: expect.stringMatching(sentence), flights: [] });
  });

  test("what fits, and nothing where nothing does", () => {
    expect(answer(ROUTE, found(itinerary()))).toEqual({ degraded: false, error: "", flights: [itinerary()] });
    expect(answer(`${ROUTE}&airlines=BA`, found(itinerary()))).toEqual({ degraded: false, error: "", flights: [] });
    expect(answer(ROUTE, miss)).toEqual({ degraded: false, error: "", flights: [] });
  });
});

describe("offers", () => {
  const plan: OffersPlan = {
    ...{ origin: "IST", destination: "LHR", departureDate: "2026-12-10", returnDate: "2026-12-17" },
    ...{ cabin: "PREMIUM_ECONOMY", passengers: 2 },
  };
  const request = firstRequest(duffel, plan, { DUFFEL_API_TOKEN: "secret" });
  const segment = (values: object = {}) => ({
    ...{ origin: { iata_code: "IST" }, destination: { iata_code: "LHR" }, duration: "PT4H" },
    ...{ departing_at: "2026-12-10T08:00:00", arriving_at: "2026-12-10T12:00:00" },
    ...{ marketing_carrier: { iata_code: "TK" }, marketing_carrier_flight_number: "1979" },
    ...values,
  });
  const offer = (slices: readonly object[], total_amount = "212.50") => ({
    total_amount,
    total_currency: "GBP",
    slices,
  });
  const way = (duration: string | null, ...segments: readonly object[]) => ({ duration, segments });
  const read = (...offers: readonly object[]) => readBody(duffel, request, { data: { live_mode: true, offers } });

  test("are asked for with one slice per way", () => {
    expect(request.secretHeaders).toEqual({ Authorization: "Bearer secret" });
    expect(JSON.parse(request.body ?? "")).toEqual({
      data: {
        slices: [
          { origin: "IST", destination: "LHR", departure_date: "2026-12-10" },
          { origin: "LHR", destination: "IST", departure_date: "2026-12-17" },
        ],
        ...{ passengers: [{ type: "adult" }, { type: "adult" }], cabin_class: "premium_economy" },
      },
    });
  });

  test("one way without a stop", () => {
    expect(read(offer([way("PT4H", segment())])).records).toEqual([itinerary({ price: 212.5 })]);
  });

  test("legs of both ways, their time together, the stops of the longer", () => {
    const back = way("P1DT1H5M", segment(), segment(), segment());
    expect(read(offer([way("PT4H", segment()), back])).records).toMatchObject([
      { durationMinutes: 240 + 24 * 60 + 65, legs: { length: 4 }, stops: 2 },
    ]);
  });

  test("unknown durations are absent and never a part of a sum", () => {
    const offers = offer([way("PT4H", segment({ duration: null })), way(null, segment())]);
    const [found] = read(offers).records as readonly ProviderFlightResult[];
    expect(found).not.toHaveProperty("durationMinutes");
    expect(found?.legs.map(({ durationMinutes }) => durationMinutes)).toEqual([undefined, 240]);
  });

  test("a bad price, duration or time spoils its own offer only", () => {
    const good = offer([way("PT4H", segment())]);
    const bad = [
      offer([way("PT4H", segment())], "a lot"),
      offer([way("4 hours", segment())]),
      offer([way("PT4H", segment({ departing_at: "08:00" }))]),
      offer([]),
    ];
    expect(read(...bad, good, good, good, good)).toMatchObject({ rowsRead: 8, rowsBad: 4 });
  });

  test("those of a test token never pass for real ones", () => {
    const failure = failureOf(() => readBody(duffel, request, { data: { live_mode: false, offers: [] } }));
    expect([failure.kind, failure.message]).toEqual(["unconfigured", expect.stringContaining("DUFFEL_API_TOKEN")]);
  });

  test("another document has changed", () => {
    expect(failureOf(() => readBody(duffel, request, { data: { live_mode: true, proposals: [] } })).kind).toBe(
      "changed",
    );
  });
});

describe("search for dates", () => {
  const RANGE = "origin=IST&destination=lhr&start_date=2026-11-30&end_date=2027-01-02";
  const plan: DatesPlan = { origin: "IST", destination: "LHR", months: ["2026-11", "2026-12", "2027-01"], days: 0 };
  const planOf = (search: string) => searchProviderDates.fetches?.prices.plan(queryOf(searchProviderDates, search));
  const answer = (search: string, prices: ReturnType<typeof found>) =>
    answerOf(searchProviderDates, search, { prices });
  const price = (values: Partial<DatePrice> = {}): DatePrice => ({
    ...{ date: "2026-12-01", returnDate: "", price: 50, stops: 0, airline: undefined, tripClass: 0 },
    ...values,
  });

  test("asks for every month of the range, and for the days of a round trip", () => {
    expect(planOf(RANGE)).toEqual(plan);
    expect(planOf(`${RANGE}&trip_duration=7`)).toEqual(plan);
    expect(planOf(`${RANGE}&is_round_trip=true&trip_duration=7`)).toEqual({ ...plan, days: 7 });
  });

  test.each([
    ["", "origin must be an IATA code"],
    ["origin=IST&destination=LHR", "start_date must be a day as YYYY-MM-DD"],
    ["origin=IST&destination=LHR&start_date=2026-12-01", "end_date must be a day as YYYY-MM-DD"],
    [RANGE.replace("2027-01-02", "2026-11-29"), "end_date must not be before start_date"],
    [`${RANGE}&is_round_trip=true`, "trip_duration is required for a round trip"],
    [RANGE.replace("2027-01-02", "2027-11-01"), "start_date to end_date must touch at most 12 months"],
  ])("%j is degraded with a sentence and not refused", (search, error) => {
    expect(planOf(search)).toBeUndefined();
    expect(answer(search, notAsked)).toEqual({ dates: [], degraded: true, error });
  });

  test("twelve months are not too many", () => {
    expect(monthsBetween("2026-11-30", "2027-10-31")).toHaveLength(12);
    expect(planOf(RANGE.replace("2027-01-02", "2027-10-31"))).toBeDefined();
  });

  test.each([
    ["no token", failed("unconfigured"), /TRAVELPAYOUTS_API_TOKEN/],
    ["a failing provider", failed(), /could not be asked/],
  ])("%s is degraded", (_, prices, sentence) => {
    expect(answer(RANGE, prices)).toEqual({ dates: [], degraded: true, error: expect.stringMatching(sentence) });
  });

  test("wishes that prices by date cannot tell are said to make no difference", () => {
    const round7 = `${RANGE}&is_round_trip=true&trip_duration=7`;
    const given = [
      [`${RANGE}&departure_window=6-20`, "departure_window"],
      [`${RANGE}&airlines=TK`, "airlines"],
      [`${RANGE}&cabin_class=BUSINESS`, "cabin_class"],
      [`${round7}&cabin_class=PREMIUM_ECONOMY&departure_window=6-20`, "departure_window, cabin_class"],
    ] as const;
    for (const [search, names] of given) {
      expect(answer(search, found(price({ tripClass: search.includes("round") ? undefined : 0 })))).toEqual({
        dates: [{ date: "2026-12-01", price: 50, returnDate: "" }],
        degraded: true,
        error: `prices by date do not tell ${names}, which made no difference`,
      });
    }
    const round = `${RANGE}&is_round_trip=true&trip_duration=7&airlines=tk`;
    const prices = found(price({ airline: "TK", tripClass: undefined }), price({ airline: "BA", date: "2026-12-02" }));
    expect(answer(round, prices)).toEqual({
      ...{ dates: [{ date: "2026-12-01", price: 50, returnDate: "" }], degraded: false, error: "" },
    });
  });

  test.each(["departure_window=evening", "cabin_class=royal", "cabin_class=economy", "airlines="])(
    "%s is no wish",
    (wish) => {
      expect(answer(`${RANGE}&${wish}`, found(price()))).toMatchObject({ degraded: false, error: "" });
    },
  );

  test("a cabin is heeded where prices tell it", () => {
    const prices = found(price({ price: 40 }), price({ price: 90, tripClass: 1 }));
    expect(answer(`${RANGE}&cabin_class=BUSINESS`, prices)).toMatchObject({ dates: [{ price: 90 }], degraded: false });
  });

  test("nobody found a price", () => {
    expect(answer(RANGE, miss)).toEqual({ dates: [], degraded: false, error: "" });
  });

  const wishes = {
    ...{ startDate: "2026-12-01", endDate: "2026-12-03", stopsMax: 9, airlines: [], tripClass: 0, byPrice: false },
  };

  test.each([
    ["2026-11-30", 0],
    ["2026-12-01", 1],
    ["2026-12-03", 1],
    ["2026-12-04", 0],
  ])("%s is in the range %d times", (date, count) => {
    expect(cheapestDates([price({ date })], wishes)).toHaveLength(count);
  });

  test("the cheapest of each day, by day or by price", () => {
    const all = [
      price({ date: "2026-12-02", price: 20 }),
      price({ price: 60 }),
      price({ price: 50 }),
      price({ date: "2026-12-03", price: 55, stops: 1 }),
      price({ date: "2026-12-03", price: 40, tripClass: 1 }),
    ];
    const pricesOf = (changes: object) => cheapestDates(all, { ...wishes, ...changes }).map((entry) => entry.price);
    expect([pricesOf({}), pricesOf({ byPrice: true }), pricesOf({ stopsMax: 0 }), pricesOf({ tripClass: 1 })]).toEqual([
      [50, 20, 55],
      [20, 50, 55],
      [50, 20],
      [40],
    ]);
  });

  test("a calendar of round trips, and a month of one-way prices", () => {
    const round = firstRequest(travelpayoutsCalendar, { ...plan, days: 7 }, {});
    const oneWay = firstRequest(travelpayoutsMonth, plan, {});
    expect([round.url, oneWay.url]).toEqual([
      expect.stringContaining(
        "/v1/prices/calendar?origin=IST&destination=LHR&depart_date=2026-11&calendar_type=departure_date&length=7",
      ),
      expect.stringContaining("/v2/prices/month-matrix?origin=IST&destination=LHR&month=2026-11-01&one_way=true"),
    ]);
    expect([0, 7].map((days) => travelpayoutsCalendar.answers?.({ ...plan, days }))).toEqual([false, true]);
    expect([0, 7].map((days) => travelpayoutsMonth.answers?.({ ...plan, days }))).toEqual([true, false]);
    const day = { price: 184, airline: "W6", departure_at: "2026-12-11T11:05:00+03:00", transfers: 1 };
    const data = { "2026-12-11": { ...day, return_at: "2026-12-18T17:30:00+01:00" } };
    expect(readBody(travelpayoutsCalendar, round, { success: true, data }).records).toEqual([
      { date: "2026-12-11", returnDate: "2026-12-18", price: 184, stops: 1, airline: "W6", tripClass: undefined },
    ]);
    expect(readBody(travelpayoutsCalendar, round, { success: true, data: [] }).records).toEqual([]);
    const row = { value: 261, trip_class: 0, depart_date: "2026-12-16", return_date: "", number_of_changes: 2 };
    expect(readBody(travelpayoutsMonth, oneWay, { success: true, data: [row] }).records).toEqual([
      { date: "2026-12-16", returnDate: "", price: 261, stops: 2, airline: undefined, tripClass: 0 },
    ]);
  });
});

test("made-up offers say so, in answers without any as well", () => {
  const dates = "origin=IST&destination=LHR&start_date=2026-12-01&end_date=2026-12-20";
  const flights = "origin=IST&destination=LHR&departure_date=2026-12-10";
  for (const simulated of [true, false]) {
    const mark = simulated ? { isDemoMode: true } : {};
    expect(answerOf(searchProviderDates, dates, { prices: miss }, simulated)).toEqual({
      ...{ dates: [], degraded: false, error: "", ...mark },
    });
    expect(answerOf(searchProviderFlights, flights, { offers: failed() }, simulated)).toEqual({
      ...{ flights: [], degraded: true, error: expect.any(String), ...mark },
    });
  }
});
