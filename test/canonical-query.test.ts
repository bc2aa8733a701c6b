import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readQuery } from "../src/http/query.js";
import { loadServices, type Services } from "../src/services/registry.js";
import { NOON, type Stack, startStack } from "./support/stack.js";

/** Groups of equivalent queries, each with its operation. */
const spellings: readonly (readonly [rpc: string, queries: readonly string[]])[] = [
  ["list-alpha-events", ["country=UA", "country=ua", "country=Ukraine", "country=+UKRAINE", "country=UA&page_size=x"]],
  ["list-alpha-events", ["", "country=", "start=0&end=0", "cursor=anything&cursor=else"]],
  ["list-beta-events", ["country=UA", "country=ua&page_size=2000", "country=Ukraine&page_size=0"]],
  ["list-beta-events", ["start=5", "start=0005", "start=5&end=0"]],
  ["list-internet-traffic-anomalies", ["country=SY", "country=sy", "country=Syria", "country=%20Syria%20"]],
  ["get-us-cpi-monthly", ["history=true", "history=1", "history=TRUE"]],
  ["get-us-cpi-monthly", ["", "history=false", "history=0", "unknown=1"]],
  ["list-airport-delays", ["", "region=anything&min_severity=1", "page_size=500", "page_size=9999"]],
  ["get-airport-ops-summary", ["", "airports=IST,ESB,SAW,LHR,FRA,CDG", "airports=ist,esb&airports=saw,lhr,fra,cdg"]],
  ["get-airport-ops-summary", ["airports=LHR,JFK", "airports=lhr&airports=jfk", "airports=+lhr,,jfk,LHR"]],
  ["get-carrier-ops", ["", "airports=SAW,IST,ESB", "airports=ist,esb,saw&min_flights=3", "min_flights=0"]],
  ["get-carrier-ops", ["airports=LHR,FRA", "airports=fra&airports=lhr", "airports=fra,lhr,"]],
  ["list-airport-flights", ["airport=LHR", "airport=lhr&limit=30", "airport=lhr&direction=FLIGHT_DIRECTION_BOTH"]],
  ["list-airport-flights", ["airport=LHR&direction=FLIGHT_DIRECTION_UNSPECIFIED&limit=0", "airport=lhr"]],
  ["get-flight-status", ["flight_number=BA117&date=2026-11-18", "flight_number=ba+0117&date=2026-11-18"]],
  ["list-aviation-news", ["entities=Airbus,Boeing", "entities=boeing&entities=AIRBUS&window_hours=24&max_items=20"]],
  [
    "search-flight-prices",
    [
      "origin=IST&destination=LHR&departure_date=2026-12-10",
      "origin=ist&destination=lhr&departure_date=2026-12-10&adults=many&currency=USD&max_results=10",
      "origin=IST&destination=LHR&departure_date=2026-12-10&cabin=CABIN_CLASS_ECONOMY&nonstop_only=0&market=?",
    ],
  ],
  [
    "search-provider-flights",
    [
      "origin=IST&destination=LHR&departure_date=2026-12-10&airlines=TK,BA&departure_window=6-20",
      "origin=ist&destination=lhr&departure_date=2026-12-10&airlines=ba&airlines=tk&departure_window=06-20&passengers=1",
      "origin=IST&destination=LHR&departure_date=2026-12-10&airlines=BA,TK&departure_window=6-20&cabin_class=any&max_stops=TWO_PLUS_STOPS&sort_by=cheapest",
    ],
  ],
  [
    "search-provider-dates",
    ["is_round_trip=true&trip_duration=7", "is_round_trip=1&trip_duration=007&sort_by_price=false&max_stops=any"],
  ],
  ["track-aircraft", ["icao24=3C6444", "icao24=3c6444", "icao24=+3c6444&sw_lat=0"]],
  ["get-displacement-summary", ["", "year=0&flow_limit=50", "country_limit=0"]],
  ["list-feed-digest", ["", "variant=full&lang=en", "variant=energy&explain=0"]],
];

describe("equivalent queries", () => {
  let services: Services;
  beforeAll(async () => {
    services = await loadServices();
  });

  test.each(spellings)("%s has one cache key for all of the spellings %j", (rpc, queries) => {
    const registered = services.operations.find(({ operation }) => operation.rpc === rpc);
    if (!registered) throw new Error(`no operation ${rpc}`);
    const read = queries.map((query) => readQuery(registered.operation, query, NOON));
    expect(new Set(read.map(({ canonical }) => canonical)).size).toBe(1);
    // All spellings share one cached answer, so `run` must receive equal values from each of them.
    for (const { values } of read) expect(normal(values)).toEqual(normal(read[0]?.values));
  });

  /** Normalises values that `run` treats as equal: currencies are compared case-insensitively. */
  function normal(values: Readonly<Record<string, unknown>> = {}): unknown {
    const { currency, ...others } = values;
    return typeof currency === "string" ? { ...others, currency: currency.toLowerCase() } : others;
  }

  test("queries for an airport summary are not equivalent if their airports are in a different order", () => {
    const ops = services.operations.find(({ operation }) => operation.rpc === "get-airport-ops-summary");
    if (!ops) throw new Error("no get-airport-ops-summary");
    const [forward, reversed] = ["airports=LHR,JFK", "airports=JFK,LHR"].map((query) =>
      readQuery(ops.operation, query, NOON),
    );
    // The rows of the answer are in request order.
    expect(forward?.canonical).not.toBe(reversed?.canonical);
  });
});

describe("list-beta-events", () => {
  const EVENTS = "/api/conflict/v1/list-beta-events";
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack();
    await stack.run("beta-events");
  }, 60_000);
  afterAll(() => stack.close());

  test("the ETag and the body are the same for every spelling of a country", async () => {
    const targets = ["country=UA", "country=ua", "country=Ukraine", "country=UA&page_size=2000"];
    const answers = await Promise.all(targets.map((query) => stack.get(`${EVENTS}?${query}`)));
    expect(answers[0]?.headers["ETag"]).toEqual(expect.any(String));
    expect(new Set(answers.map(({ headers }) => headers["ETag"])).size).toBe(1);
    expect(new Set(answers.map(({ body }) => String(body))).size).toBe(1);
  });

  test("an unknown country or an inverted time range finds no events and adds a notice", async () => {
    const unknown = await stack.get(`${EVENTS}?country=Ukrania`);
    expect([unknown.status, unknown.headers["X-Vigil-Notice"]]).toEqual([
      200,
      'unknown-country;parameter="country";value="Ukrania"',
    ]);
    const inverted = await stack.get(`${EVENTS}?start=${NOON}&end=5`);
    expect([inverted.status, inverted.headers["X-Vigil-Notice"]]).toEqual([
      200,
      'inverted-range;from="start";to="end"',
    ]);
    for (const { body } of [unknown, inverted]) {
      expect(JSON.parse(String(body))).toEqual({ events: [], pagination: { nextCursor: "", totalCount: 0 } });
    }
  });
});
