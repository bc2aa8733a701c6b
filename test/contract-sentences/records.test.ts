import { expect } from "vitest";
import { bodyOf, type Sentence, sharedStack, testSentences } from "../support/sentences.js";

/* Checks that every field in SPEC's record tables is declared and served with the JSON type that SPEC states. */

const stackOf = sharedStack("all");

/** The kinds of field values in SPEC's record tables. */
type Kind = "text" | "texts" | "integer" | "number" | "boolean" | "instant" | "ISO 8601" | "day" | "list" | "map";

interface RecordTable {
  readonly record: string;
  readonly target: string;
  /** Members that lead from the answer to the record. `*` means every member of a map; lists need no entry. */
  readonly at?: readonly string[];
  readonly fields: Readonly<Record<string, Kind>>;
}

const aviation = (target: string): string => `/api/aviation/v1/${target}`;
const climate = (target: string): string => `/api/climate/v1/${target}`;
const conflict = (target: string): string => `/api/conflict/v1/${target}`;
const economic = (target: string): string => `/api/economic/v1/${target}`;

const IST = aviation("list-airport-flights?airport=IST&limit=100");
const CARRIERS = aviation("get-carrier-ops?airports=IST&min_flights=1");
const POSITIONS = aviation("track-aircraft?sw_lat=30&sw_lon=-10&ne_lat=60&ne_lon=40");
const OFFERS = aviation("search-provider-flights?origin=IST&destination=LHR&departure_date=2026-12-10");
const DATES = aviation(
  "search-provider-dates?origin=IST&destination=LHR&start_date=2026-12-01&end_date=2026-12-20&is_round_trip=true&trip_duration=7",
);
const PRICES = aviation("search-flight-prices?origin=IST&destination=LHR&departure_date=2026-12-10");
const CPI = economic("get-us-cpi-monthly?history=true");
const YIELDS = economic("get-us-treasury-par-yield-curve");
const DIGEST = "/api/news/v1/list-feed-digest?variant=happy";
const BRIEF = "/api/intelligence/v1/get-country-intel-brief?country_code=UA";

const reading: Readonly<Record<string, Kind>> = { index: "number" };
const percent: Readonly<Record<string, Kind>> = { percent: "number" };
const components = ["headline", "core", "food", "energy", "shelter", "services"];

const tables: readonly RecordTable[] = [
  {
    record: "airport delay alert",
    target: aviation("list-airport-delays"),
    at: ["alerts"],
    fields: {
      id: "text",
      city: "text",
      country: "text",
      avgDelayMinutes: "integer",
      cancelledFlights: "integer",
      delayType: "text",
    },
  },
  {
    record: "pagination envelope",
    target: aviation("list-airport-delays"),
    at: ["pagination"],
    fields: { nextCursor: "text", totalCount: "integer" },
  },
  {
    record: "airport ops summary",
    target: aviation("get-airport-ops-summary?airports=LHR,JFK,KRT"),
    at: ["summaries"],
    fields: {
      iata: "text",
      delayPct: "number",
      avgDelayMinutes: "integer",
      cancellationRate: "number",
      closureStatus: "boolean",
    },
  },
  {
    record: "airport ops summary, response",
    target: aviation("get-airport-ops-summary"),
    fields: { cacheHit: "boolean" },
  },
  {
    record: "flight",
    target: IST,
    at: ["flights"],
    fields: {
      actualArrival: "instant",
      actualDeparture: "instant",
      aircraftIcao24: "text",
      aircraftType: "text",
      cancelled: "boolean",
    },
  },
  {
    record: "flights, response",
    target: IST,
    fields: { source: "text", totalAvailable: "integer", updatedAt: "instant" },
  },
  {
    record: "carrier ops row",
    target: CARRIERS,
    at: ["carriers"],
    fields: { airport: "text", avgDelayMinutes: "integer", cancellationRate: "number", cancelledCount: "integer" },
  },
  {
    record: "carrier of a carrier ops row",
    target: CARRIERS,
    at: ["carriers", "carrier"],
    fields: { iataCode: "text", icaoCode: "text", name: "text" },
  },
  { record: "carriers, response", target: CARRIERS, fields: { source: "text", updatedAt: "instant" } },
  {
    record: "flight status, response",
    target: aviation("get-flight-status?flight_number=VG1001&date=2026-11-18"),
    fields: { cacheHit: "boolean", source: "text", flights: "list" },
  },
  {
    record: "aircraft position",
    target: POSITIONS,
    at: ["positions"],
    fields: { icao24: "text", callsign: "text", lat: "number", altitudeM: "number", groundSpeedKts: "number" },
  },
  { record: "positions, response", target: POSITIONS, fields: { source: "text", updatedAt: "instant" } },
  {
    record: "aviation news item",
    target: aviation("list-aviation-news?entities=Emirates&window_hours=168&max_items=50"),
    at: ["items"],
    fields: { id: "text", imageUrl: "text", matchedEntities: "texts", publishedAt: "instant", snippet: "text" },
  },
  {
    record: "aviation news, response",
    target: aviation("list-aviation-news"),
    fields: { source: "text", updatedAt: "instant" },
  },
  {
    record: "itinerary",
    target: OFFERS,
    at: ["flights"],
    fields: { durationMinutes: "integer", price: "number", stops: "integer", legs: "list" },
  },
  {
    record: "leg of an itinerary",
    target: OFFERS,
    at: ["flights", "legs"],
    fields: {
      airlineCode: "text",
      arrivalAirport: "text",
      arrivalDatetime: "text",
      departureAirport: "text",
      departureDatetime: "text",
    },
  },
  { record: "itineraries, response", target: OFFERS, fields: { degraded: "boolean", error: "text" } },
  {
    record: "cheapest-date row",
    target: DATES,
    at: ["dates"],
    fields: { date: "day", returnDate: "day", price: "number" },
  },
  { record: "cheapest dates, response", target: DATES, fields: { degraded: "boolean", error: "text" } },
  {
    record: "price search response flags",
    target: PRICES,
    fields: { degraded: "boolean", isDemoMode: "boolean", isIndicative: "boolean", error: "text", provider: "text" },
  },
  {
    record: "video info",
    target: aviation("get-video-live-stream-info?video_id=VigilDemo-1"),
    fields: {
      videoId: "text",
      title: "text",
      channelName: "text",
      channelExists: "boolean",
      isLive: "boolean",
      hlsUrl: "text",
      error: "text",
    },
  },
  {
    record: "climate anomaly",
    target: climate("list-climate-anomalies"),
    at: ["anomalies"],
    fields: {
      zone: "text",
      period: "text",
      tempDelta: "number",
      precipDelta: "number",
      severity: "text",
      type: "text",
    },
  },
  {
    record: "location of a climate anomaly",
    target: climate("list-climate-anomalies"),
    at: ["anomalies", "location"],
    fields: { latitude: "number", longitude: "number" },
  },
  {
    record: "climate disaster",
    target: climate("list-climate-disasters"),
    at: ["disasters"],
    fields: { id: "text", country: "text", countryCode: "text", lat: "number", affectedPopulation: "integer" },
  },
  {
    record: "greenhouse monitoring",
    target: climate("get-co2-monitoring"),
    at: ["monitoring"],
    fields: {
      annualGrowthRate: "number",
      currentPpm: "number",
      methanePpb: "number",
      monthlyAverage: "number",
      measuredAt: "instant",
    },
  },
  {
    record: "ocean and ice data",
    target: climate("get-ocean-ice-data"),
    at: ["data"],
    fields: {
      arcticExtentMkm2: "number",
      arcticExtentAnomalyMkm2: "number",
      arcticTrend: "text",
      iceTrend12m: "list",
      measuredAt: "instant",
    },
  },
  {
    record: "month of iceTrend12m",
    target: climate("get-ocean-ice-data"),
    at: ["data", "iceTrend12m"],
    fields: { month: "text", extentMkm2: "number", anomalyMkm2: "number" },
  },
  {
    record: "air quality station",
    target: climate("list-air-quality-data"),
    at: ["stations"],
    fields: { aqi: "integer", city: "text", countryCode: "text", lat: "number", lng: "number" },
  },
  { record: "air quality, response", target: climate("list-air-quality-data"), fields: { fetchedAt: "instant" } },
  {
    record: "climate news item",
    target: climate("list-climate-news"),
    at: ["items"],
    fields: { id: "text", title: "text", summary: "text", sourceName: "text", publishedAt: "instant" },
  },
  {
    record: "climate news, response",
    target: climate("list-climate-news"),
    fields: { fetchedAt: "instant", dataAvailable: "boolean" },
  },
  {
    record: "alpha conflict event",
    target: conflict("list-alpha-events"),
    at: ["events"],
    fields: {
      id: "text",
      country: "text",
      admin1: "text",
      actors: "texts",
      eventType: "text",
      fatalities: "integer",
    },
  },
  {
    record: "beta violence event",
    target: conflict("list-beta-events?page_size=100"),
    at: ["events"],
    fields: {
      id: "text",
      country: "text",
      dateStart: "instant",
      dateEnd: "instant",
      deathsBest: "integer",
      deathsHigh: "integer",
    },
  },
  {
    record: "humanitarian summary",
    target: conflict("get-humanitarian-summary?country_code=SD"),
    at: ["summary"],
    fields: {
      conflictEventsTotal: "integer",
      conflictFatalities: "integer",
      conflictDemonstrations: "integer",
      referencePeriod: "day",
      updatedAt: "instant",
    },
  },
  {
    record: "news digest",
    target: DIGEST,
    fields: { categories: "map", feedStatuses: "map", generatedAt: "ISO 8601", coverage: "map" },
  },
  { record: "news digest categories", target: DIGEST, at: ["categories", "*"], fields: { items: "list" } },
  {
    record: "news digest item",
    target: DIGEST,
    at: ["categories", "*", "items"],
    fields: {
      title: "text",
      link: "text",
      source: "text",
      isAlert: "boolean",
      corroborationCount: "number",
      credibilityScore: "number",
      importanceScore: "number",
    },
  },
  {
    record: "news digest coverage",
    target: DIGEST,
    at: ["coverage"],
    fields: {
      attemptedAt: "ISO 8601",
      categoryCompleted: "number",
      categoryTotal: "number",
      droppedCategoryCap: "number",
      categoryStates: "map",
    },
  },
  { record: "CPI month", target: CPI, at: ["months"], fields: { month: "instant" } },
  ...components.flatMap((component): RecordTable[] => [
    { record: `${component} of a CPI month`, target: CPI, at: ["months", component], fields: reading },
    {
      record: `monthOverMonth of ${component}`,
      target: CPI,
      at: ["months", component, "monthOverMonth"],
      fields: percent,
    },
    { record: `yearOverYear of ${component}`, target: CPI, at: ["months", component, "yearOverYear"], fields: percent },
  ]),
  { record: "CPI response", target: CPI, fields: { months: "list", unavailable: "boolean" } },
  {
    record: "Treasury par yield curve day",
    target: YIELDS,
    at: ["curves"],
    fields: {
      date: "instant",
      oneAndAHalfMonth: "number",
      oneMonth: "number",
      fourMonth: "number",
      fiveYear: "number",
      thirtyYear: "number",
    },
  },
  { record: "yield response", target: YIELDS, fields: { curves: "list", unavailable: "boolean" } },
  {
    record: "country intel brief",
    target: BRIEF,
    fields: {
      countryCode: "text",
      countryName: "text",
      brief: "text",
      generatedAt: "instant",
      evidence: "list",
      model: "text",
    },
  },
  {
    record: "evidence of a country intel brief",
    target: BRIEF,
    at: ["evidence"],
    fields: { id: "text", kind: "text", label: "text", factText: "text", asOf: "text" },
  },
  {
    record: "internet traffic anomaly",
    target: "/api/infrastructure/v1/list-internet-traffic-anomalies",
    at: ["anomalies"],
    fields: { asn: "text", asnName: "text", locationCode: "text", latitude: "number", endDate: "instant" },
  },
  {
    record: "internet traffic anomalies, response",
    target: "/api/infrastructure/v1/list-internet-traffic-anomalies",
    fields: { totalCount: "integer" },
  },
  {
    record: "displacement summary",
    target: "/api/displacement/v1/get-displacement-summary",
    fields: { dataAvailable: "boolean", fetchedAt: "instant", summary: "map" },
  },
  {
    record: "summary of a displacement summary",
    target: "/api/displacement/v1/get-displacement-summary",
    at: ["summary"],
    fields: { year: "integer" },
  },
];

interface SchemaNode {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
}

/** The schema at this path; undefined if a member is not declared. */
function schemaAt(schema: SchemaNode | undefined, members: readonly string[]): SchemaNode | undefined {
  const node = schema?.items ?? schema;
  const [first, ...rest] = members;
  if (first === undefined) return schema;
  const [anyMember] = Object.values(node?.patternProperties ?? {});
  return schemaAt(first === "*" ? anyMember : node?.properties?.[first], rest);
}

/** Every value at this path; the path continues into each item of a list. */
function valuesAt(value: unknown, members: readonly string[]): readonly unknown[] {
  if (Array.isArray(value) && members.length > 0) return value.flatMap((item) => valuesAt(item, members));
  const [first, ...rest] = members;
  if (first === undefined) return [value];
  if (typeof value !== "object" || value === null) return [];
  if (first === "*") return Object.values(value).flatMap((member) => valuesAt(member, rest));
  return first in value ? valuesAt((value as Readonly<Record<string, unknown>>)[first], rest) : [];
}

/** The JSON Schema types with which a field of each kind may be declared. */
const declarations: Readonly<Record<Kind, readonly string[]>> = {
  text: ["string"],
  texts: ["array of string"],
  integer: ["integer"],
  // An integer schema is allowed too, because every integer is a number.
  number: ["number", "integer"],
  boolean: ["boolean"],
  instant: ["integer int64"],
  "ISO 8601": ["string"],
  day: ["string"],
  list: ["array of object"],
  map: ["object"],
};

function declarationOf(schema: SchemaNode | undefined): string {
  if (schema === undefined) return "nothing";
  if (schema.enum) return schema.enum.every((name) => typeof name === "string") ? "string" : "mixed";
  if (schema.type === "array") return `array of ${declarationOf(schema.items)}`;
  return schema.format === "int64" ? `${schema.type} int64` : (schema.type ?? "nothing");
}

const isText = (value: unknown): value is string => typeof value === "string";
const EARLIEST = Date.UTC(1947, 0);
const LATEST = Date.UTC(2027, 0);

const isOfKind: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: isText,
  texts: (value) => Array.isArray(value) && value.every(isText),
  integer: Number.isInteger,
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  // 0 is the documented end of an ongoing event, and the documented time of data that was never read.
  instant: (value) => value === 0 || (Number.isInteger(value) && Number(value) >= EARLIEST && Number(value) < LATEST),
  "ISO 8601": (value) => isText(value) && new Date(value).toISOString() === value,
  day: (value) => isText(value) && /^\d{4}-\d{2}-\d{2}$/.test(value),
  list: Array.isArray,
  map: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

const bodies = new Map<string, Promise<unknown>>();

/** The body of the answer to a target, which is requested only once. */
function answerOf(target: string): Promise<unknown> {
  const body = bodies.get(target) ?? bodyOf(stackOf(), target);
  bodies.set(target, body);
  return body;
}

const rows: readonly Sentence[] = tables.flatMap(({ record, target, at = [], fields }) =>
  Object.entries(fields).map(
    ([field, kind]): Sentence => ({
      place: `SPEC resources, ${record}`,
      sentence: `${field} is declared and served as ${kind}`,
      check: async () => {
        const [path] = target.split("?");
        const registered = stackOf().services.operations.find((operation) => operation.path === path);
        // A TypeBox schema is a JSON Schema.
        const schema = schemaAt(registered?.operation.response as SchemaNode | undefined, [...at, field]);
        expect(declarations[kind]).toContain(declarationOf(schema));
        const values = valuesAt(await answerOf(target), [...at, field]);
        expect(values.length).toBeGreaterThan(0);
        expect(values.filter((value) => !isOfKind[kind](value)).slice(0, 3)).toEqual([]);
      },
    }),
  ),
);

const enums: readonly Sentence[] = [
  {
    place: "SPEC resources, airport delay alert",
    sentence: "delayType includes FLIGHT_DELAY_TYPE_GROUND_STOP",
    check: () =>
      expect(declaredNames("/api/aviation/v1/list-airport-delays", ["alerts", "delayType"])).toContain(
        "FLIGHT_DELAY_TYPE_GROUND_STOP",
      ),
  },
  {
    place: "SPEC resources, climate anomaly",
    sentence: "`severity` is NORMAL, MODERATE or EXTREME",
    check: () =>
      expect(declaredNames(climate("list-climate-anomalies"), ["anomalies", "severity"])).toEqual([
        "ANOMALY_SEVERITY_NORMAL",
        "ANOMALY_SEVERITY_MODERATE",
        "ANOMALY_SEVERITY_EXTREME",
      ]),
  },
  {
    place: "SPEC resources, climate anomaly",
    sentence: "`type` includes ANOMALY_TYPE_WARM",
    check: () =>
      expect(declaredNames(climate("list-climate-anomalies"), ["anomalies", "type"])).toContain("ANOMALY_TYPE_WARM"),
  },
  {
    place: "SPEC resources, news digest",
    sentence: "feedStatuses has the values empty, timeout, all-undated and partial-undated",
    check: () =>
      expect([...declaredNames("/api/news/v1/list-feed-digest", ["feedStatuses", "*"])].sort()).toEqual([
        "all-undated",
        "empty",
        "partial-undated",
        "timeout",
      ]),
  },
];

/** The values that an answer's schema declares for an enum. */
function declaredNames(path: string, members: readonly string[]): readonly unknown[] {
  const registered = stackOf().services.operations.find((operation) => operation.path === path);
  return schemaAt(registered?.operation.response as SchemaNode | undefined, members)?.enum ?? [];
}

testSentences([...rows, ...enums]);
