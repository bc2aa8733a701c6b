import { describe, expect, test } from "vitest";
import { answerOf, failed, fresh, miss, notRequested, queryOf } from "../../../../test/support/operations.js";
import { firstRequest, readBody } from "../../../../test/support/reading.js";
import { cheapestDates, type DatePrice, type DatesPlan, monthsBetween } from "../records/date-prices.js";
import { travelpayoutsCalendar, travelpayoutsMonth } from "../sources/travelpayouts-dates.js";
import { searchProviderDates } from "./search-provider-dates.js";

describe("search for dates", () => {
  const RANGE = "origin=IST&destination=lhr&start_date=2026-11-30&end_date=2027-01-02";
  const plan: DatesPlan = { origin: "IST", destination: "LHR", months: ["2026-11", "2026-12", "2027-01"], days: 0 };
  const planOf = (search: string) => searchProviderDates.fetches?.prices.plan(queryOf(searchProviderDates, search));
  const answer = (search: string, prices: ReturnType<typeof fresh>) =>
    answerOf(searchProviderDates, search, { prices });
  const price = (values: Partial<DatePrice> = {}): DatePrice => ({
    date: "2026-12-01",
    returnDate: "",
    price: 50,
    stops: 0,
    airline: undefined,
    tripClass: 0,
    ...values,
  });

  test("the search requests every month of the range, with `trip_duration` only for a round trip", () => {
    expect(planOf(RANGE)).toEqual(plan);
    expect(planOf(`${RANGE}&trip_duration=7`)).toEqual(plan);
    expect(planOf(`${RANGE}&is_round_trip=true&trip_duration=7`)).toEqual({ ...plan, days: 7 });
  });

  test.each([
    ["", "origin must be an IATA code"],
    ["origin=IST&destination=LHR", "start_date must be a date in the form YYYY-MM-DD"],
    ["origin=IST&destination=LHR&start_date=2026-12-01", "end_date must be a date in the form YYYY-MM-DD"],
    [RANGE.replace("2027-01-02", "2026-11-29"), "end_date must not be before start_date"],
    [`${RANGE}&is_round_trip=true`, "trip_duration is required for a round trip"],
    [RANGE.replace("2027-01-02", "2027-11-01"), "start_date to end_date must cover at most 12 calendar months"],
  ])("%j is not refused; its answer is degraded, and `error` explains why", (search, error) => {
    expect(planOf(search)).toBeUndefined();
    expect(answer(search, notRequested)).toEqual({ dates: [], degraded: true, error });
  });

  test("a range of twelve months is accepted", () => {
    expect(monthsBetween("2026-11-30", "2027-10-31")).toHaveLength(12);
    expect(planOf(RANGE.replace("2027-01-02", "2027-10-31"))).toBeDefined();
  });

  test.each([
    ["no token", failed("unconfigured"), /TRAVELPAYOUTS_API_TOKEN/],
    ["a failing provider", failed(), /could not be reached/],
  ])("the answer is degraded for a search with %s", (_, prices, sentence) => {
    expect(answer(RANGE, prices)).toEqual({ dates: [], degraded: true, error: expect.stringMatching(sentence) });
  });

  test("`error` names the filters that cannot be applied to prices by date", () => {
    const round7 = `${RANGE}&is_round_trip=true&trip_duration=7`;
    const quotes = [
      [`${RANGE}&departure_window=6-20`, "departure_window"],
      [`${RANGE}&airlines=TK`, "airlines"],
      [`${RANGE}&cabin_class=BUSINESS`, "cabin_class"],
      [`${round7}&cabin_class=PREMIUM_ECONOMY&departure_window=6-20`, "departure_window, cabin_class"],
    ] as const;
    for (const [search, names] of quotes) {
      expect(answer(search, fresh(price({ tripClass: search.includes("round") ? undefined : 0 })))).toEqual({
        dates: [{ date: "2026-12-01", price: 50, returnDate: "" }],
        degraded: true,
        error: `prices by date do not include ${names}, so these filters were ignored`,
      });
    }
    const round = `${RANGE}&is_round_trip=true&trip_duration=7&airlines=tk`;
    const prices = fresh(price({ airline: "TK", tripClass: undefined }), price({ airline: "BA", date: "2026-12-02" }));
    expect(answer(round, prices)).toEqual({
      dates: [{ date: "2026-12-01", price: 50, returnDate: "" }],
      degraded: false,
      error: "",
    });
  });

  test.each(["departure_window=evening", "cabin_class=royal", "cabin_class=economy", "airlines="])(
    "the parameter %s filters nothing, so the answer is not degraded",
    (wish) => {
      expect(answer(`${RANGE}&${wish}`, fresh(price()))).toMatchObject({ degraded: false, error: "" });
    },
  );

  test("the cabin filter applies if prices have a cabin", () => {
    const prices = fresh(price({ price: 40 }), price({ price: 90, tripClass: 1 }));
    expect(answer(`${RANGE}&cabin_class=BUSINESS`, prices)).toMatchObject({ dates: [{ price: 90 }], degraded: false });
  });

  test("an answer without prices is empty", () => {
    expect(answer(RANGE, miss)).toEqual({ dates: [], degraded: false, error: "" });
  });

  const wishes = {
    startDate: "2026-12-01",
    endDate: "2026-12-03",
    stopsMax: 9,
    airlines: [],
    tripClass: 0,
    byPrice: false,
  };

  test.each([
    ["2026-11-30", 0],
    ["2026-12-01", 1],
    ["2026-12-03", 1],
    ["2026-12-04", 0],
  ])("a price for %s is listed %d times", (date, count) => {
    expect(cheapestDates([price({ date })], wishes)).toHaveLength(count);
  });

  test("the answer has the cheapest price of each day, sorted by day or by price", () => {
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

  test("round-trip prices are requested from the provider's calendar, one-way prices from its month matrix", () => {
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

test("a simulated answer is marked as made up, even if its list of dates is empty", () => {
  const search = "origin=IST&destination=LHR&start_date=2026-12-01&end_date=2026-12-20";
  for (const simulated of [true, false]) {
    const mark = simulated ? { isDemoMode: true } : {};
    expect(answerOf(searchProviderDates, search, { prices: miss }, simulated)).toEqual({
      dates: [],
      degraded: false,
      error: "",
      ...mark,
    });
  }
});
