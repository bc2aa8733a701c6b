import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";
import { keyTrouble } from "../../../simulator/demo-key.js";
import { streamFor } from "../../../simulator/models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

const variants = {
  changed: (json: string) => json.replace('"data":', '"prices":'),
  empty: (json: string) => json.replace(/"data":[[{].*[\]}],"/s, '"data":[],"'),
  badRow: (json: string) =>
    rewriteMiddle(json, /"(price|value)":[\d.]+/g, (match) => match.replace(/[\d.]+$/, '"cheap"')),
};

/** Prices found by travellers, in the formats of three generations of one API. */
export const upstream = simulatedUpstream({
  name: "travelpayouts",
  credentials: { TRAVELPAYOUTS_API_TOKEN: "demo-travelpayouts-token" },
  routes: [
    { host: "api.travelpayouts.com", path: "/aviasales/v3/prices_for_dates", handle: keyed(answerDay), variants },
    { host: "api.travelpayouts.com", path: "/v2/prices/latest", handle: keyed(answerLatest), variants },
    { host: "api.travelpayouts.com", path: "/v2/prices/month-matrix", handle: keyed(answerMonth), variants },
    { host: "api.travelpayouts.com", path: "/v1/prices/calendar", handle: keyed(answerCalendar), variants },
  ],
});

type Param = (name: string) => string;
type Answer = (param: Param, request: SimulatedRequest) => unknown;

function keyed(answer: Answer): (request: SimulatedRequest) => SimulatedAnswer {
  return (request) => {
    const json = (status: number, value: unknown): SimulatedAnswer => ({
      status,
      contentType: "application/json; charset=utf-8",
      body: JSON.stringify(value),
    });
    const trouble = keyTrouble(String(request.headers["x-access-token"] ?? ""));
    if (trouble === "wrong") return json(401, { success: false, error: "Unauthorized", data: null });
    if (trouble === "spent") return json(200, { success: false, error: "Simulated: too many requests", data: null });
    const param: Param = (name) => request.url.searchParams.get(name) ?? "";
    const data = answer(param, request);
    return json(200, { success: true, data, error: null, currency: param("currency") });
  };
}

const airlines = ["VG", "XE", "MW"];

interface Price {
  readonly value: number;
  readonly airline: string;
  readonly stops: number;
  readonly minutes: number;
  readonly hour: number;
}

function pricesOn(seed: number, param: Param, day: string, count: number): readonly Price[] {
  const random = streamFor(seed, `fares ${param("origin")} ${param("destination")} ${day}`);
  return Array.from({ length: count }, () => ({
    value: Math.round(60 + 400 * random()),
    airline: airlines[Math.floor(random() * airlines.length)] ?? "VG",
    stops: Math.floor(random() * 3),
    minutes: Math.round(90 + 900 * random()),
    hour: Math.floor(random() * 24),
  }));
}

function answerDay(param: Param, { seed }: SimulatedRequest): readonly object[] {
  const [day, back] = [param("departure_at"), param("return_at")];
  return pricesOn(seed, param, day, 6)
    .filter(({ stops }) => param("direct") !== "true" || stops === 0)
    .toSorted((a, b) => a.value - b.value)
    .map((price, index) => ({
      flight_number: String(100 + index),
      link: `/search/${param("origin")}${index}?t=${price.airline}`,
      origin_airport: param("origin"),
      destination_airport: param("destination"),
      departure_at: `${day}T${String(price.hour).padStart(2, "0")}:30:00+03:00`,
      ...(back && { return_at: `${back}T10:00:00+01:00` }),
      airline: price.airline,
      origin: param("origin"),
      destination: param("destination"),
      price: price.value,
      return_transfers: 0,
      duration: price.minutes,
      duration_to: price.minutes,
      duration_back: 0,
      transfers: price.stops,
    }));
}

function matrixRow(param: Param, day: string, back: string | null, price: Price, now: number): object {
  return {
    value: price.value,
    trip_class: Number(param("trip_class") || 0),
    show_to_affiliates: true,
    origin: param("origin"),
    destination: param("destination"),
    gate: "Simulated agency",
    depart_date: day,
    return_date: back,
    number_of_changes: price.stops,
    // Some instants lack the Z of UTC.
    found_at: new Date(now - 3 * HOUR_MS).toISOString().slice(0, 19) + (price.stops === 0 ? "" : "Z"),
    duration: price.minutes,
    distance: 2_500,
    actual: true,
  };
}

function answerLatest(param: Param, { seed, clock }: SimulatedRequest): readonly object[] {
  const isOneWay = param("one_way") === "true";
  return daysOf(param("beginning_of_period")).map((day, index) => {
    const [price] = pricesOn(seed, param, day, 1);
    return matrixRow(param, day, isOneWay ? "" : after(day, 3 + (index % 9)), price ?? never(), clock.now());
  });
}

function answerMonth(param: Param, { seed, clock }: SimulatedRequest): readonly object[] {
  return daysOf(param("month")).flatMap((day) =>
    pricesOn(seed, param, day, 2).map((price) => matrixRow(param, day, "", price, clock.now())),
  );
}

function answerCalendar(param: Param, { seed, clock }: SimulatedRequest): object {
  const days = daysOf(`${param("depart_date")}-01`).map((day) => {
    const [price] = pricesOn(seed, param, day, 1);
    const { airline, value, stops } = price ?? never();
    const row = {
      origin: param("origin"),
      destination: param("destination"),
      price: value,
      airline,
      flight_number: 100,
      departure_at: `${day}T11:05:00+03:00`,
      return_at: `${after(day, Number(param("length")))}T17:30:00+01:00`,
      transfers: stops,
      expires_at: new Date(clock.now() + DAY_MS).toISOString().replace(/\.\d+Z$/, "Z"),
    };
    return [day, row] as const;
  });
  return Object.fromEntries(days);
}

function never(): never {
  throw new Error("expected a price for every day");
}

/** Returns every day of a month. */
function daysOf(first: string): readonly string[] {
  const start = Date.parse(`${first.slice(0, 7)}-01T00:00:00Z`);
  if (Number.isNaN(start)) return [];
  const days = Array.from({ length: 31 }, (_, index) => new Date(start + index * DAY_MS).toISOString().slice(0, 10));
  return days.filter((day) => day.startsWith(first.slice(0, 7)));
}

function after(day: string, days: number): string {
  const at = new Date(Date.parse(`${day}T00:00:00Z`) + Math.min(days, 400) * DAY_MS);
  return at.toISOString().slice(0, 10);
}
