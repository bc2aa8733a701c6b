import { Type } from "typebox";
import { epochMs } from "../../../contract/field.js";
import { operation } from "../../../contract/operation.js";
import { flag, ignored, normalText, type QueryField } from "../../../contract/query-field.js";
import { calendarDate, choice, countUpTo, textLike, textOfLength } from "../../../contract/value-fields.js";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kit/clock.js";
import { iataCode, inUpperCase } from "../records/flights.js";
import {
  type Cabin,
  cabins,
  homeMarketOf,
  marketOf,
  matching,
  type PricePlan,
  PriceQuote,
  tripClassOf,
} from "../records/prices.js";
import { answeredAt, readOf } from "../rules/read-state.js";
import { travelpayoutsDay, travelpayoutsLatest } from "../sources/travelpayouts-prices.js";

interface Query {
  readonly origin: string;
  readonly destination: string;
  readonly departureDate: string;
  readonly returnDate: string;
  readonly cabin: Cabin;
  readonly nonstopOnly: boolean;
  readonly currency: string;
  readonly market: string;
}

/** Returns the request for prices; undefined for an invalid route or a cabin without prices. */
function planOf(query: Query): PricePlan | undefined {
  const [origin, destination] = [iataCode(query.origin), iataCode(query.destination)];
  const tripClass = tripClassOf(query.cabin);
  if (origin === undefined || destination === undefined || tripClass === undefined) return undefined;
  const { departureDate, returnDate, nonstopOnly, currency, market } = query;
  return {
    origin,
    destination,
    departureDate,
    returnDate,
    tripClass,
    nonstopOnly,
    currency: currency.toLowerCase(),
    market: marketOf(market) || homeMarketOf(origin),
  };
}

const currency: QueryField<string> = {
  ...textLike("ISO 4217 code (case-insensitive)", "^[A-Za-z]{3}$", "usd"),
  canonical: (value) => (value.toLowerCase() === "usd" ? undefined : value.toLowerCase()),
};

const codeOfPlace = { minLength: 3, maxLength: 4, normal: inUpperCase } as const;

/** Prices that travellers found for a journey on a day, cheapest first. Source: Travelpayouts. */
export const searchFlightPrices = operation({
  rpc: "search-flight-prices",
  summary: "Prices per person for a journey on a day",
  description:
    "Prices that travellers found in the last few days, cheapest first; reused for an hour. A `degraded` answer has no quotes, and `error` gives the reason: `missing_credentials` (no token is set), `invalid_route`, `upstream_error` or `no_results`. Premium economy has no prices.",
  cache: "medium",
  tier: 1,
  reads: {},
  fetches: {
    prices: {
      name: "flight prices",
      source: travelpayoutsDay,
      alternatives: [travelpayoutsLatest],
      ttlMs: HOUR_MS,
      missTtlMs: 2 * MINUTE_MS,
      timeLimitMs: 10 * SECOND_MS,
      staleWhileErrorMs: HOUR_MS,
      errorTtlMs: 15 * SECOND_MS,
      plan: planOf,
    },
  },
  query: {
    origin: textOfLength("IATA code of the airport or city", codeOfPlace),
    destination: textOfLength("IATA code of the airport or city", codeOfPlace),
    departureDate: calendarDate("Day of departure", { required: true }),
    returnDate: calendarDate("Day of return; none for one way", { required: false }),
    adults: ignored(countUpTo("Accepted and ignored: prices are per person", { max: 9, fallback: 1 })),
    cabin: choice(cabins, "CABIN_CLASS_ECONOMY", "Cabin"),
    nonstopOnly: flag("Only journeys without a stop"),
    maxResults: countUpTo("Maximum number of quotes", { max: 50, fallback: 10 }),
    currency,
    market: normalText(
      "Market of the prices, a locale or country such as en-GB or gb; default: the country of the origin",
      marketOf,
    ),
  },
  response: Type.Object(
    {
      degraded: Type.Boolean({ description: "True if there are no quotes; `error` gives the reason" }),
      error: Type.String({ description: "Empty when there are quotes" }),
      isDemoMode: Type.Boolean({ description: "True if the quotes are simulated" }),
      isIndicative: Type.Boolean({
        description: "True if there are quotes: their prices were found earlier and may no longer be available",
      }),
      provider: Type.String({ description: "Provider of the prices: `travelpayouts`" }),
      quotes: Type.Array(PriceQuote, { description: "Offers, cheapest first" }),
      updatedAt: epochMs("Time of the read; 0 without data"),
    },
    { title: "SearchFlightPricesResponse" },
  ),
  examples: [
    { origin: "IST", destination: "LHR", departure_date: "2026-12-10" },
    {
      origin: "LHR",
      destination: "JFK",
      departure_date: "2026-12-10",
      return_date: "2026-12-17",
      cabin: "CABIN_CLASS_BUSINESS",
      currency: "gbp",
    },
    { origin: "IST", destination: "LHR", departure_date: "2026-12-10", jmespath: "quotes[0].priceAmount" },
  ],
  run(query, _snapshots, { observations: { prices }, simulated }) {
    const about = { isDemoMode: simulated, provider: "travelpayouts", updatedAt: answeredAt([prices]) };
    const none = (error: string) => ({ ...about, degraded: true, error, isIndicative: false, quotes: [] });
    const plan = planOf(query);
    if (plan === undefined) {
      const isRoute = iataCode(query.origin) !== undefined && iataCode(query.destination) !== undefined;
      return none(isRoute ? "no_results" : "invalid_route");
    }
    const read = readOf(prices);
    if (read === "unavailable") return none("missing_credentials");
    if (read === "error" || read === "budget") return none("upstream_error");
    const quotes = read === "none" ? [] : matching(read, plan);
    if (quotes.length === 0) return none("no_results");
    const page = quotes.slice(0, query.maxResults);
    // Simulated offers have no booking link.
    const shown = simulated ? page.map(({ bookingUrl: _bookingUrl, ...quote }) => quote) : page;
    return { ...about, degraded: false, error: "", isIndicative: true, quotes: shown };
  },
});
