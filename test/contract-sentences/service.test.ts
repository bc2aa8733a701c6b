import { describe, expect } from "vitest";
import { catalogue } from "../../src/contract/catalogue.js";
import { frameParametersOf } from "../../src/contract/frame-parameters.js";
import type { RegisteredOperation } from "../../src/contract/operation.js";
import { HOUR_MS } from "../../src/kit/clock.js";
import { loadServices } from "../../src/services/registry.js";
import { type Headers, keyOn } from "../support/callers.js";
import { resolvedIn } from "../support/references.js";
import { bodyOf, type Sentence, sharedStack, testSentences } from "../support/sentences.js";
import { call, json, NOON } from "../support/stack.js";

/* SPEC's sentences about conventions, versioning and events, and the sentences of RULINGS that concern all answers. */

const { groups: registeredGroups, operations, accountReads, linkedFeeds, writes, streams } = await loadServices();
/** Paths of the streams that the service adds to SPEC. */
const streamPaths: ReadonlySet<string> = new Set(streams.map(({ path }) => path));

/** Paths of the impact feed and of the write that rotates its link. Neither is in the contract. */
const FEED_PATHS = [
  "/api/company-monitoring/v1/get-company-event-feed",
  "/api/company-monitoring/v1/rotate-company-event-feed",
];
const CPI = "/api/economic/v1/get-us-cpi-monthly";
const NEWS = "/api/aviation/v1/list-aviation-news";
const AIR = "/api/climate/v1/list-air-quality-data";
const DELAYS = "/api/aviation/v1/list-airport-delays";
const CO2 = "/api/climate/v1/get-co2-monitoring";

const stackOf = sharedStack(["us-cpi", "aviation-news", "air-quality", "airport-delays"]);
const publicStackOf = sharedStack(["us-cpi", "aviation-news", "air-quality", "airport-delays"], {
  env: { VIGIL_PUBLIC_READS: "on" },
});

const owner = (): Headers => ({ "x-service-key": stackOf().service.access.ownerKey.key ?? "" });

/** The 33 service groups, in SPEC's order. */
const GROUPS =
  "Conflicts, Military, Unrest, Intelligence, Displacement, Cyber, Sanctions, Natural Disasters, Seismology, Climate, Wildfires, Radiation, Thermal, Economic, Markets, Trade, Supply Chain, Consumer Prices, Predictions, Forecasts, Aviation, Maritime, Infrastructure, Resilience, Public Health, Imagery, Webcams, News, Research, Positive Events, Giving, Batch, Leads".split(
    ", ",
  );

interface OpenApi {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly parameters: readonly object[]; readonly responses: object } }>
  >;
}

interface Catalogue {
  readonly groups: readonly { readonly name: string; readonly status: string; operations: { path: string }[] }[];
  readonly companyMonitoring: {
    readonly name: string;
    readonly status: string;
    readonly operations: readonly { readonly path: string }[];
  };
}

/** The paths of SPEC's endpoints, except those of company monitoring. */
const ENDPOINTS = [
  ...[
    "list-airport-delays",
    "get-airport-ops-summary",
    "list-airport-flights",
    "get-carrier-ops",
    "get-flight-status",
    "track-aircraft",
    "get-video-live-stream-info",
    "search-flight-prices",
    "list-aviation-news",
    "search-provider-flights",
    "search-provider-dates",
  ].map((rpc) => `/api/aviation/v1/${rpc}`),
  ...[
    "list-climate-anomalies",
    "list-climate-disasters",
    "get-co2-monitoring",
    "get-ocean-ice-data",
    "list-air-quality-data",
    "list-climate-news",
  ].map((rpc) => `/api/climate/v1/${rpc}`),
  ...["list-alpha-events", "list-beta-events", "get-humanitarian-summary"].map((rpc) => `/api/conflict/v1/${rpc}`),
  ...["get-us-cpi-monthly", "get-us-treasury-par-yield-curve"].map((rpc) => `/api/economic/v1/${rpc}`),
  "/api/news/v1/list-feed-digest",
  "/api/intelligence/v1/get-country-intel-brief",
  "/api/infrastructure/v1/list-internet-traffic-anomalies",
  "/api/displacement/v1/get-displacement-summary",
];

const conventions: readonly Sentence[] = [
  ...ENDPOINTS.map(
    (path): Sentence => ({
      place: "SPEC endpoints",
      sentence: `GET ${path} exists`,
      check: () => expect(operations.map((registered) => registered.path)).toContain(path),
    }),
  ),
  {
    place: "SPEC endpoints",
    sentence: "POST /api/batch/v1/execute exists",
    check: async () => {
      const { paths } = await bodyOf<{ paths: Readonly<Record<string, object>> }>(stackOf(), "/openapi.json", {});
      expect(Object.keys(paths["/api/batch/v1/execute"] ?? {})).toEqual(["post"]);
    },
  },
  {
    place: "SPEC convention 7, RULINGS 17 and 27",
    sentence: "the catalogue lists the 33 groups in SPEC's order",
    check: async () => {
      const { groups } = await bodyOf<Catalogue>(stackOf(), "/api/catalog");
      expect(groups.map(({ name }) => name)).toEqual(GROUPS);
      expect(GROUPS).toHaveLength(33);
    },
  },
  ...GROUPS.map(
    (name): Sentence => ({
      place: "RULINGS 17",
      sentence: `the group ${name} is served if it has operations, and otherwise planned`,
      check: () => {
        const group = catalogue(registeredGroups, {
          operations,
          accountReads: [],
          streams: [],
          linkedFeeds: [],
          writes,
        }).groups.find((candidate) => candidate.name === name);
        expect(["served", "planned"]).toContain(group?.status);
        expect(group?.operations.length === 0).toBe(group?.status === "planned");
      },
    }),
  ),
  {
    place: "RULINGS 17",
    sentence: "every operation is in exactly one group",
    check: async () => {
      const { groups } = await bodyOf<Catalogue>(stackOf(), "/api/catalog");
      const listed = groups.flatMap((group) => group.operations.map(({ path }) => path));
      const served = operations.map(({ path }) => path);
      expect(listed.filter((path) => path !== "/api/batch/v1/execute").sort()).toEqual(served.sort());
      expect(served).toEqual(expect.arrayContaining([...ENDPOINTS]));
    },
  },
  {
    place: "SPEC convention 7, RULINGS 27",
    sentence: "the catalogue lists company monitoring outside the groups, with the 10 operations of the contract",
    check: async () => {
      const { companyMonitoring } = await bodyOf<Catalogue>(stackOf(), "/api/catalog");
      const beside = new Set([...streamPaths, ...FEED_PATHS]);
      const ofContract = companyMonitoring.operations.filter(({ path }) => !beside.has(path));
      expect([companyMonitoring.name, ofContract.length]).toEqual(["Company Monitoring", 10]);
    },
  },
  {
    place: "SPEC versioning 1",
    sentence: "the contract version is 1.0.0",
    check: async () => {
      expect(await bodyOf(stackOf(), "/api/version")).toMatchObject({ contractVersion: "1.0.0" });
      expect(await bodyOf(stackOf(), "/openapi.json", {})).toMatchObject({ info: { version: "1.0.0" } });
    },
  },
  {
    place: "SPEC versioning 1",
    sentence: "every operation path has the version segment v1, and with v2 the path does not exist",
    check: async () => {
      const declared = [operations, accountReads, streams, linkedFeeds, writes].flat().map(({ path }) => path);
      // The path of the token endpoint is not in the contract.
      const paths = declared.filter((path) => path !== "/oauth/token");
      expect(paths).toEqual(expect.arrayContaining([...ENDPOINTS, "/api/batch/v1/execute"]));
      for (const path of paths) {
        expect(path).toMatch(/^\/api\/[a-z-]+\/v1\/[a-z0-9-]+$/);
        expect((await stackOf().get(path.replace("/v1/", "/v2/"))).status, path).toBe(404);
      }
    },
  },
  {
    place: "SPEC versioning 2",
    sentence: "the versioning policy is published, with its guarantees, notice periods and headers",
    check: async () => {
      const answer = await stackOf().get("/docs/versioning", {});
      expect(answer.status).toBe(200);
      for (const subject of [/What may change/, /breaking/, /six months/, /90\s+days/, /Deprecation/, /Sunset/]) {
        expect(String(answer.body)).toMatch(subject);
      }
    },
  },
  {
    place: "SPEC errors rule 3",
    sentence: "no GET operation documents 409 or 422",
    check: async () => {
      const { paths } = await bodyOf<OpenApi>(stackOf(), "/openapi.json", {});
      for (const path of ENDPOINTS) {
        const statuses = Object.keys(paths[path]?.get?.responses ?? {});
        expect(statuses).toContain("400");
        for (const status of ["409", "422"]) expect(statuses).not.toContain(status);
      }
    },
  },
  ...operations.map(
    ({ path, operation }): Sentence => ({
      place: "SPEC convention 3",
      sentence: `the parameters of ${path} are in snake_case, and the members of its answer in camelCase`,
      check: async () => {
        const document = await bodyOf<OpenApi>(stackOf(), "/openapi.json", {});
        const parameters = (document.paths[path]?.get?.parameters ?? [])
          .map((parameter) => resolvedIn(document, parameter) as { readonly name: string; readonly in: string })
          .filter((parameter) => parameter.in === "query");
        expect(parameters).toHaveLength(Object.keys(operation.query).length + 1 + frameParametersOf(operation).length);
        for (const { name } of parameters) {
          expect(name).toMatch(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/);
        }
        for (const name of membersOf(operation.response)) expect(name).toMatch(/^[a-z][A-Za-z0-9]*$/);
      },
    }),
  ),
  // Later contracts added groups with other rules for enums. The operations of those groups are left out.
  ...operations
    .filter(({ path }) => ENDPOINTS.includes(path))
    .flatMap(({ path, operation }) =>
      enumsOf(operation).map(
        ([parameter, values]): Sentence => ({
          place: "SPEC convention 6",
          sentence: `the values of the parameter ${parameter} of ${path} are upper-case names with a common prefix`,
          check: () => {
            const [prefix] = /^[A-Z]+_[A-Z]+_/.exec(values[0] ?? "") ?? [];
            for (const value of values) {
              expect(value).toMatch(/^[A-Z]+(?:_[A-Z]+)+$/);
              expect(value.startsWith(`${prefix}`), `${value} starts with ${prefix}`).toBe(true);
            }
          },
        }),
      ),
    ),
];

/** The parameters of an operation that are enums, with their values. ISO codes of languages are not enums. */
function enumsOf({ query }: RegisteredOperation["operation"]): readonly (readonly [string, readonly string[]])[] {
  return Object.entries<{ readonly schema: { readonly enum?: readonly string[] } }>(query)
    .map(([parameter, { schema }]) => [parameter, schema.enum ?? []] as const)
    .filter(([, values]) => values.some((value) => value.length > 2));
}

/** The names of all members in a schema, at every depth. */
function membersOf(node: unknown): readonly string[] {
  if (typeof node !== "object" || node === null) return [];
  const { properties = {}, items } = node as {
    readonly properties?: Readonly<Record<string, unknown>>;
    readonly items?: unknown;
  };
  return [...Object.keys(properties), ...Object.values(properties).flatMap(membersOf), ...membersOf(items)];
}

const tiers: Readonly<Record<string, readonly [path: string, maxAge: number, shared: number]>> = {
  fast: [AIR, 60, 300],
  slow: [NEWS, 300, 1_800],
  static: [DELAYS, 600, 3_600],
  daily: [CPI, 3_600, 14_400],
};

const caching: readonly Sentence[] = [
  ...[CPI, AIR].map(
    (path): Sentence => ({
      place: "RULINGS 7",
      sentence: `a data answer to a request with a credential is "private, no-cache" and has an ETag: ${path}`,
      check: async () => {
        const { headers } = await stackOf().get(path);
        expect([headers["X-Vigil-State"], headers["Cache-Control"]]).toEqual(["ok", "private, no-cache"]);
        expect(headers["ETag"]).toMatch(/^"[^"]+"$/);
      },
    }),
  ),
  {
    place: "RULINGS 7",
    sentence: "a 304 does not count against the daily limit",
    check: async () => {
      const headers = { "x-service-key": await keyOn(stackOf(), "starter") };
      const used = async (): Promise<number | undefined> =>
        (
          await bodyOf<{ limits: readonly { name: string; used: number }[] }>(
            stackOf(),
            "/api/account/v1/get-usage",
            headers,
          )
        ).limits.find(({ name }) => name === "daily")?.used;
      const { headers: sent } = await stackOf().get(CPI, headers);
      const before = await used();
      const conditional = await stackOf().get(CPI, { ...headers, "if-none-match": sent["ETag"] ?? "" });
      expect([conditional.status, conditional.body, await used()]).toEqual([304, undefined, before]);
    },
  },
  {
    place: "RULINGS 7",
    sentence: "a 304 is always current: after new content the old ETag gets a 200",
    check: async () => {
      const { headers } = await stackOf().get(NEWS);
      const conditional = { ...owner(), "if-none-match": headers["ETag"] ?? "" };
      expect((await stackOf().get(NEWS, conditional)).status).toBe(304);
      // At 14:00, the simulated publishers add items.
      stackOf().clock.advance(3 * HOUR_MS);
      await stackOf().run("aviation-news");
      expect((await stackOf().get(NEWS, conditional)).status).toBe(200);
    },
  },
  ...Object.entries(tiers).map(
    ([tier, [path, maxAge, shared]]): Sentence => ({
      place: "RULINGS 7",
      sentence: `a public read of the cache tier ${tier} may be cached for the tier's time, but not beyond the next build`,
      check: async () => {
        const { headers } = await publicStackOf().get(path, {});
        if (headers["X-Vigil-State"] !== "ok") throw new Error(`${path} is ${headers["X-Vigil-State"]}`);
        const [, ownAge, ownShared] =
          /^public, max-age=(\d+), s-maxage=(\d+), stale-while-revalidate=\d+$/.exec(headers["Cache-Control"] ?? "") ??
          [];
        expect(Number(ownAge)).toBeLessThanOrEqual(maxAge);
        expect(Number(ownShared)).toBeLessThanOrEqual(shared);
        const { datasets } = await bodyOf<{ datasets: readonly { name: string; nextAt: number | null }[] }>(
          publicStackOf(),
          "/api/health",
        );
        const name = /^([a-z-]+)=/.exec(headers["X-Vigil-Generation"] ?? "")?.[1];
        const nextAt = datasets.find((dataset) => dataset.name === name)?.nextAt ?? Number.NaN;
        expect(Number(ownShared) * 1_000).toBeLessThanOrEqual(nextAt - NOON);
      },
    }),
  ),
  ...[CPI, AIR, NEWS, DELAYS].map(
    (path): Sentence => ({
      place: "RULINGS 7",
      sentence: `neither public nor private answers have Age or stale-if-error: ${path}`,
      check: async () => {
        for (const answer of [await stackOf().get(path), await publicStackOf().get(path, {})]) {
          expect(answer.headers).not.toHaveProperty("Age");
          expect(answer.headers["Cache-Control"]).not.toContain("stale-if-error");
        }
      },
    }),
  ),
  {
    place: "RULINGS 7",
    sentence: "degraded answers are no-store, including those to public reads",
    check: async () => {
      for (const answer of [await stackOf().get(CO2), await publicStackOf().get(CO2, {})]) {
        expect([answer.headers["X-Vigil-State"], answer.headers["Cache-Control"]]).toEqual(["absent", "no-store"]);
        expect(answer.headers).not.toHaveProperty("ETag");
      }
    },
  },
  {
    place: "RULINGS 8",
    sentence: "the ETag is the same for every caller with equal rights",
    check: async () => {
      const tagOf = async (headers: Headers): Promise<string | undefined> =>
        (await stackOf().get(CPI, headers)).headers["ETag"];
      const tags = [await tagOf(owner())];
      for (const plan of ["starter", "business"] as const) {
        tags.push(await tagOf({ "x-service-key": await keyOn(stackOf(), plan) }));
      }
      expect(new Set(tags).size).toBe(1);
    },
  },
  {
    place: "RULINGS 8",
    sentence: "the ETag does not depend on the node: it is the same after a restart on the same store",
    check: async () => {
      const before = (await stackOf().get(CPI)).headers["ETag"];
      await stackOf().restart();
      expect((await stackOf().get(CPI)).headers["ETag"]).toBe(before);
    },
  },
  {
    place: "RULINGS 8",
    sentence: "the ETag is made from the canonical query, so every spelling of a query has the same ETag",
    check: async () => {
      const tagOf = async (query: string): Promise<string | undefined> =>
        (await stackOf().get(CPI + query)).headers["ETag"];
      const plain = await tagOf("");
      for (const query of ["?", "?history=false", "?history=0", "?unknown=1", "?jmespath="]) {
        expect(await tagOf(query)).toBe(plain);
      }
      for (const query of ["?history=true", "?jmespath=months"]) expect(await tagOf(query)).not.toBe(plain);
    },
  },
  {
    place: "RULINGS 8",
    sentence: "the ETag differs between content encodings",
    check: async () => {
      const target = `${CPI}?history=true`;
      const tags = await Promise.all(
        ["identity", "gzip, identity;q=0", "br, identity;q=0"].map(
          async (encoding) =>
            (await stackOf().get(target, { ...owner(), "accept-encoding": encoding })).headers["ETag"],
        ),
      );
      expect(tags.every((tag) => /^"[^"]+"$/.test(tag ?? ""))).toBe(true);
      expect(new Set(tags).size).toBe(3);
    },
  },
  {
    place: "RULINGS 8",
    sentence: "Vary is Accept, Accept-Encoding, Origin",
    check: async () => {
      for (const path of [CPI, AIR, NEWS, DELAYS]) {
        expect((await stackOf().get(path)).headers["Vary"]).toBe("Accept, Accept-Encoding, Origin");
      }
    },
  },
  ...[
    "ETag",
    "RateLimit",
    "RateLimit-Policy",
    "X-Vigil-State",
    "X-Vigil-Generation",
    "X-Vigil-Data",
    "X-Request-Id",
  ].map(
    (name): Sentence => ({
      place: "RULINGS 8",
      sentence: `${name} is exposed to browsers`,
      check: async () => {
        const { headers } = await stackOf().get(CPI, { ...owner(), origin: "http://127.0.0.1:8787" });
        expect(headers["Access-Control-Expose-Headers"]?.split(", ")).toContain(name);
      },
    }),
  ),
  {
    place: "RULINGS 15",
    sentence: "HEAD has the same ETag and Content-Length as GET",
    check: async () => {
      const plain = await stackOf().get(CPI);
      const head = await call(stackOf().answer, "HEAD", CPI, owner());
      expect([head.status, head.headers["ETag"], head.headers["Content-Length"]]).toEqual([
        200,
        plain.headers["ETag"],
        plain.headers["Content-Length"],
      ]);
    },
  },
  ...[
    "/",
    "/livez",
    "/readyz",
    "/docs",
    "/docs/versioning",
    "/openapi.json",
    "/llms.txt",
    "/metrics",
    "/api/health",
    "/api/version",
    "/api/datasets",
    "/api/catalog",
    "/api/account/v1/get-account",
  ].flatMap((path): Sentence[] => [
    {
      place: "RULINGS 15",
      sentence: `HEAD gets a 200 with the headers of GET: ${path}`,
      check: async () => {
        const plain = await stackOf().get(path);
        const head = await call(stackOf().answer, "HEAD", path, owner());
        expect([plain.status, head.status, head.headers]).toEqual([200, 200, plain.headers]);
      },
    },
    {
      place: "RULINGS 22",
      sentence: `every answer of a demo is labelled as simulated: ${path}`,
      check: async () => expect((await stackOf().get(path)).headers["X-Vigil-Data"]).toBe("simulated"),
    },
  ]),
  {
    place: "RULINGS 22",
    sentence: "in a demo, a 304 and the answers to a preflight and a HEAD request are labelled as simulated",
    check: async () => {
      const { headers } = await stackOf().get(CPI);
      const answers = [
        await call(stackOf().answer, "OPTIONS", CPI, {}),
        await call(stackOf().answer, "HEAD", CPI, owner()),
        await stackOf().get(CPI, { ...owner(), "if-none-match": headers["ETag"] ?? "" }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([204, 200, 304]);
      for (const answer of answers) expect(answer.headers["X-Vigil-Data"]).toBe("simulated");
    },
  },
  ...[
    [DELAYS, "region=AIRPORT_REGION_MENA&min_severity=FLIGHT_DELAY_SEVERITY_MAJOR"],
    ["/api/climate/v1/list-climate-anomalies", "min_severity=ANOMALY_SEVERITY_EXTREME"],
    ["/api/conflict/v1/list-alpha-events", "page_size=7&cursor=anything"],
  ].map(
    ([path = "", query]): Sentence => ({
      place: "RULINGS 8 and 21",
      sentence: `ignored parameters have no effect on the answer: ${path}?${query}`,
      check: async () => {
        const [plain, ignored] = [await stackOf().get(path), await stackOf().get(`${path}?${query}`)];
        expect([ignored.status, ignored.headers["ETag"], String(ignored.body)]).toEqual([
          200,
          plain.headers["ETag"],
          String(plain.body),
        ]);
      },
    }),
  ),
  {
    place: "RULINGS 15",
    sentence: "problem details are sent only if Accept requests them",
    check: async () => {
      const typeOf = async (accept: string): Promise<string | undefined> =>
        (await stackOf().get(`${CPI}?history=x`, { ...owner(), accept })).headers["Content-Type"];
      expect(await typeOf("application/problem+json")).toMatch(/^application\/problem\+json/);
      for (const accept of ["*/*", "application/json", "text/html"]) {
        expect(await typeOf(accept)).toMatch(/^application\/json/);
      }
    },
  },
];

const events: readonly Sentence[] = [
  {
    place: "SPEC events 1",
    sentence: "SPEC describes no webhook, push or streaming path; /openapi.json lists only those that the service adds",
    check: async () => {
      const { paths } = await bodyOf<{ paths: Readonly<Record<string, object>> }>(stackOf(), "/openapi.json", {});
      const pushing = Object.keys(paths).filter((path) => /webhook|stream(?!-info)|subscribe|push/.test(path));
      const declared = pushing.filter((path) => streamPaths.has(path) || path.startsWith("/api/webhooks/"));
      expect(pushing).toEqual(declared);
      expect(pushing.filter((path) => ENDPOINTS.includes(path))).toEqual([]);
    },
  },
  {
    place: "RULINGS 14",
    sentence: "an answer with a secret is never stored, so creating a key ignores Idempotency-Key",
    check: async () => {
      const headers = { ...owner(), "content-type": "application/json", "idempotency-key": "secret" };
      const make = () =>
        call(stackOf().answer, "POST", "/api/account/v1/create-key", headers, {
          body: JSON.stringify({ name: "made", scopes: ["read"] }),
        });
      const [first, second] = [await make(), await make()];
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(String(first.body)).not.toBe(String(second.body));
      expect(second.headers).not.toHaveProperty("Idempotent-Replayed");
      expect(json(first)).toHaveProperty("key");
    },
  },
];

describe("conventions", () => testSentences(conventions));
describe("caching", () => testSentences(caching));
describe("events and writes", () => testSentences(events));
