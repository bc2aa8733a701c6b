import { afterAll, beforeAll, expect } from "vitest";
import type { IdentifiedAnswer } from "../../src/http/exchange.js";
import { refusedFields, type Sentence, testSentences } from "../support/sentences.js";
import { call, json, NOON, type Stack, startStack } from "../support/stack.js";

/* Sections 2 and 4 of NOTES.md: how parameters are read, and the names that the specification leaves open. */

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const FLIGHTS = "/api/aviation/v1/list-airport-flights";
const STATUS = "/api/aviation/v1/get-flight-status";
const CARRIERS = "/api/aviation/v1/get-carrier-ops";
const PRICES = "/api/aviation/v1/search-flight-prices";
const OPS = "/api/aviation/v1/get-airport-ops-summary";
const NEWS = "/api/aviation/v1/list-aviation-news";
const ITINERARIES = "/api/aviation/v1/search-provider-flights";
const DATES = "/api/aviation/v1/search-provider-dates";
const TRACK = "/api/aviation/v1/track-aircraft";
const VIDEO = "/api/aviation/v1/get-video-live-stream-info";
const ALPHA = "/api/conflict/v1/list-alpha-events";
const BETA = "/api/conflict/v1/list-beta-events";
const HUMANITARIAN = "/api/conflict/v1/get-humanitarian-summary";
const DISASTERS = "/api/climate/v1/list-climate-disasters";
const DISPLACEMENT = "/api/displacement/v1/get-displacement-summary";
const ANOMALIES = "/api/infrastructure/v1/list-internet-traffic-anomalies";
const BRIEF = "/api/intelligence/v1/get-country-intel-brief";
const DIGEST = "/api/news/v1/list-feed-digest";
const BATCH = "/api/batch/v1/execute";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ filled: "all" });
}, 60_000);
afterAll(() => stack.close());

const ownerKey = (): Readonly<Record<string, string>> => ({
  "x-service-key": stack.service.access.ownerKey.key ?? "",
});

async function bodyOf<Body>(target: string): Promise<Body> {
  const answer = await stack.get(target);
  expect(answer.status, String(answer.body)).toBe(200);
  // The cast is safe if `Body` has the shape that the operation declares.
  return json(answer) as Body;
}

const refused = async (target: string): Promise<readonly string[]> => refusedFields(await stack.get(target));

/** Expects all targets to be answered with the same body. */
async function expectSame(...targets: readonly string[]): Promise<void> {
  const [first, ...others] = await Promise.all(targets.map((target) => bodyOf<unknown>(target)));
  for (const other of others) expect(other).toEqual(first);
}

function post(body: string, path = BATCH): Promise<IdentifiedAnswer> {
  return call(stack.answer, "POST", path, { ...ownerKey(), "content-type": "application/json" }, { body });
}

interface Itinerary {
  readonly price: number;
  readonly stops: number;
  readonly durationMinutes: number;
  readonly legs: readonly { readonly airlineCode: string; readonly departureDatetime: string }[];
}
interface Itineraries {
  readonly flights: readonly Itinerary[];
  readonly degraded: boolean;
  readonly error: string;
}
interface Dates {
  readonly dates: readonly { readonly date: string; readonly returnDate: string; readonly price: number }[];
  readonly degraded: boolean;
  readonly error: string;
}

const ROUTE = "origin=IST&destination=LHR";
const JOURNEY = `${ITINERARIES}?${ROUTE}&departure_date=2026-12-10`;
const RANGE = `${DATES}?${ROUTE}&start_date=2026-12-01&end_date=2026-12-20`;

const reading: readonly Sentence[] = [
  {
    place: "NOTES §2",
    sentence: "a missing boolean means false",
    check: () => expectSame(CPI, `${CPI}?history=false`, `${CPI}?history=`),
  },
  {
    place: "NOTES §2",
    sentence: "a missing number means 0",
    check: () => expectSame(DISPLACEMENT, `${DISPLACEMENT}?year=0&country_limit=0&flow_limit=0`),
  },
  {
    place: "NOTES §2",
    sentence: "a missing string means an empty string",
    check: () => expectSame(ANOMALIES, `${ANOMALIES}?country=`),
  },
  {
    place: "NOTES §2",
    sentence: "a missing repeated parameter means an empty list",
    check: () => expectSame(NEWS, `${NEWS}?entities=`, `${NEWS}?entities=&entities=`),
  },
  {
    place: "NOTES §2",
    sentence: "a missing enum means its UNSPECIFIED value",
    check: () => expectSame(`${FLIGHTS}?airport=IST`, `${FLIGHTS}?airport=IST&direction=FLIGHT_DIRECTION_UNSPECIFIED`),
  },
  {
    place: "NOTES §2, decision 0025",
    sentence: "a boolean is true if it is `true` in any letter case, or `1`",
    async check() {
      const { months } = await bodyOf<{ months: unknown[] }>(`${CPI}?history=true`);
      expect(months.length).toBeGreaterThan(800);
      await expectSame(`${CPI}?history=true`, `${CPI}?history=TRUE`, `${CPI}?history=1`);
    },
  },
  {
    place: "NOTES §2, decision 0025",
    sentence: "any string that is not a boolean is refused",
    async check() {
      for (const text of ["yes", "on", "t", "2", "null", "%20true"]) {
        expect(await refused(`${CPI}?history=${text}`)).toEqual(["history"]);
      }
    },
  },
  {
    place: "NOTES §2",
    sentence: "`start` and `end` are int64 values as decimal strings",
    async check() {
      await bodyOf(`${BETA}?start=${NOON}&end=${NOON}`);
      for (const text of ["0x10", "1e3", "12.0", "1_000", "٣", "2026-11-18"]) {
        expect(await refused(`${BETA}?start=${encodeURIComponent(text)}`)).toEqual(["start"]);
        expect(await refused(`${ALPHA}?end=${encodeURIComponent(text)}`)).toEqual(["end"]);
      }
    },
  },
  {
    place: "NOTES §2",
    sentence: "repeated values and one comma-joined value are the same: airports",
    check: () => expectSame(`${OPS}?airports=LHR&airports=JFK`, `${OPS}?airports=LHR,JFK`),
  },
  {
    place: "NOTES §2",
    sentence: "repeated values and one comma-joined value are the same: airports of get-carrier-ops",
    check: () => expectSame(`${CARRIERS}?airports=LHR&airports=FRA`, `${CARRIERS}?airports=LHR,FRA`),
  },
  {
    place: "NOTES §2",
    sentence: "repeated values and one comma-joined value are the same: entities",
    check: () => expectSame(`${NEWS}?entities=Airbus&entities=Boeing`, `${NEWS}?entities=Airbus,Boeing`),
  },
  {
    place: "NOTES §2",
    sentence: "repeated values and one comma-joined value are the same: airlines",
    check: () => expectSame(`${JOURNEY}&airlines=XF&airlines=XS`, `${JOURNEY}&airlines=XF,XS`),
  },
  ...(
    [
      ["limit", `${FLIGHTS}?airport=IST`],
      ["min_flights", `${CARRIERS}?airports=LHR`],
      ["max_items", `${NEWS}?window_hours=168`],
      ["window_hours", `${NEWS}?max_items=50`],
      ["max_results", `${PRICES}?${ROUTE}&departure_date=2026-12-10`],
      ["adults", `${PRICES}?${ROUTE}&departure_date=2026-12-10`],
      ["page_size", `${DISASTERS}?`],
    ] as const
  ).map(
    ([name, target]): Sentence => ({
      place: "NOTES §2",
      sentence: `${name}=0 is the same as an absent parameter`,
      check: () => expectSame(target, `${target}&${name}=0`),
    }),
  ),
  {
    place: "NOTES §2",
    sentence: "an enum is sent as its full upper-case name",
    async check() {
      const arrivals = await bodyOf<{ flights: { destination: { iata: string } }[] }>(
        `${FLIGHTS}?airport=IST&direction=FLIGHT_DIRECTION_ARRIVAL`,
      );
      expect(arrivals.flights.length).toBeGreaterThan(0);
      for (const { destination } of arrivals.flights) expect(destination.iata).toBe("IST");
    },
  },
  {
    place: "NOTES §2",
    sentence: "numeric enum values are rejected",
    async check() {
      expect(await refused(`${FLIGHTS}?airport=IST&direction=2`)).toEqual(["direction"]);
      expect(await refused(`${PRICES}?${ROUTE}&departure_date=2026-12-10&cabin=1`)).toEqual(["cabin"]);
    },
  },
  {
    place: "NOTES §2",
    sentence: "short and lower-case enum names are rejected",
    async check() {
      for (const name of ["ARRIVAL", "arrival", "flight_direction_arrival", "FLIGHT_DIRECTION_"]) {
        expect(await refused(`${FLIGHTS}?airport=IST&direction=${name}`)).toEqual(["direction"]);
      }
    },
  },
  {
    place: "NOTES §2",
    sentence: "a call without a required enum is refused with a violation",
    async check() {
      expect(await refused(HUMANITARIAN)).toEqual(["countryCode"]);
      expect(await refused(`${HUMANITARIAN}?country_code=`)).toEqual(["countryCode"]);
    },
  },
  {
    place: "NOTES §2",
    sentence: "a violation has a field and a description, and nothing else",
    async check() {
      const answer = await stack.get(`${CPI}?history=perhaps`);
      expect([answer.status, json(answer)]).toEqual([
        400,
        { violations: [{ field: "history", description: expect.stringMatching(/./) }] },
      ]);
    },
  },
  ...(
    [
      ["pageSize", `${DISASTERS}?page_size=-1`],
      ["flightNumber", `${STATUS}?flight_number=&date=2026-11-18`],
      ["departureDate", `${PRICES}?${ROUTE}`],
      ["maxResults", `${PRICES}?${ROUTE}&departure_date=2026-12-10&max_results=51`],
      ["minFlights", `${CARRIERS}?min_flights=-1`],
      ["windowHours", `${NEWS}?window_hours=169`],
      ["maxItems", `${NEWS}?max_items=51`],
      ["videoId", `${VIDEO}?video_id=short`],
      ["swLat", `${TRACK}?sw_lat=91`],
      ["neLon", `${TRACK}?ne_lon=-181`],
      ["countryLimit", `${DISPLACEMENT}?country_limit=-1`],
      ["flowLimit", `${DISPLACEMENT}?flow_limit=x`],
      ["tripDuration", `${RANGE}&trip_duration=-1`],
      ["isRoundTrip", `${RANGE}&is_round_trip=maybe`],
    ] as const
  ).map(
    ([field, target]): Sentence => ({
      place: "NOTES §2",
      sentence: `a violation names its field in camelCase: ${field}`,
      check: async () => expect(await refused(target)).toEqual([field]),
    }),
  ),
  {
    place: "NOTES §2",
    sentence: "a violation in a body states the path of the refused member",
    async check() {
      const operations = [{ path: CPI }, { path: CPI }, { path: CPI }, { id: "i".repeat(65), path: CPI }];
      expect(refusedFields(await post(JSON.stringify({ operations })))).toEqual(["operations[3].id"]);
    },
  },
  {
    place: "NOTES §2",
    sentence: "one answer lists all refused parameters",
    check: async () => expect(await refused(`${STATUS}?origin=IST`)).toEqual(["flightNumber", "date"]),
  },
  {
    place: "NOTES §2",
    sentence: "a value that is too long gets one violation, because its pattern is not checked",
    async check() {
      const { violations } = json(await stack.get(`${CARRIERS}?airports=${"1".repeat(501)}`)) as {
        violations: { field: string; description: string }[];
      };
      expect(violations).toEqual([{ field: "airports", description: expect.stringMatching(/at most 500 characters/) }]);
    },
  },
  {
    place: "NOTES §2",
    sentence: "length limits are in characters unless stated in bytes",
    async check() {
      const { countryCode } = await bodyOf<{ countryCode: string }>(
        `${BRIEF}?country_code=UA&framework=${encodeURIComponent("é".repeat(2_000))}`,
      );
      expect(countryCode).toBe("UA");
    },
  },
  ...["", "{", "null", "[]", '"text"', "7", "operations=1"].map(
    (body): Sentence => ({
      place: "NOTES §2, §6 400",
      sentence: `a POST body that is not a JSON object is refused: ${JSON.stringify(body)}`,
      async check() {
        const answer = await post(body);
        expect([answer.status, json(answer)]).toEqual([400, { message: "Invalid request body" }]);
      },
    }),
  ),
  {
    place: "NOTES §2",
    sentence: "one slash at the end of a POST path is ignored, two are not",
    async check() {
      const body = JSON.stringify({ operations: [{ path: CPI }] });
      expect((await post(body, `${BATCH}/`)).status).toBe(200);
      expect((await post(body, `${BATCH}//`)).status).toBe(404);
    },
  },
];

const names: readonly Sentence[] = [
  {
    place: "NOTES §4",
    sentence: "the digest accepts `variant` and `lang`",
    async check() {
      const { categories } = await bodyOf<{ categories: object }>(`${DIGEST}?variant=happy`);
      expect(Object.keys(categories)).toEqual(["positive", "science", "nature", "inspiring", "community"]);
      expect(await refused(`${DIGEST}?lang=xx`)).toEqual(["lang"]);
    },
  },
  {
    place: "NOTES §4, decision 0020",
    sentence: "the brief accepts `country_code` and `framework`, and ignores `lang` and `context` with a notice",
    async check() {
      const answer = await stack.get(`${BRIEF}?country_code=UA&framework=x&lang=fr&context=y`);
      expect(answer.status).toBe(200);
      expect(answer.headers["X-Vigil-Notice"]).toMatch(/name="lang".*name="context"/);
      expect(answer.headers["X-Vigil-Notice"]).not.toMatch(/framework|country_code/);
    },
  },
  {
    place: "NOTES §4",
    sentence: "the country filter of traffic anomalies is converted to upper case and compared with locationCode",
    async check() {
      const { anomalies } = await bodyOf<{ anomalies: { locationCode?: string }[] }>(ANOMALIES);
      const code = anomalies.find(({ locationCode }) => locationCode !== undefined)?.locationCode ?? "";
      const own = anomalies.filter(({ locationCode }) => locationCode === code);
      expect(own.length).toBeGreaterThan(0);
      const inLowerCase = await bodyOf<{ anomalies: unknown[] }>(`${ANOMALIES}?country=${code.toLowerCase()}`);
      expect(inLowerCase.anomalies).toEqual(own);
    },
  },
  {
    place: "NOTES §4",
    sentence: "country_limit 0 means all countries",
    async check() {
      const all = await bodyOf<{ summary: { countries: unknown[] } }>(`${DISPLACEMENT}?country_limit=0`);
      expect(all.summary.countries.length).toBeGreaterThanOrEqual(100);
      const two = await bodyOf<{ summary: { countries: unknown[] } }>(`${DISPLACEMENT}?country_limit=2`);
      expect(two.summary.countries).toEqual(all.summary.countries.slice(0, 2));
    },
  },
  {
    place: "NOTES §4",
    sentence: "flow_limit 0 means 50 flows",
    async check() {
      const flows = async (limit: number) =>
        (await bodyOf<{ summary: { topFlows: unknown[] } }>(`${DISPLACEMENT}?flow_limit=${limit}`)).summary.topFlows;
      expect(await flows(0)).toHaveLength(50);
      expect((await flows(1_000)).slice(0, 50)).toEqual(await flows(0));
      expect((await flows(1_000)).length).toBeGreaterThan(50);
    },
  },
  {
    place: "NOTES §4",
    sentence: "origin and destination of provider searches are trimmed and converted to upper case",
    async check() {
      await expectSame(JOURNEY, `${ITINERARIES}?origin=%20ist%20&destination=lhr&departure_date=2026-12-10`);
      await expectSame(RANGE, RANGE.replace("IST", "%20ist").replace("LHR", "lhr%20"));
    },
  },
  {
    place: "NOTES §4",
    sentence: "cabin_class is ECONOMY, PREMIUM_ECONOMY, BUSINESS or FIRST, and determines the prices",
    async check() {
      const prices = await Promise.all(
        ["ECONOMY", "PREMIUM_ECONOMY", "BUSINESS", "FIRST"].map(async (cabin) => {
          const { flights } = await bodyOf<Itineraries>(`${JOURNEY}&cabin_class=${cabin}`);
          return flights.map(({ price }) => price);
        }),
      );
      for (const own of prices) expect(own.length).toBeGreaterThan(0);
      expect(new Set(prices.map((own) => JSON.stringify(own))).size).toBe(4);
    },
  },
  {
    place: "NOTES §4",
    sentence: "an unknown cabin_class falls back to economy",
    check: () => expectSame(JOURNEY, `${JOURNEY}&cabin_class=ECONOMY`, `${JOURNEY}&cabin_class=hammock`),
  },
  {
    place: "NOTES §4",
    sentence: "max_stops NON_STOP and ONE_STOP exclude itineraries with more stops",
    async check() {
      const { flights } = await bodyOf<Itineraries>(JOURNEY);
      for (const [name, most] of [
        ["NON_STOP", 0],
        ["ONE_STOP", 1],
      ] as const) {
        const itineraries = await bodyOf<Itineraries>(`${JOURNEY}&max_stops=${name}`);
        expect(itineraries.flights).toEqual(flights.filter(({ stops }) => stops <= most));
        expect(itineraries.flights.length).toBeGreaterThan(0);
      }
      expect(new Set(flights.map(({ stops }) => stops)).size).toBeGreaterThan(1);
    },
  },
  {
    place: "NOTES §4",
    sentence: "max_stops ANY, TWO_PLUS_STOPS and unknown values exclude nothing",
    check: () =>
      expectSame(
        JOURNEY,
        `${JOURNEY}&max_stops=ANY`,
        `${JOURNEY}&max_stops=TWO_PLUS_STOPS`,
        `${JOURNEY}&max_stops=hops`,
      ),
  },
  {
    place: "NOTES §4",
    sentence: "a departure_window such as 6-20 keeps itineraries that depart within it",
    async check() {
      const hour = ({ legs: [leg] }: Itinerary): number => Number(leg?.departureDatetime.slice(11, 13));
      const { flights } = await bodyOf<Itineraries>(JOURNEY);
      const hours = flights.map(hour);
      const [first, last] = [Math.min(...hours), Math.max(...hours)];
      expect(last).toBeGreaterThan(first);
      const early = await bodyOf<Itineraries>(`${JOURNEY}&departure_window=0-${first + 1}`);
      expect(early.flights.length).toBeGreaterThan(0);
      expect(early.flights.length).toBeLessThan(flights.length);
      for (const flight of early.flights) expect(hour(flight)).toBeLessThanOrEqual(first + 1);
    },
  },
  {
    place: "NOTES §4",
    sentence: "an unreadable or reversed departure_window is ignored",
    check: () => expectSame(JOURNEY, `${JOURNEY}&departure_window=morning`, `${JOURNEY}&departure_window=20-6`),
  },
  {
    place: "NOTES §4",
    sentence: "the parameter `airlines` keeps only the itineraries of the named airlines",
    async check() {
      const { flights } = await bodyOf<Itineraries>(JOURNEY);
      const codes = new Set(flights.flatMap(({ legs }) => legs.map(({ airlineCode }) => airlineCode)));
      expect(codes.size).toBeGreaterThan(1);
      const [code = ""] = codes;
      const itineraries = await bodyOf<Itineraries>(`${JOURNEY}&airlines=${code.toLowerCase()}`);
      expect(itineraries.flights).toEqual(
        flights.filter(({ legs }) => legs.every(({ airlineCode }) => airlineCode === code)),
      );
    },
  },
  {
    place: "NOTES §4",
    sentence: "`passengers` is clamped to 1–9, and the default is 1",
    async check() {
      await expectSame(JOURNEY, ...["1", "0", "-3"].map((count) => `${JOURNEY}&passengers=${count}`));
      await expectSame(`${JOURNEY}&passengers=9`, `${JOURNEY}&passengers=10`, `${JOURNEY}&passengers=99`);
    },
  },
  {
    place: "NOTES §4",
    sentence: "an unknown sort_by means cheapest first",
    async check() {
      await expectSame(JOURNEY, `${JOURNEY}&sort_by=CHEAPEST`, `${JOURNEY}&sort_by=beauty`);
      const { flights } = await bodyOf<Itineraries>(JOURNEY);
      const prices = flights.map(({ price }) => price);
      expect(prices).toEqual(prices.toSorted((a, b) => a - b));
    },
  },
  ...["", `${ROUTE}`, "origin=IST&departure_date=2026-12-10", `${ROUTE}&departure_date=tomorrow`].map(
    (query): Sentence => ({
      place: "NOTES §4",
      sentence: `a flight search that lacks a place or a valid date gets a degraded 200 with an error: ?${query}`,
      async check() {
        const { flights, degraded, error } = await bodyOf<Itineraries>(`${ITINERARIES}?${query}`);
        expect([flights, degraded, error]).toEqual([[], true, expect.stringMatching(/^[a-z_]+ must be /)]);
      },
    }),
  ),
  ...["", `${ROUTE}&start_date=2026-12-01`, "destination=LHR&start_date=2026-12-01&end_date=2026-12-02"].map(
    (query): Sentence => ({
      place: "NOTES §4",
      sentence: `a date search that lacks a place or a date gets a degraded 200 with an error: ?${query}`,
      async check() {
        const { dates, degraded, error } = await bodyOf<Dates>(`${DATES}?${query}`);
        expect([dates, degraded, error]).toEqual([[], true, expect.stringMatching(/^[a-z_]+ must /)]);
      },
    }),
  ),
];

testSentences([...reading, ...names]);
