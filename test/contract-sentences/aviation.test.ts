import { expect } from "vitest";
import { HOUR_MS } from "../../src/kit/clock.js";
import { bodyOf, fieldsRefusedAt, type Sentence, sharedStack, testSentences } from "../support/sentences.js";
import { json, NOON } from "../support/stack.js";

/* Sentences of SPEC and RULINGS about the aviation operations. */

const stackOf = sharedStack("all");

const at = (rpc: string, query = ""): string => `/api/aviation/v1/${rpc}${query === "" ? "" : `?${query}`}`;
const body = <T>(rpc: string, query = ""): Promise<T> => bodyOf<T>(stackOf(), at(rpc, query));
const refused = (rpc: string, query: string): Promise<readonly string[]> => fieldsRefusedAt(stackOf(), at(rpc, query));

/** The text of an answer, for comparing answers. */
async function textOf(rpc: string, query = ""): Promise<string> {
  const answer = await stackOf().get(at(rpc, query));
  expect(answer.status).toBe(200);
  return String(answer.body);
}

const ENDPOINTS = "SPEC endpoints, aviation";
const DELAYS = "list-airport-delays";
const OPS = "get-airport-ops-summary";
const FLIGHTS = "list-airport-flights";
const CARRIERS = "get-carrier-ops";
const STATUS = "get-flight-status";
const TRACK = "track-aircraft";
const VIDEO = "get-video-live-stream-info";
const PRICES = "search-flight-prices";
const NEWS = "list-aviation-news";
const OFFERS = "search-provider-flights";
const DATES = "search-provider-dates";

interface Alerts {
  readonly alerts: readonly { readonly id: string; readonly iata: string }[];
  readonly pagination: { readonly nextCursor: string; readonly totalCount: number };
}

const delays: readonly Sentence[] = [
  {
    place: `${ENDPOINTS}, ${DELAYS}`,
    sentence: "the answer has alerts and pagination",
    check: async () => {
      const { alerts, pagination } = await body<Alerts>(DELAYS);
      expect(alerts.length).toBeGreaterThan(100);
      expect(pagination).toEqual({ nextCursor: "", totalCount: alerts.length });
    },
  },
  ...["AMERICAS", "EUROPE", "APAC", "MENA", "AFRICA"].map(
    (region): Sentence => ({
      place: `${ENDPOINTS}, ${DELAYS} region`,
      sentence: `AIRPORT_REGION_${region} is accepted and ignored`,
      check: async () => expect(await textOf(DELAYS, `region=AIRPORT_REGION_${region}`)).toBe(await textOf(DELAYS)),
    }),
  ),
  ...["NORMAL", "MINOR", "MODERATE", "MAJOR", "SEVERE", "UNKNOWN"].map(
    (severity): Sentence => ({
      place: `${ENDPOINTS}, ${DELAYS} min_severity`,
      sentence: `FLIGHT_DELAY_SEVERITY_${severity} is accepted and ignored`,
      check: async () =>
        expect(await textOf(DELAYS, `min_severity=FLIGHT_DELAY_SEVERITY_${severity}`)).toBe(await textOf(DELAYS)),
    }),
  ),
  ...["region=Mars", "region=7", "region=a&region=b", "min_severity=severe", "min_severity=-1"].map(
    (query): Sentence => ({
      place: `RULINGS 21, ${DELAYS}`,
      sentence: `an ignored parameter accepts anything: ${query}`,
      check: async () => expect(await textOf(DELAYS, query)).toBe(await textOf(DELAYS)),
    }),
  ),
  {
    place: `RULINGS 20, ${DELAYS}`,
    sentence: "ids are unique in the list",
    check: async () => {
      const ids = (await body<Alerts>(DELAYS)).alerts.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    },
  },
  {
    place: `RULINGS 19, ${DELAYS}`,
    sentence: "an airport that no source covers has no counts, no delay, no reason and no updatedAt",
    check: async () => {
      const { alerts } = await body<Alerts>(DELAYS);
      const unknown = alerts.filter(({ id }) => id.startsWith("unknown-"));
      expect(unknown.length).toBeGreaterThan(0);
      for (const alert of unknown) {
        for (const field of ["avgDelayMinutes", "cancelledFlights", "totalFlights", "reason", "updatedAt"]) {
          expect(alert).not.toHaveProperty(field);
        }
      }
    },
  },
];

interface Summaries {
  readonly cacheHit: boolean;
  readonly summaries: readonly Readonly<Record<string, unknown>>[];
}

const ops: readonly Sentence[] = [
  {
    place: `${ENDPOINTS}, ${OPS}`,
    sentence: "airports is optional",
    check: async () => expect((await body<Summaries>(OPS)).summaries.length).toBeGreaterThan(0),
  },
  {
    place: `${ENDPOINTS}, ${OPS}`,
    sentence: "`airports` is a repeated parameter of IATA codes",
    check: async () => {
      const { summaries } = await body<Summaries>(OPS, "airports=JFK&airports=LHR");
      expect(summaries.map(({ iata }) => iata)).toEqual(["JFK", "LHR"]);
    },
  },
  {
    place: `${ENDPOINTS}, ${OPS}`,
    sentence: "the answer has the boolean cacheHit",
    check: async () => expect((await body<Summaries>(OPS)).cacheHit).toBeTypeOf("boolean"),
  },
  {
    place: `RULINGS 11 and 19, ${OPS}`,
    sentence: "an airport that is not monitored has its code, no numbers and no closure",
    check: async () => {
      const { summaries } = await body<Summaries>(OPS, "airports=QQQ");
      expect(summaries).toEqual([
        {
          iata: "QQQ",
          severity: "FLIGHT_DELAY_SEVERITY_UNKNOWN",
          source: "unknown",
          notamFlags: [],
          topDelayReasons: [],
        },
      ]);
    },
  },
];

interface Flights {
  readonly flights: readonly {
    readonly origin: { readonly iata?: string };
    readonly destination: { readonly iata?: string };
    readonly date: string;
    readonly flightNumber: string;
    readonly status: string;
  }[];
  readonly source: string;
  readonly totalAvailable: number;
  readonly updatedAt: number;
}

const isFrom =
  (iata: string) =>
  ({ origin }: Flights["flights"][number]): boolean =>
    origin.iata === iata;
const isTo =
  (iata: string) =>
  ({ destination }: Flights["flights"][number]): boolean =>
    destination.iata === iata;

const airportFlights: readonly Sentence[] = [
  {
    place: `${ENDPOINTS}, ${FLIGHTS}`,
    sentence: "airport is required",
    check: async () => expect(await refused(FLIGHTS, "limit=5")).toEqual(["airport"]),
  },
  {
    place: `${ENDPOINTS}, ${FLIGHTS}`,
    sentence: "`airport` is an IATA code: two letters are refused",
    check: async () => expect(await refused(FLIGHTS, "airport=IS")).toEqual(["airport"]),
  },
  {
    place: `${ENDPOINTS}, ${FLIGHTS}`,
    sentence: "FLIGHT_DIRECTION_DEPARTURE returns only departures",
    check: async () => {
      const { flights } = await body<Flights>(FLIGHTS, "airport=IST&direction=FLIGHT_DIRECTION_DEPARTURE");
      expect(flights.length).toBeGreaterThan(0);
      expect(flights.every(isFrom("IST"))).toBe(true);
    },
  },
  {
    place: `${ENDPOINTS}, ${FLIGHTS}`,
    sentence: "FLIGHT_DIRECTION_ARRIVAL returns only arrivals",
    check: async () => {
      const { flights } = await body<Flights>(FLIGHTS, "airport=IST&direction=FLIGHT_DIRECTION_ARRIVAL");
      expect(flights.length).toBeGreaterThan(0);
      expect(flights.every(isTo("IST"))).toBe(true);
    },
  },
  {
    place: `${ENDPOINTS}, ${FLIGHTS}`,
    sentence: "departures and arrivals are returned for FLIGHT_DIRECTION_BOTH and if direction is omitted",
    check: async () => {
      const { flights } = await body<Flights>(FLIGHTS, "airport=IST&direction=FLIGHT_DIRECTION_BOTH&limit=100");
      expect([flights.some(isFrom("IST")), flights.some(isTo("IST"))]).toEqual([true, true]);
      expect((await body<Flights>(FLIGHTS, "airport=IST&limit=100")).flights).toEqual(flights);
    },
  },
  ...["DEPARTURE", "flight_direction_both", "FLIGHT_DIRECTION_", "1"].map(
    (direction): Sentence => ({
      place: `RULINGS 21, ${FLIGHTS}`,
      sentence: `direction accepts only its own enum values, so ${direction} is refused`,
      check: async () => expect(await refused(FLIGHTS, `airport=IST&direction=${direction}`)).toEqual(["direction"]),
    }),
  ),
  {
    place: "SPEC limits: limit",
    sentence: "a limit of 1 returns one flight",
    check: async () => expect((await body<Flights>(FLIGHTS, "airport=IST&limit=1")).flights).toHaveLength(1),
  },
  {
    place: "SPEC limits: limit",
    sentence: "a limit of 100 is accepted",
    check: async () =>
      expect((await body<Flights>(FLIGHTS, "airport=IST&limit=100")).flights.length).toBeGreaterThan(30),
  },
  ...["101", "-1", "2.5", "ten", "2147483648"].map(
    (limit): Sentence => ({
      place: "SPEC limits: limit",
      sentence: `a limit of ${limit} is refused`,
      check: async () => expect(await refused(FLIGHTS, `airport=IST&limit=${limit}`)).toEqual(["limit"]),
    }),
  ),
  {
    place: `${ENDPOINTS}, ${FLIGHTS}`,
    sentence: "totalAvailable also counts flights beyond the limit",
    check: async () => {
      const whole = await body<Flights>(FLIGHTS, "airport=IST&limit=100");
      const { flights, totalAvailable } = await body<Flights>(FLIGHTS, "airport=IST&limit=2");
      expect([flights.length, totalAvailable]).toEqual([2, whole.flights.length]);
    },
  },
  {
    place: `${ENDPOINTS}, ${FLIGHTS}`,
    sentence: "the answer names the source, and updatedAt is the time of the read",
    check: async () => {
      const { source, updatedAt } = await body<Flights>(FLIGHTS, "airport=FRA");
      expect([source, updatedAt]).toEqual(["aviationstack", NOON]);
    },
  },
  {
    place: `RULINGS 11 and 19, ${FLIGHTS}`,
    sentence: "a flight that has not departed has no actual times",
    check: async () => {
      const { flights } = await body<Flights>(FLIGHTS, "airport=IST&limit=100");
      const planned = flights.filter(({ status }) => status.endsWith("_SCHEDULED"));
      expect(planned.length).toBeGreaterThan(0);
      for (const flight of planned) {
        expect(flight).not.toHaveProperty("actualDeparture");
        expect(flight).not.toHaveProperty("actualArrival");
      }
    },
  },
];

interface Carriers {
  readonly carriers: readonly { readonly airport: string; readonly totalFlights: number }[];
  readonly source: string;
  readonly updatedAt: number;
}

const carrierOps: readonly Sentence[] = [
  {
    place: `${ENDPOINTS}, ${CARRIERS}`,
    sentence: "the answer has source, updatedAt and the carriers of the requested airports",
    check: async () => {
      const { carriers, source, updatedAt } = await body<Carriers>(CARRIERS, "airports=LHR&airports=FRA");
      expect(new Set(carriers.map(({ airport }) => airport))).toEqual(new Set(["LHR", "FRA"]));
      expect([source, updatedAt]).toEqual(["aviationstack", NOON]);
    },
  },
  ...["", "&min_flights=0", "&min_flights=3", "&min_flights="].map(
    (parameter): Sentence => ({
      place: "SPEC limits: min_flights default",
      sentence: `${parameter === "" ? "an omitted min_flights" : parameter.slice(1)} is the same as min_flights=3`,
      check: async () => {
        const { carriers } = await body<Carriers>(CARRIERS, `airports=LHR${parameter}`);
        const all = await body<Carriers>(CARRIERS, "airports=LHR&min_flights=1");
        expect(carriers).toEqual(all.carriers.filter(({ totalFlights }) => totalFlights >= 3));
      },
    }),
  ),
  {
    place: `${ENDPOINTS}, ${CARRIERS}`,
    sentence: "min_flights excludes carriers with fewer departures",
    check: async () => {
      const all = (await body<Carriers>(CARRIERS, "airports=LHR&min_flights=1")).carriers;
      const most = Math.max(...all.map(({ totalFlights }) => totalFlights));
      const { carriers } = await body<Carriers>(CARRIERS, `airports=LHR&min_flights=${most}`);
      expect(carriers).toEqual(all.filter(({ totalFlights }) => totalFlights === most));
      expect((await body<Carriers>(CARRIERS, `airports=LHR&min_flights=${most + 1}`)).carriers).toEqual([]);
    },
  },
  {
    place: `${ENDPOINTS}, ${CARRIERS}`,
    sentence: "min_flights is an int32",
    check: async () => expect(await refused(CARRIERS, "min_flights=2147483648")).toEqual(["minFlights"]),
  },
];

const flightStatus: readonly Sentence[] = [
  {
    place: `${ENDPOINTS}, ${STATUS}`,
    sentence: "flight_number and date are required",
    check: async () => {
      expect(await refused(STATUS, "")).toEqual(["flightNumber", "date"]);
      expect(await refused(STATUS, "date=2026-11-18")).toEqual(["flightNumber"]);
      expect(await refused(STATUS, "flight_number=VG1001")).toEqual(["date"]);
    },
  },
  ...["18.11.2026", "2026-11-31", "20261118", "tomorrow"].map(
    (date): Sentence => ({
      place: `${ENDPOINTS}, ${STATUS}`,
      sentence: `date is an ISO 8601 day, so ${date} is refused`,
      check: async () => expect(await refused(STATUS, `flight_number=VG1001&date=${date}`)).toEqual(["date"]),
    }),
  ),
  {
    place: `${ENDPOINTS}, ${STATUS}`,
    sentence: "the answer has cacheHit, source and the flight on the requested date",
    check: async () => {
      const { flights, ...about } = await body<Flights & { cacheHit: boolean }>(
        STATUS,
        "flight_number=VG1001&date=2026-11-18",
      );
      expect(flights.map(({ flightNumber, date }) => [flightNumber, date])).toEqual([["VG1001", "2026-11-18"]]);
      expect(about).toEqual({ cacheHit: expect.any(Boolean), source: "aviationstack" });
    },
  },
  {
    place: `${ENDPOINTS}, ${STATUS}`,
    sentence: "`origin` is optional and narrows the answer",
    check: async () => {
      const of = (origin: string) =>
        body<Flights>(STATUS, `flight_number=VG1001&date=2026-11-18&origin=${origin}`).then(
          ({ flights }) => flights.length,
        );
      expect([await of("IST"), await of("JFK")]).toEqual([1, 0]);
    },
  },
  {
    place: `${ENDPOINTS}, ${STATUS}`,
    sentence: "cacheHit is true for an answer from the cache",
    check: async () => {
      const ask = () => body<{ cacheHit: boolean }>(STATUS, "flight_number=XE77&date=2026-11-18");
      expect([(await ask()).cacheHit, (await ask()).cacheHit]).toEqual([false, true]);
    },
  },
];

interface Positions {
  readonly positions: readonly { readonly icao24: string; readonly callsign?: string; lat: number; lon: number }[];
  readonly source: string;
  readonly updatedAt: number;
}

const tracking: readonly Sentence[] = [
  {
    place: `${ENDPOINTS}, ${TRACK}`,
    sentence: "icao24 finds one aircraft by its hexadecimal address",
    check: async () => {
      const { positions, source, updatedAt } = await body<Positions>(TRACK, "icao24=3C6444");
      expect(positions.map(({ icao24 }) => icao24)).toEqual(["3c6444"]);
      expect([source, updatedAt]).toEqual(["simulated", NOON]);
    },
  },
  {
    place: `${ENDPOINTS}, ${TRACK}`,
    sentence: "`callsign` finds one aircraft",
    check: async () => {
      const { positions } = await body<Positions>(TRACK, "callsign=VGL100");
      expect(positions.map(({ callsign }) => callsign)).toEqual(["VGL100"]);
    },
  },
  {
    place: `${ENDPOINTS}, ${TRACK}`,
    sentence: "the bounding box matches only aircraft inside it",
    check: async () => {
      const { positions } = await body<Positions>(TRACK, "sw_lat=30&sw_lon=-10&ne_lat=60&ne_lon=40");
      expect(positions.length).toBeGreaterThan(3);
      for (const { lat, lon } of positions) {
        expect([lat >= 30 && lat <= 60, lon >= -10 && lon <= 40]).toEqual([true, true]);
      }
    },
  },
  {
    place: `${ENDPOINTS}, ${TRACK}`,
    sentence: "every parameter is optional; an empty query returns no positions",
    check: async () => expect(await body(TRACK)).toEqual({ positions: [], source: "none", updatedAt: 0 }),
  },
  ...["sw_lat", "sw_lon", "ne_lat", "ne_lon"].map(
    (name): Sentence => ({
      place: `${ENDPOINTS}, ${TRACK}`,
      sentence: `${name} is a double`,
      check: async () => {
        const field = name.replace(/_l/, "L");
        expect(await refused(TRACK, `${name}=north`)).toEqual([field]);
        expect((await stackOf().get(at(TRACK, `${name}=1.25`))).status).toBe(200);
      },
    }),
  ),
];

const video: readonly Sentence[] = [
  {
    place: `${ENDPOINTS}, ${VIDEO}`,
    sentence: "title and channel name come from the public embed metadata",
    check: async () =>
      expect(await body(VIDEO, "video_id=VigilDemo-1")).toEqual({
        videoId: "VigilDemo-1",
        title: "Simulated video VigilDemo-1",
        channelName: "Simulated channel",
        channelExists: true,
        isLive: false,
        hlsUrl: "",
        error: "",
      }),
  },
  {
    place: "SPEC errors rule 5",
    sentence: "a channel without a video is answered with channel_live_detection_retired",
    check: async () =>
      expect(await body(VIDEO, "channel=news")).toMatchObject({
        error: "channel_live_detection_retired",
        channelExists: false,
        title: "",
      }),
  },
  {
    place: "SPEC errors rule 5",
    sentence: "a channel in addition to a video is not an error",
    check: async () => expect(await body(VIDEO, "channel=news&video_id=VigilDemo-1")).toMatchObject({ error: "" }),
  },
  {
    place: `${ENDPOINTS}, ${VIDEO}`,
    sentence: "`channel` is a deprecated parameter",
    check: async () => {
      const { paths } = await bodyOf<OpenApi>(stackOf(), "/openapi.json", {});
      const parameters = paths[at(VIDEO)]?.get.parameters ?? [];
      expect(parameters.filter(({ deprecated }) => deprecated).map(({ name }) => name)).toEqual(["channel"]);
    },
  },
  {
    place: "SPEC resources, video info",
    sentence: "isLive and hlsUrl are deprecated members",
    check: () => {
      const registered = stackOf().services.operations.find(({ path }) => path === at(VIDEO));
      // A TypeBox schema is a JSON Schema.
      const schema = registered?.operation.response as JsonSchema | undefined;
      const members = Object.entries(schema?.properties ?? {}).filter(([, { deprecated }]) => deprecated);
      expect(members.map(([name]) => name).sort()).toEqual(["hlsUrl", "isLive"]);
    },
  },
];

interface JsonSchema {
  readonly properties?: Readonly<Record<string, { readonly deprecated?: boolean }>>;
}

interface OpenApi {
  readonly paths: Readonly<
    Record<string, { readonly get: { readonly parameters: { readonly name?: string; readonly deprecated?: true }[] } }>
  >;
}

interface Prices {
  readonly quotes: readonly {
    readonly id: string;
    readonly priceAmount: number;
    readonly returnDate: string;
    readonly departureDate: string;
    readonly stops: number;
    readonly currency: string;
    readonly cabin: string;
  }[];
  readonly degraded: boolean;
  readonly error: string;
  readonly updatedAt: number;
}

const ROUTE = "origin=IST&destination=LHR";
const JOURNEY = `${ROUTE}&departure_date=2026-12-10`;

const prices: readonly Sentence[] = [
  {
    place: `${ENDPOINTS}, ${PRICES}`,
    sentence: "origin, destination and departure_date are required",
    check: async () => {
      expect(await refused(PRICES, "")).toEqual(["origin", "destination", "departureDate"]);
      expect(await refused(PRICES, ROUTE)).toEqual(["departureDate"]);
    },
  },
  ...["", "&return_date="].map(
    (parameter): Sentence => ({
      place: `${ENDPOINTS}, ${PRICES}`,
      sentence: `${parameter === "" ? "no" : "an empty"} return_date means a one-way trip`,
      check: async () => {
        const { quotes } = await body<Prices>(PRICES, JOURNEY + parameter);
        expect(quotes.length).toBeGreaterThan(0);
        expect(quotes.every(({ returnDate }) => returnDate === "")).toBe(true);
      },
    }),
  ),
  {
    place: `${ENDPOINTS}, ${PRICES}`,
    sentence: "offers are for the requested dates",
    check: async () => {
      const { quotes } = await body<Prices>(PRICES, `${JOURNEY}&return_date=2026-12-17`);
      expect(quotes.length).toBeGreaterThan(0);
      for (const { departureDate, returnDate } of quotes) {
        expect([departureDate, returnDate]).toEqual(["2026-12-10", "2026-12-17"]);
      }
    },
  },
  ...["1", "9", "2", "0", "10", "-1", "many", "1&adults=2"].map(
    (adults): Sentence => ({
      place: "SPEC limits: adults, RULINGS 21",
      sentence: `adults=${adults} is accepted and ignored: prices are per person`,
      check: async () =>
        expect(await textOf(PRICES, `${JOURNEY}&adults=${adults}`)).toBe(await textOf(PRICES, JOURNEY)),
    }),
  ),
  ...["ECONOMY", "BUSINESS", "FIRST"].map(
    (cabin): Sentence => ({
      place: `${ENDPOINTS}, ${PRICES} cabin`,
      sentence: `CABIN_CLASS_${cabin} returns offers of that cabin`,
      check: async () => {
        const { quotes } = await body<Prices>(
          PRICES,
          `origin=IST&destination=LHR&departure_date=2026-12-10&cabin=CABIN_CLASS_${cabin}`,
        );
        expect(new Set(quotes.map((quote) => quote.cabin))).toEqual(new Set([`CABIN_CLASS_${cabin}`]));
      },
    }),
  ),
  {
    place: `${ENDPOINTS}, ${PRICES} cabin`,
    sentence: "CABIN_CLASS_PREMIUM_ECONOMY is accepted",
    check: async () => {
      const prices = await body<Prices>(PRICES, `${JOURNEY}&cabin=CABIN_CLASS_PREMIUM_ECONOMY`);
      expect(prices).toMatchObject({ degraded: true, error: "no_results", quotes: [] });
    },
  },
  {
    place: `RULINGS 21, ${PRICES} cabin`,
    sentence: "an enum parameter accepts only its own values",
    check: async () => expect(await refused(PRICES, `${JOURNEY}&cabin=BUSINESS`)).toEqual(["cabin"]),
  },
  {
    place: `${ENDPOINTS}, ${PRICES}`,
    sentence: "nonstop_only returns only offers without a stop",
    check: async () => {
      const whole = (await body<Prices>(PRICES, `${JOURNEY}&max_results=50`)).quotes;
      const { quotes } = await body<Prices>(PRICES, `${JOURNEY}&max_results=50&nonstop_only=true`);
      expect(whole.some(({ stops }) => stops > 0)).toBe(true);
      expect(quotes.every(({ stops }) => stops === 0)).toBe(true);
    },
  },
  {
    place: `${ENDPOINTS}, ${PRICES}`,
    sentence: "nonstop_only is a boolean",
    check: async () => expect(await refused(PRICES, `${JOURNEY}&nonstop_only=maybe`)).toEqual(["nonstopOnly"]),
  },
  {
    place: "SPEC limits: max_results, RULINGS 3",
    sentence: "max_results of 1 returns one offer",
    check: async () => expect((await body<Prices>(PRICES, `${JOURNEY}&max_results=1`)).quotes).toHaveLength(1),
  },
  {
    place: "SPEC limits: max_results, RULINGS 3",
    sentence: "max_results of 50 is accepted",
    check: async () =>
      expect((await body<Prices>(PRICES, `${JOURNEY}&max_results=50`)).quotes.length).toBeGreaterThan(1),
  },
  ...["51", "-1", "1.5"].map(
    (count): Sentence => ({
      place: "SPEC limits: max_results, RULINGS 3",
      sentence: `max_results of ${count} is refused`,
      check: async () => expect(await refused(PRICES, `${JOURNEY}&max_results=${count}`)).toEqual(["maxResults"]),
    }),
  ),
  {
    place: `${ENDPOINTS}, ${PRICES}`,
    sentence: "`currency` is the ISO 4217 code of the prices",
    check: async () => {
      const { quotes } = await body<Prices>(PRICES, `${JOURNEY}&currency=EUR`);
      expect(new Set(quotes.map(({ currency }) => currency))).toEqual(new Set(["EUR"]));
      expect(await refused(PRICES, `${JOURNEY}&currency=euros`)).toEqual(["currency"]);
    },
  },
  {
    place: `RULINGS 20, ${PRICES}`,
    sentence: "ids are unique in the answer",
    check: async () => {
      const ids = (await body<Prices>(PRICES, `${JOURNEY}&max_results=50`)).quotes.map(({ id }) => id);
      expect(ids.length).toBeGreaterThan(1);
      expect(new Set(ids).size).toBe(ids.length);
    },
  },
  {
    place: "SPEC resources, price search response flags",
    sentence: "a demo's offers are marked as simulated, and every offer is marked as indicative",
    check: async () =>
      expect(await body(PRICES, JOURNEY)).toMatchObject({
        degraded: false,
        error: "",
        isDemoMode: true,
        isIndicative: true,
        provider: "travelpayouts",
      }),
  },
  {
    place: `${ENDPOINTS}, ${PRICES}`,
    sentence: "`market` is a locale code, and prices for its country are requested",
    check: async () => {
      await body(PRICES, `${ROUTE}&departure_date=2026-12-11&market=en-GB`);
      const [request] = stackOf()
        .simulator.requests.list()
        .filter(({ url }) => url.includes("prices_for_dates") && url.includes("2026-12-11"));
      expect(new URL(request?.url ?? "").searchParams.get("market")).toBe("gb");
    },
  },
];

interface News {
  readonly items: readonly { readonly id: string; readonly publishedAt: number; matchedEntities: string[] }[];
  readonly source: string;
  readonly updatedAt: number;
}

const news: readonly Sentence[] = [
  {
    place: `${ENDPOINTS}, ${NEWS}`,
    sentence: "the answer has items, source and updatedAt",
    check: async () => {
      const { items, source, updatedAt } = await body<News>(NEWS);
      expect([items.length > 0, source, updatedAt]).toEqual([true, "rss", NOON]);
    },
  },
  {
    place: `${ENDPOINTS}, ${NEWS}`,
    sentence: "`entities` is a repeated parameter, and only items that mention one of them are returned",
    check: async () => {
      const { items } = await body<News>(NEWS, "entities=Emirates&entities=Lufthansa&window_hours=168&max_items=50");
      const named = new Set(items.flatMap(({ matchedEntities }) => matchedEntities));
      expect(named).toEqual(new Set(["EMIRATES", "LUFTHANSA"]));
      expect(items.every(({ matchedEntities }) => matchedEntities.length > 0)).toBe(true);
    },
  },
  ...[
    ["window_hours", "windowHours", 168],
    ["max_items", "maxItems", 50],
  ].flatMap(([name, field, max]): Sentence[] => [
    ...[1, Number(max)].map((value) => ({
      place: `SPEC limits: ${name}`,
      sentence: `${value} is accepted`,
      check: async () => {
        await body<News>(NEWS, `${name}=${value}`);
      },
    })),
    ...[Number(max) + 1, -1, 1.5].map((value) => ({
      place: `SPEC limits: ${name}`,
      sentence: `${value} is refused`,
      check: async () => expect(await refused(NEWS, `${name}=${value}`)).toEqual([field]),
    })),
  ]),
  {
    place: `${ENDPOINTS}, ${NEWS}`,
    sentence: "window_hours limits the age of items",
    check: async () => {
      const oldest = async (hours: number): Promise<number> => {
        const { items } = await body<News>(NEWS, `window_hours=${hours}&max_items=50`);
        return (NOON - Math.min(...items.map(({ publishedAt }) => publishedAt))) / HOUR_MS;
      };
      expect(await oldest(5)).toBeLessThanOrEqual(5);
      expect(await oldest(30)).toBeGreaterThan(5);
    },
  },
  {
    place: `${ENDPOINTS}, ${NEWS}`,
    sentence: "max_items limits the number of items",
    check: async () => {
      expect((await body<News>(NEWS, "max_items=1")).items).toHaveLength(1);
      expect((await body<News>(NEWS, "max_items=50&window_hours=168")).items).toHaveLength(50);
    },
  },
  {
    place: `RULINGS 20, ${NEWS}`,
    sentence: "ids are unique in the list, and stable between builds",
    check: async () => {
      const ids = async (): Promise<string[]> =>
        (await body<News>(NEWS, "max_items=50&window_hours=168")).items.map(({ id }) => id);
      const before = await ids();
      expect(new Set(before).size).toBe(50);
      await stackOf().run("aviation-news");
      expect(await ids()).toEqual(before);
    },
  },
  {
    place: `RULINGS 19, ${NEWS}`,
    sentence: "an item without a picture has no imageUrl",
    check: async () => {
      const { items } = await body<News>(NEWS, "max_items=50&window_hours=168");
      expect(items.some((item) => !("imageUrl" in item))).toBe(true);
      expect(items.some((item) => "imageUrl" in item && item.imageUrl === "")).toBe(false);
    },
  },
];

interface Offer {
  readonly durationMinutes?: number;
  readonly price: number;
  readonly stops: number;
  readonly legs: readonly {
    readonly airlineCode?: string;
    readonly arrivalAirport: string;
    readonly arrivalDatetime: string;
    readonly departureAirport: string;
    readonly departureDatetime: string;
  }[];
}
interface Offers {
  readonly flights: readonly Offer[];
  readonly degraded: boolean;
  readonly error: string;
}

const sortKeys: Readonly<Record<string, (offer: Offer) => number | string>> = {
  CHEAPEST: ({ price }) => price,
  DURATION: ({ durationMinutes = 0 }) => durationMinutes,
  DEPARTURE_TIME: ({ legs }) => legs[0]?.departureDatetime ?? "",
  ARRIVAL_TIME: ({ legs }) => legs.at(-1)?.arrivalDatetime ?? "",
};

const offers: readonly Sentence[] = [
  {
    place: `${ENDPOINTS}, ${OFFERS}`,
    sentence: "without return_date, the journey is one way",
    check: async () => {
      const { flights, degraded, error } = await body<Offers>(OFFERS, JOURNEY);
      expect([flights.length > 0, degraded, error]).toEqual([true, false, ""]);
      for (const { legs } of flights) {
        expect([legs[0]?.departureAirport, legs.at(-1)?.arrivalAirport]).toEqual(["IST", "LHR"]);
        expect(legs[0]?.departureDatetime).toMatch(/^2026-12-10T/);
      }
    },
  },
  {
    place: `${ENDPOINTS}, ${OFFERS}`,
    sentence: "with return_date, the journey returns on that day",
    check: async () => {
      const { flights } = await body<Offers>(OFFERS, `${JOURNEY}&return_date=2026-12-17`);
      expect(flights.length).toBeGreaterThan(0);
      for (const { legs } of flights) {
        expect(legs.at(-1)?.arrivalAirport).toBe("IST");
        expect(legs.at(-1)?.departureDatetime).toMatch(/^2026-12-17T/);
      }
    },
  },
  ...Object.entries(sortKeys).map(
    ([name, keyOf]): Sentence => ({
      place: `${ENDPOINTS}, ${OFFERS} sort_by`,
      sentence: `${name} sorts the offers in ascending order`,
      check: async () => {
        const keys = (await body<Offers>(OFFERS, `${JOURNEY}&sort_by=${name}`)).flights.map(keyOf);
        expect(keys.length).toBeGreaterThan(3);
        expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
      },
    }),
  ),
  {
    place: `${ENDPOINTS}, ${OFFERS} sort_by`,
    sentence: "sort_by is a string, so an unknown value is not refused",
    check: async () => expect(await textOf(OFFERS, `${JOURNEY}&sort_by=BEST`)).toBe(await textOf(OFFERS, JOURNEY)),
  },
  ...["departure_date=10.12.2026", "departure_date=2026-12-10&return_date=2026-13-01"].map(
    (query): Sentence => ({
      place: `${ENDPOINTS}, ${OFFERS}`,
      sentence: `dates are YYYY-MM-DD: the answer to ${query} is degraded with an error`,
      check: async () => {
        const { degraded, error, flights } = await body<Offers>(OFFERS, `${ROUTE}&${query}`);
        expect([degraded, flights]).toEqual([true, []]);
        expect(error).toMatch(/YYYY-MM-DD/);
      },
    }),
  ),
];

interface Dates {
  readonly dates: readonly { readonly date: string; readonly returnDate: string; readonly price: number }[];
  readonly degraded: boolean;
  readonly error: string;
}

const RANGE = `${ROUTE}&start_date=2026-12-01&end_date=2026-12-20`;
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / (24 * HOUR_MS);

const dates: readonly Sentence[] = [
  {
    place: `${ENDPOINTS}, ${DATES}`,
    sentence: "rows are for the days from start_date to end_date",
    check: async () => {
      const dates = await body<Dates>(DATES, RANGE);
      expect([dates.degraded, dates.error, dates.dates.length > 5]).toEqual([false, "", true]);
      expect(dates.dates.every(({ date }) => date >= "2026-12-01" && date <= "2026-12-20")).toBe(true);
    },
  },
  {
    place: `${ENDPOINTS}, ${DATES}`,
    sentence: "trip_duration is required for a round trip",
    check: async () => {
      const dates = await body<Dates>(DATES, `${RANGE}&is_round_trip=true`);
      expect(dates).toMatchObject({ degraded: true, dates: [], error: expect.stringMatching(/trip_duration/) });
    },
  },
  {
    place: `${ENDPOINTS}, ${DATES}`,
    sentence: "trip_duration counts the days to the return",
    check: async () => {
      const { dates: rows } = await body<Dates>(DATES, `${RANGE}&is_round_trip=true&trip_duration=7`);
      expect(rows.length).toBeGreaterThan(5);
      expect(new Set(rows.map(({ date, returnDate }) => daysBetween(date, returnDate)))).toEqual(new Set([7]));
    },
  },
  {
    place: `${ENDPOINTS}, ${DATES}`,
    sentence: "sort_by_price puts the lowest price first",
    check: async () => {
      const { dates: rows } = await body<Dates>(DATES, `${RANGE}&sort_by_price=true`);
      const amounts = rows.map(({ price }) => price);
      expect(amounts).toEqual(amounts.toSorted((a, b) => a - b));
    },
  },
  {
    place: `${ENDPOINTS}, ${DATES}`,
    sentence: "without sort_by_price, the rows are sorted by day",
    check: async () => {
      const days = (await body<Dates>(DATES, RANGE)).dates.map(({ date }) => date);
      expect(days).toEqual(days.toSorted());
    },
  },
  ...["is_round_trip", "sort_by_price"].map(
    (name): Sentence => ({
      place: `${ENDPOINTS}, ${DATES}`,
      sentence: `${name} is a boolean`,
      check: async () =>
        expect(await refused(DATES, `${RANGE}&${name}=yes`)).toEqual([
          name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
        ]),
    }),
  ),
  {
    place: `${ENDPOINTS}, ${DATES}`,
    sentence: "trip_duration is an int32",
    check: async () => expect(await refused(DATES, `${RANGE}&trip_duration=a+week`)).toEqual(["tripDuration"]),
  },
  ...["origin", "destination"].flatMap((name) =>
    [OFFERS, DATES].map(
      (rpc): Sentence => ({
        place: `${ENDPOINTS}, ${rpc}`,
        sentence: `${name} is a parameter of both provider searches`,
        check: async () => {
          const query = new URLSearchParams(rpc === OFFERS ? JOURNEY : RANGE);
          query.delete(name);
          const answer = await body<Offers | Dates>(rpc, query.toString());
          expect(answer).toMatchObject({ degraded: true, error: expect.stringContaining(name) });
        },
      }),
    ),
  ),
];

const pro: readonly Sentence[] = [
  [FLIGHTS, "airport=IST"],
  [CARRIERS, ""],
  [STATUS, "flight_number=VG1001&date=2026-11-18"],
  [PRICES, JOURNEY],
].map(([rpc = "", query]) => ({
  place: `${ENDPOINTS}, ${rpc}`,
  sentence: "the operation is a Pro operation",
  check: async () => {
    const registered = stackOf().services.operations.find(({ path }) => path === at(rpc));
    expect(registered?.operation.tier).toBe(1);
    expect(json(await stackOf().get(at(rpc, query), {}))).toEqual({ error: "API key required" });
  },
}));

const open: readonly Sentence[] = [DELAYS, OPS, TRACK, VIDEO, NEWS, OFFERS, DATES].map((rpc) => ({
  place: `${ENDPOINTS}, ${rpc}`,
  sentence: "the operation is not a Pro operation",
  check: () => {
    const registered = stackOf().services.operations.find(({ path }) => path === at(rpc));
    expect([registered !== undefined, registered?.operation.tier]).toEqual([true, undefined]);
  },
}));

/** Runs last, because it advances the clock. */
const tags: readonly Sentence[] = [
  {
    place: `RULINGS 25, ${PRICES}`,
    sentence: "updatedAt is part of the ETag: equal offers from a later read have a different ETag",
    check: async () => {
      const ask = async () => {
        const answer = await stackOf().get(at(PRICES, JOURNEY));
        const { quotes, updatedAt } = json(answer) as Prices;
        return { quotes, updatedAt, tag: answer.headers["ETag"] };
      };
      const before = await ask();
      stackOf().clock.advance(3 * HOUR_MS);
      const after = await ask();
      expect(after.quotes).toEqual(before.quotes);
      expect(after.updatedAt).toBe(before.updatedAt + 3 * HOUR_MS);
      expect([before.tag, after.tag]).toEqual([expect.any(String), expect.any(String)]);
      expect(after.tag).not.toBe(before.tag);
    },
  },
];

testSentences([
  ...delays,
  ...ops,
  ...airportFlights,
  ...carrierOps,
  ...flightStatus,
  ...tracking,
  ...video,
  ...prices,
  ...news,
  ...offers,
  ...dates,
  ...pro,
  ...open,
  ...tags,
]);
