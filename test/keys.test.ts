import { describe, expect, test } from "vitest";
import { type AnyOnDemand, sourcesOf } from "../src/contract/on-demand.js";
import type { AnyDataset } from "../src/contract/product.js";
import type { AnySource } from "../src/contract/source.js";
import type { Services } from "../src/services/registry.js";
import { json, type Stack, type StackOptions, startStack } from "./support/stack.js";

type Json = Readonly<Record<string, unknown>>;
type Env = Readonly<Record<string, string>>;

/** A way in which a key fails: an environment with a bad key, or a status that the upstream returns for a good key. */
interface Trouble {
  readonly name: string;
  readonly env?: Env;
  readonly status?: number;
}

/** A key: the sources that use it, its upstream, and the ways in which the upstream reports that the key fails. */
interface Keyed {
  readonly sources: readonly string[];
  readonly variables: readonly [string, ...string[]];
  readonly upstream: string;
  /** If set, only requests with this string in their URL fail. */
  readonly match?: string;
  /** Environments that make the upstream report the failure in its own form, sometimes with status 200. */
  readonly own: { readonly wrong?: Env; readonly spent?: Env };
  /** The statuses with which the upstream refuses the key; by default 401, 403 and 429. */
  readonly statuses?: readonly number[];
}

interface StoredKey extends Keyed {
  readonly dataset: string;
  readonly part: string;
  readonly path: string;
  /** Without the key: the state of the part, and the state and body of the answer. */
  readonly absent: { readonly part: string; readonly state: string; readonly body: Json };
  /** The same values if the key fails. */
  readonly refused: { readonly part: string; readonly state: string; readonly body: Json };
  /** The same values if the upstream denies data to a known account with a 403. Default: those in `refused`. */
  readonly denied?: StoredKey["refused"];
}

interface OnDemandKey extends Keyed {
  readonly path: string;
  readonly read: string;
  readonly absent: Json;
  readonly refused: Json;
  /** The key is optional: without it, the upstream is still requested. */
  readonly isOptional?: true;
}

const unknownAirports = { alerts: expect.arrayContaining([expect.objectContaining({ id: "unknown-LHR" })]) };
const events = (prefix: string): Json => ({
  events: expect.arrayContaining([expect.objectContaining({ id: expect.stringMatching(`^${prefix}-`) })]),
});

const stored: readonly StoredKey[] = [
  {
    sources: ["aviationstack-departures"],
    variables: ["AVIATIONSTACK_API"],
    upstream: "aviationstack",
    own: { wrong: { AVIATIONSTACK_API: "wrong" }, spent: { AVIATIONSTACK_API: "spent" } },
    dataset: "airport-delays",
    part: "departures",
    path: "/api/aviation/v1/list-airport-delays",
    absent: { part: "off", state: "ok", body: unknownAirports },
    refused: { part: "missing", state: "partial", body: unknownAirports },
  },
  {
    sources: ["icao-notams"],
    variables: ["ICAO_API_KEY"],
    upstream: "icao-notams",
    own: { wrong: { ICAO_API_KEY: "wrong" }, spent: { ICAO_API_KEY: "spent" } },
    dataset: "airport-delays",
    part: "notams",
    path: "/api/aviation/v1/get-airport-ops-summary?airports=KRT",
    // NOTAMs close Khartoum's airport, which no other source covers, so its row depends on this key.
    absent: { part: "off", state: "ok", body: { summaries: [expect.objectContaining({ source: "unknown" })] } },
    refused: {
      part: "missing",
      state: "partial",
      body: { summaries: [expect.objectContaining({ source: "unknown" })] },
    },
  },
  {
    sources: ["acled"],
    variables: ["ACLED_EMAIL", "ACLED_PASSWORD"],
    upstream: "acled",
    match: "acled/read",
    own: { wrong: { ACLED_PASSWORD: "wrong" }, spent: { ACLED_EMAIL: "spent@acled.example" } },
    dataset: "alpha-events",
    part: "acled",
    path: "/api/conflict/v1/list-alpha-events",
    absent: { part: "off", state: "ok", body: events("gdelt") },
    refused: { part: "missing", state: "partial", body: events("gdelt") },
    denied: { part: "off", state: "ok", body: events("gdelt") },
  },
  {
    sources: ["ucdp-annual-token"],
    variables: ["UCDP_ACCESS_TOKEN"],
    upstream: "ucdp",
    match: "gedevents/26.1",
    own: { wrong: { UCDP_ACCESS_TOKEN: "wrong" } },
    dataset: "beta-events",
    part: "annual",
    path: "/api/conflict/v1/list-beta-events",
    absent: { part: "fresh", state: "ok", body: events("ucdp") },
    refused: { part: "fresh", state: "ok", body: events("ucdp") },
  },
  {
    sources: ["ucdp-candidate-token"],
    variables: ["UCDP_ACCESS_TOKEN"],
    upstream: "ucdp",
    match: "gedevents/26.0",
    own: { wrong: { UCDP_ACCESS_TOKEN: "wrong" } },
    // The first key of this variable is tested with the other statuses.
    statuses: [401],
    dataset: "beta-events",
    part: "candidate",
    path: "/api/conflict/v1/list-beta-events",
    absent: { part: "fresh", state: "ok", body: events("ucdp") },
    refused: { part: "fresh", state: "ok", body: events("ucdp") },
  },
  {
    sources: ["hdx-hapi-conflict-events"],
    variables: ["HDX_HAPI_APP_IDENTIFIER"],
    upstream: "hapi.humdata.org",
    own: { wrong: { HDX_HAPI_APP_IDENTIFIER: "wrong" }, spent: { HDX_HAPI_APP_IDENTIFIER: "spent" } },
    dataset: "humanitarian-summary",
    part: "months",
    path: "/api/conflict/v1/get-humanitarian-summary?country_code=SD",
    // Without the API, HDX's CSV files are read instead.
    absent: { part: "fresh", state: "ok", body: { summary: expect.objectContaining({ countryCode: "SD" }) } },
    refused: { part: "fresh", state: "ok", body: { summary: expect.objectContaining({ countryCode: "SD" }) } },
  },
];

const schedule = {
  sources: ["aviationstack"],
  variables: ["AVIATIONSTACK_API"] as const,
  upstream: "aviationstack",
  own: { wrong: { AVIATIONSTACK_API: "wrong" }, spent: { AVIATIONSTACK_API: "spent" } },
};
const travelpayouts = {
  variables: ["TRAVELPAYOUTS_API_TOKEN"] as const,
  upstream: "travelpayouts",
  own: { wrong: { TRAVELPAYOUTS_API_TOKEN: "wrong" }, spent: { TRAVELPAYOUTS_API_TOKEN: "spent" } },
};
const noPrices = { degraded: true, isIndicative: false, quotes: [], updatedAt: 0 };
const DATES = "search-provider-dates?origin=IST&destination=LHR&start_date=2026-12-01&end_date=2026-12-20";
const datesAnswers = {
  absent: { dates: [], degraded: true, error: expect.stringContaining("TRAVELPAYOUTS_API_TOKEN") },
  refused: { dates: [], degraded: true, error: "the provider of prices by date could not be reached" },
};

const onDemand: readonly OnDemandKey[] = [
  {
    ...schedule,
    read: "airport page",
    path: "list-airport-flights?airport=IST",
    absent: { flights: [], source: "unavailable", totalAvailable: 0, updatedAt: 0 },
    refused: { flights: [], source: "error", totalAvailable: 0, updatedAt: 0 },
  },
  {
    ...schedule,
    read: "one flight",
    path: "get-flight-status?flight_number=VG1001&date=2026-11-18",
    absent: { flights: [], source: "unavailable", cacheHit: false },
    refused: { flights: [], source: "error", cacheHit: false },
  },
  {
    ...schedule,
    read: "airport page",
    path: "get-carrier-ops?airports=LHR,FRA",
    absent: { carriers: [], source: "unavailable", updatedAt: 0 },
    refused: { carriers: [], source: "error", updatedAt: 0 },
  },
  {
    ...travelpayouts,
    sources: ["travelpayouts-day", "travelpayouts-latest"],
    read: "flight prices",
    path: "search-flight-prices?origin=IST&destination=LHR&departure_date=2026-12-10",
    absent: { ...noPrices, error: "missing_credentials" },
    refused: { ...noPrices, error: "upstream_error" },
  },
  {
    ...travelpayouts,
    sources: ["travelpayouts-month"],
    read: "prices by date",
    path: DATES,
    ...datesAnswers,
  },
  {
    ...travelpayouts,
    sources: ["travelpayouts-calendar"],
    read: "prices by date",
    path: `${DATES}&is_round_trip=true&trip_duration=7`,
    ...datesAnswers,
  },
  {
    sources: ["duffel"],
    variables: ["DUFFEL_API_TOKEN"],
    upstream: "duffel",
    read: "flight offers",
    own: { wrong: { DUFFEL_API_TOKEN: "wrong" }, spent: { DUFFEL_API_TOKEN: "spent" } },
    path: "search-provider-flights?origin=IST&destination=LHR&departure_date=2026-12-10",
    absent: { degraded: true, error: expect.stringContaining("DUFFEL_API_TOKEN"), flights: [] },
    refused: { degraded: true, error: "the provider of flight offers could not be reached", flights: [] },
  },
  {
    sources: ["opensky"],
    variables: ["OPENSKY_CLIENT_ID", "OPENSKY_CLIENT_SECRET"],
    upstream: "opensky",
    // Only requests for positions fail. If the token endpoint also refused the account, the requests for positions
    // would be sent without a token.
    match: "states/all",
    read: "aircraft in a box",
    own: {},
    path: "track-aircraft?sw_lat=40&sw_lon=-10&ne_lat=60&ne_lon=20",
    isOptional: true,
    absent: { source: "simulated" },
    refused: { positions: [], source: "error", updatedAt: 0 },
  },
];

const troublesOf = ({ own, statuses = [401, 403, 429] }: Keyed): readonly Trouble[] => [
  ...statuses.map((status) => ({ name: `refused with ${status}`, status })),
  ...(own.wrong ? [{ name: "wrong, as the upstream itself reports it", env: own.wrong }] : []),
  ...(own.spent ? [{ name: "over its quota, as the upstream itself reports it", env: own.spent }] : []),
];

async function withStack<T>(options: StackOptions, run: (stack: Stack) => Promise<T>): Promise<T> {
  const stack = await startStack(options);
  try {
    return await run(stack);
  } finally {
    await stack.close();
  }
}

function strike(stack: Stack, { upstream, match }: Keyed, { status }: Trouble): void {
  if (status === undefined) return;
  const selector = { upstream, ...(match !== undefined && { match }) };
  stack.simulator.faults.set(selector, { kind: "status", code: status });
}

interface Health {
  readonly settings: readonly { readonly variable: string; readonly isSet: boolean; readonly sources: string[] }[];
  readonly datasets: readonly {
    readonly name: string;
    readonly parts: readonly (Json & { readonly name: string })[];
  }[];
  readonly onDemand: readonly (Json & { readonly name: string })[];
}

const healthOf = async (stack: Stack): Promise<Health> => json(await stack.get("/api/health")) as Health;

/** Expects health to report for each variable whether it is set and which sources use it. */
function expectSettings({ settings }: Health, { variables, sources }: Keyed, isSet: boolean): void {
  for (const variable of variables) {
    const setting = settings.find((candidate) => candidate.variable === variable);
    expect(setting).toMatchObject({ isSet });
    expect(setting?.sources).toEqual(expect.arrayContaining([...sources]));
  }
}

describe.each(stored)("the stored dataset $dataset with the key of $sources", (keyed) => {
  const { dataset, part, path, variables, absent, refused, denied = refused } = keyed;

  async function expectAnswer(stack: Stack, expected: StoredKey["absent"]): Promise<Json | undefined> {
    expect((await stack.run(dataset)).outcome).toBe("published");
    const answer = await stack.get(path);
    expect(answer.headers["X-Vigil-State"]).toBe(expected.state);
    expect(json(answer)).toMatchObject(expected.body);
    const health = await healthOf(stack);
    const partHealth = health.datasets.find(({ name }) => name === dataset)?.parts.find(({ name }) => name === part);
    expect(partHealth).toMatchObject({ state: expected.part });
    return partHealth;
  }

  test("has the documented answer if the key is absent", () =>
    withStack({ datasets: [dataset], keyless: true }, async (stack) => {
      const partHealth = await expectAnswer(stack, absent);
      if (absent.part === "off") expect(partHealth?.["error"]).toContain(variables[0]);
      expectSettings(await healthOf(stack), keyed, false);
    }));

  test.each(troublesOf(keyed))("has the documented answer if the key is $name", (trouble) =>
    withStack({ datasets: [dataset], ...(trouble.env && { env: trouble.env }) }, async (stack) => {
      strike(stack, keyed, trouble);
      const partHealth = await expectAnswer(stack, trouble.status === 403 ? denied : refused);
      const sentence = `${partHealth?.["error"] ?? ""}${partHealth?.["passedOver"] ?? ""}`;
      for (const variable of variables) expect(sentence).toContain(variable);
      expectSettings(await healthOf(stack), keyed, true);
    }),
  );
});

describe.each(onDemand)("the on-demand answer $path with the key of $sources", (keyed) => {
  const { path, read, variables, absent, refused, isOptional = false } = keyed;

  async function expectAnswer(stack: Stack, expected: Json, state: string): Promise<string> {
    const answer = await stack.get(`/api/aviation/v1/${path}`);
    expect(json(answer)).toMatchObject(expected);
    expect(answer.headers).toMatchObject({ "X-Vigil-State": state });
    if (state === "absent") expect(answer.headers["Cache-Control"]).toBe("no-store");
    return String((await healthOf(stack)).onDemand.find(({ name }) => name === read)?.["error"]);
  }

  test("is the documented one if the key is absent", () =>
    withStack({ datasets: [], keyless: true }, async (stack) => {
      const error = await expectAnswer(stack, absent, isOptional ? "ok" : "absent");
      if (!isOptional) expect(error).toContain(variables[0]);
      expect(stack.simulator.requests.list()).toHaveLength(isOptional ? 1 : 0);
      expectSettings(await healthOf(stack), keyed, false);
    }));

  test.each(troublesOf(keyed))("is the documented one if the key is $name", (trouble) =>
    withStack({ datasets: [], ...(trouble.env && { env: trouble.env }) }, async (stack) => {
      strike(stack, keyed, trouble);
      const error = await expectAnswer(stack, refused, "absent");
      for (const variable of variables) expect(error).toContain(variable);
      expectSettings(await healthOf(stack), keyed, true);
    }),
  );
});

test("the key tests cover every keyed source of aviation and conflict", () =>
  withStack({}, async ({ services }) => {
    const keyed = sourcesFor(services, ["aviation", "conflict"]).filter(({ credentials }) => credentials.length > 0);
    const tested = [...stored, ...onDemand];
    expect(new Set(tested.flatMap(({ sources }) => sources))).toEqual(new Set(keyed.map(({ id }) => id)));
    for (const { id, credentials } of keyed) {
      const variables = tested.find(({ sources }) => sources.includes(id))?.variables;
      expect(variables).toEqual(credentials.map(({ variable }) => variable));
    }
  }));

/** The sources of all stored and on-demand reads in these service groups. */
function sourcesFor({ operations }: Services, groups: readonly string[]): readonly AnySource[] {
  return operations
    .filter(({ service }) => groups.includes(service))
    .flatMap(({ operation }) => [
      ...Object.values(operation.reads as Record<string, AnyDataset>).flatMap((dataset) =>
        dataset.kind === "collection" ? Object.values(dataset.parts).flatMap((part) => part.sources) : [],
      ),
      ...Object.values((operation.fetches ?? {}) as Record<string, AnyOnDemand<never>>).flatMap(sourcesOf),
    ]);
}
