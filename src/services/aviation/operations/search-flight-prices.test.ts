import { describe, expect, test } from "vitest";
import { answerOf, failed, fresh, miss, notRequested, queryOf } from "../../../../test/support/operations.js";
import { failureOf, firstRequest, readBody } from "../../../../test/support/reading.js";
import { cabinOf, marketOf, type PricePlan, type PriceQuote, tripClassOf } from "../records/prices.js";
import { travelpayoutsDay, travelpayoutsLatest } from "../sources/travelpayouts-prices.js";
import { searchFlightPrices } from "./search-flight-prices.js";

const TOKEN = { TRAVELPAYOUTS_API_TOKEN: "secret" };
const ROUTE = "origin=ist&destination=LHR&departure_date=2026-12-10";
const plan: PricePlan = {
  origin: "IST",
  destination: "LHR",
  departureDate: "2026-12-10",
  returnDate: "",
  tripClass: 0,
  nonstopOnly: false,
  currency: "usd",
  market: "tr",
};
const quote = (values: Partial<PriceQuote> = {}): PriceQuote => ({
  cabin: "CABIN_CLASS_ECONOMY",
  carrier: { iataCode: "TK" },
  currency: "USD",
  departureDate: "2026-12-10",
  destination: "LHR",
  durationMinutes: 240,
  id: "q",
  isIndicative: true,
  origin: "IST",
  priceAmount: 100,
  provider: "travelpayouts",
  returnDate: "",
  stops: 0,
  ...values,
});
const planOf = (search: string) => searchFlightPrices.fetches?.prices.plan(queryOf(searchFlightPrices, search));
const answer = (search: string, prices: ReturnType<typeof fresh>, simulated = false) =>
  answerOf(searchFlightPrices, search, { prices }, simulated);

describe("the request", () => {
  test.each([
    ["a day", ROUTE, plan],
    ["a round trip", `${ROUTE}&return_date=2026-12-17`, { ...plan, returnDate: "2026-12-17" }],
    ["business class", `${ROUTE}&cabin=CABIN_CLASS_BUSINESS`, { ...plan, tripClass: 1 }],
    ["first class", `${ROUTE}&cabin=CABIN_CLASS_FIRST`, { ...plan, tripClass: 2 }],
    ["premium economy, which has no prices", `${ROUTE}&cabin=CABIN_CLASS_PREMIUM_ECONOMY`, undefined],
    [
      "nonstop in another currency and market",
      `${ROUTE}&nonstop_only=true&currency=EUR&market=en-GB`,
      {
        ...plan,
        nonstopOnly: true,
        currency: "eur",
        market: "gb",
      },
    ],
    [
      "a monitored airport as origin, whose country becomes the market",
      ROUTE.replace("ist", "DXB"),
      { ...plan, origin: "DXB", market: "ae" },
    ],
    ["a city as origin, which has no market", ROUTE.replace("ist", "LON"), { ...plan, origin: "LON", market: "" }],
    ["an invalid market, which is replaced by the country of the origin", `${ROUTE}&market=english`, plan],
    ["a number of adults, which is ignored", `${ROUTE}&adults=9`, plan],
    ["an invalid and repeated number of adults, which is ignored", `${ROUTE}&adults=-1&adults=many`, plan],
    ["an ICAO code, which is not accepted", "origin=LTFM&destination=LHR&departure_date=2026-12-10", undefined],
  ])("the planned request of a search with %s is $2", (_, search, expected) => {
    expect(planOf(search)).toEqual(expected);
  });

  test.each([
    "origin=IS",
    "destination=LONDON",
    "departure_date=2026-12-32",
    "return_date=tomorrow",
    "max_results=51",
    "cabin=BUSINESS",
    "currency=euro",
    "nonstop_only=2",
  ])("%s is refused", (wrong) => {
    const parameters = new URLSearchParams(ROUTE);
    for (const [name, value] of new URLSearchParams(wrong)) parameters.set(name, value);
    expect(() => queryOf(searchFlightPrices, parameters.toString())).toThrow();
  });

  test.each([
    ["en-GB", "gb"],
    ["tr_TR", "tr"],
    ["US", "us"],
    ["ae", "ae"],
    ["english", ""],
    ["", ""],
  ])("the market of the locale %j is %j", (locale, market) => {
    expect(marketOf(locale)).toBe(market);
  });

  test("each class number of the provider has a cabin, and premium economy has no class number", () => {
    expect([0, 1, 2, 3].map(cabinOf)).toEqual([
      "CABIN_CLASS_ECONOMY",
      "CABIN_CLASS_BUSINESS",
      "CABIN_CLASS_FIRST",
      "CABIN_CLASS_UNSPECIFIED",
    ]);
    expect(tripClassOf("CABIN_CLASS_PREMIUM_ECONOMY")).toBeUndefined();
  });
});

describe("the answer", () => {
  test("the answer has the quotes of the day, cheapest first and marked as indicative", () => {
    const [dear, cheap] = [quote({ priceAmount: 90, id: "a" }), quote({ priceAmount: 80, id: "b" })];
    const others = [quote({ departureDate: "2026-12-11" }), quote({ returnDate: "2026-12-17" })];
    expect(answer(ROUTE, fresh(dear, cheap, ...others))).toEqual({
      degraded: false,
      error: "",
      isDemoMode: false,
      isIndicative: true,
      provider: "travelpayouts",
      quotes: [cheap, dear],
      updatedAt: 7,
    });
  });

  test("a nonstop search leaves out journeys with one stop", () => {
    const quotes = fresh(quote({ stops: 1 }), quote({ stops: 0, id: "direct" }));
    expect(answer(`${ROUTE}&nonstop_only=true`, quotes)).toMatchObject({ quotes: [{ id: "direct" }] });
    expect(answer(ROUTE, quotes)).toMatchObject({ quotes: { length: 2 } });
  });

  test.each([
    ["", 10],
    ["&max_results=0", 10],
    ["&max_results=1", 1],
    ["&max_results=50", 50],
  ])("a search with the suffix %j returns %d quotes", (suffix, count) => {
    const many = Array.from({ length: 60 }, (_, index) => quote({ id: `${index}` }));
    expect(answer(ROUTE + suffix, fresh(...many))).toMatchObject({ quotes: { length: count } });
  });

  test.each([
    ["no token", ROUTE, failed("unconfigured"), "missing_credentials"],
    ["a failing provider", ROUTE, failed(), "upstream_error"],
    ["no prices at all", ROUTE, miss, "no_results"],
    ["no prices for the day", ROUTE, fresh(quote({ departureDate: "2026-12-11" })), "no_results"],
    ["premium economy", `${ROUTE}&cabin=CABIN_CLASS_PREMIUM_ECONOMY`, notRequested, "no_results"],
    ["an invalid destination", ROUTE.replace("LHR", "EGLL"), notRequested, "invalid_route"],
  ])("the answer is degraded for a search with %s", (_, search, prices, error) => {
    expect(answer(search, prices)).toMatchObject({ degraded: true, error, isIndicative: false, quotes: [] });
  });

  test("only demo offers are marked as simulated, and they have no booking link", () => {
    const bookingUrl = "https://www.aviasales.com/search/IST1012LHR1";
    const prices = fresh(quote({ bookingUrl }));
    const { bookingUrl: _bookingUrl, ...shown } = quote();
    expect(answer(ROUTE, prices, true)).toMatchObject({ isDemoMode: true });
    expect(answer(ROUTE, prices, true)).toHaveProperty("quotes", [shown]);
    expect(answer(ROUTE, prices, false)).toMatchObject({ isDemoMode: false, quotes: [{ bookingUrl }] });
  });
});

describe("prices for a day", () => {
  const request = firstRequest(travelpayoutsDay, { ...plan, market: "gb" }, TOKEN);
  const row = (values: object = {}) => ({
    flight_number: "1979",
    link: "/search/IST1012LHR1?t=TK",
    origin: "IST",
    destination: "LHR",
    airline: "TK",
    departure_at: "2026-12-10T23:30:00+03:00",
    price: 131,
    transfers: 1,
    duration: 245,
    ...values,
  });
  const read = (...data: readonly object[]) =>
    readBody(travelpayoutsDay, request, { success: true, data, currency: "usd", error: null });

  test("prices for a day are requested for economy only, with the token in a header", () => {
    expect(request.secretHeaders).toEqual({ "X-Access-Token": "secret" });
    expect(Object.fromEntries(new URL(request.url).searchParams)).toEqual({
      origin: "IST",
      destination: "LHR",
      departure_at: "2026-12-10",
      one_way: "true",
      direct: "false",
      currency: "usd",
      market: "gb",
      sorting: "price",
      unique: "false",
      limit: "50",
      page: "1",
    });
    expect([0, 1, 2].map((tripClass) => travelpayoutsDay.answers?.({ ...plan, tripClass } as PricePlan))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("rows become quotes dated by the airport's local day", () => {
    expect(read(row()).records).toEqual([
      quote({
        bookingUrl: "https://www.aviasales.com/search/IST1012LHR1?t=TK",
        durationMinutes: 245,
        priceAmount: 131,
        id: "travelpayouts:IST:LHR:2026-12-10::TK1979:1:131",
        stops: 1,
      }),
    ]);
  });

  test("a link to another host is dropped", () => {
    expect(read(row({ link: "https://elsewhere.test/" })).records[0]).not.toHaveProperty("bookingUrl");
  });

  test("a row with a bad price or day is skipped", () => {
    const bad = [row({ price: "cheap" }), row({ price: 0 }), row({ departure_at: "soon" })];
    expect(read(...bad, row(), row(), row())).toMatchObject({ rowsRead: 6, rowsBad: 3 });
  });

  test("an empty list of prices is a valid answer; a refusal and an unknown document are failures", () => {
    expect(read().records).toEqual([]);
    const kindOf = (body: object) => failureOf(() => readBody(travelpayoutsDay, request, body)).kind;
    expect(kindOf({ success: false, data: null, error: "bad token" })).toBe("unavailable");
    expect(kindOf({ success: true, prices: [] })).toBe("changed");
  });
});

describe("the latest prices of a month", () => {
  const request = firstRequest(travelpayoutsLatest, { ...plan, tripClass: 1, currency: "eur" }, TOKEN);
  const row = (values: object = {}) => ({
    value: 3,
    trip_class: 1,
    origin: "IST",
    destination: "LHR",
    gate: "A",
    depart_date: "2026-12-10",
    return_date: null,
    number_of_changes: 2,
    found_at: "2026-11-18T16:08:22",
    duration: 175,
    ...values,
  });
  const read = (...data: readonly object[]) => readBody(travelpayoutsLatest, request, { success: true, data });

  test("the latest prices are requested by month and cabin", () => {
    expect(Object.fromEntries(new URL(request.url).searchParams)).toMatchObject({
      beginning_of_period: "2026-12-01",
      period_type: "month",
      trip_class: "1",
      one_way: "true",
      currency: "eur",
      market: "tr",
    });
  });

  test("rows become quotes with the time at which they were found", () => {
    const { carrier: _carrier, ...withoutCarrier } = quote();
    expect(read(row()).records).toEqual([
      {
        ...withoutCarrier,
        cabin: "CABIN_CLASS_BUSINESS",
        currency: "EUR",
        durationMinutes: 175,
        id: "travelpayouts:IST:LHR:2026-12-10:::2:3",
        priceAmount: 3,
        stops: 2,
        observedAt: Date.UTC(2026, 10, 18, 16, 8, 22),
      },
    ]);
  });

  test.each([
    ["2026-11-18T16:08:22Z", Date.UTC(2026, 10, 18, 16, 8, 22)],
    ["recently", undefined],
    [null, undefined],
  ])("a price with found_at %s has the matching time, or none if found_at is unreadable", (found_at, observedAt) => {
    expect((read(row({ found_at })).records as readonly PriceQuote[]).map((price) => price.observedAt)).toEqual([
      observedAt,
    ]);
  });

  test.each(["", null, undefined])("a latest price without a return date (%j) is a one-way price", (return_date) => {
    expect(read(row({ return_date })).records).toMatchObject([{ returnDate: "" }]);
  });
});
