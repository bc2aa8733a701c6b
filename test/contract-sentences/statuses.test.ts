import { afterAll, beforeAll, expect } from "vitest";
import type { PlanState } from "../../src/contract/access/plans.js";
import { HOUR_MS, MINUTE_MS } from "../../src/kit/clock.js";
import {
  type Headers,
  issueToken,
  keyOn,
  makeAccount,
  makeKey,
  openSession,
  probe,
  proProbe,
  setPlan,
} from "../support/callers.js";
import { refusedFields, type Sentence, sentHeaders, testSentences } from "../support/sentences.js";
import { call, json, type Stack, startStack } from "../support/stack.js";

/* Section 6 of NOTES.md: status, body and headers of every refusal, and data outages, which are not errors. */

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const BATCH = "/api/batch/v1/execute";
const PRO = proProbe.path;
const SECRET = "password of the upstream is hunter2";
const failing = probe("get-fault", {}, () => {
  throw new Error(SECRET);
});
const batchOf = (path: string) => ({ operations: [{ path }] });

/** A service without data: every dataset is absent. */
let stack: Stack;
/** A service whose account store becomes unavailable: one check closes its database. */
let down: Stack;
/** A service without upstream keys. */
let keyless: Stack;
let owner: Headers;
beforeAll(async () => {
  const operations = [proProbe, failing];
  [stack, down, keyless] = await Promise.all([
    startStack({ operations }),
    startStack({ operations }),
    startStack({ keyless: true }),
  ]);
  owner = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
}, 60_000);
afterAll(() => Promise.all([stack.close(), down.close(), keyless.close()]));

const get = (target: string, headers: Headers = owner) => stack.get(target, headers);

function post(body: string | object, headers: Headers = owner, on = stack) {
  const sent = { ...headers, "content-type": "application/json" };
  return call(on.answer, "POST", BATCH, sent, { body: typeof body === "string" ? body : JSON.stringify(body) });
}

/**
 * Creates an account whose plan is in this state. Returns two sets of headers, one with a key of the account and one
 * with a session.
 */
async function unpaid(state: PlanState): Promise<{ readonly key: Headers; readonly session: Headers }> {
  const account = await makeAccount(stack, "starter");
  const created = await makeKey(stack, account);
  const session = await openSession(stack, created);
  await setPlan(stack, account, "starter", state);
  return { key: { "x-service-key": created.key }, session: { "x-service-key": session } };
}

const refusals: readonly Sentence[] = [
  {
    place: "NOTES §6 400",
    sentence: "a bad parameter gets a 400 with {violations: [{field, description}]} and no-store",
    async check() {
      const answer = await get(`${CPI}?history=perhaps`);
      expect(refusedFields(answer)).toEqual(["history"]);
      expect(answer.headers["Cache-Control"]).toBe("no-store");
    },
  },
  {
    place: "NOTES §6 400",
    sentence: "a bad JSON body gets a 400 with {message}",
    async check() {
      const answer = await post("{");
      expect([answer.status, json(answer)]).toEqual([400, { message: "Invalid request body" }]);
    },
  },
  {
    place: "NOTES §6 400",
    sentence: "a bad jmespath gets a 400 with {_jmespath_error, original_keys}",
    async check() {
      const answer = await get(`${CPI}?jmespath=a%5B`);
      expect([answer.status, json(answer)]).toEqual([
        400,
        { _jmespath_error: expect.stringMatching(/./), original_keys: ["months", "unavailable"] },
      ]);
    },
  },
  {
    place: "NOTES §6 400",
    sentence: "a bad Idempotency-Key gets a 400 with {error, message}",
    async check() {
      const answer = await post(batchOf(CPI), { ...owner, "idempotency-key": "" });
      expect([answer.status, json(answer)]).toEqual([
        400,
        { error: "invalid_idempotency_key", message: expect.stringMatching(/./) },
      ]);
    },
  },
  {
    place: "NOTES §6 400, decision 0014",
    sentence: "a batch in a batch does not run, and its item has the error nested_batch",
    async check() {
      expect(json(await post(batchOf(BATCH)))).toEqual({
        results: [{ id: "0", status: 0, error: "nested_batch" }],
        succeeded: 0,
        failed: 1,
      });
    },
  },
  {
    place: "NOTES §6 403",
    sentence: "a key of an account without an active API plan gets a 403 with only {error}",
    async check() {
      const answer = await get(CPI, { "x-service-key": await keyOn(stack, "pro") });
      expect([answer.status, json(answer)]).toEqual([403, { error: expect.stringMatching(/./) }]);
      expect(answer.headers).not.toHaveProperty("X-Billing-Verification");
    },
  },
  {
    place: "NOTES §6 403",
    sentence: "a tier that is too low gets a 403 with {error, requiredTier, currentTier, planKey} and no code",
    async check() {
      const token = await issueToken(stack, await makeKey(stack, await makeAccount(stack, "free")));
      const answer = await get(PRO, { authorization: `Bearer ${token}` });
      expect([answer.status, json(answer)]).toEqual([
        403,
        { error: expect.stringMatching(/./), requiredTier: 1, currentTier: 0, planKey: "free" },
      ]);
    },
  },
  {
    place: "NOTES §6 403",
    sentence: "a lapsed subscription gets a 403 with X-Billing-Verification and without Retry-After",
    async check() {
      const { key, session } = await unpaid("lapsed");
      for (const answer of [await get(CPI, key), await get(PRO, session)]) {
        expect([answer.status, json(answer)]).toEqual([403, expect.objectContaining({ code: "subscription_lapsed" })]);
        expect(answer.headers["X-Billing-Verification"]).toBe("subscription_lapsed");
        expect(sentHeaders(answer)).not.toHaveProperty("Retry-After");
      }
    },
  },
  {
    place: "NOTES §6 403",
    sentence: "a renewal that is being verified gets a 403 with only {error, code, requiredTier}",
    async check() {
      const { session } = await unpaid("renewal-pending");
      const answer = await get(PRO, session);
      expect([answer.status, json(answer)]).toEqual([
        403,
        { error: expect.stringMatching(/./), code: "renewal_verification_pending", requiredTier: 1 },
      ]);
      expect(answer.headers).not.toHaveProperty("X-Billing-Verification");
    },
  },
  {
    place: "NOTES §6 404",
    sentence: "an unknown path gets a 404 with {error}, under /api and elsewhere",
    async check() {
      for (const path of ["/api/economic/v1/no-such", "/api/economic/v2/get-us-cpi-monthly", "/api", "/nowhere"]) {
        const answer = await get(path);
        expect([answer.status, json(answer)]).toEqual([404, { error: "Not found" }]);
      }
    },
  },
  {
    place: "NOTES §6 405",
    sentence: "a GET of a POST path gets a 405 with {error} and Allow",
    async check() {
      const answer = await get(BATCH);
      expect([answer.status, json(answer)]).toEqual([405, { error: "Method not allowed" }]);
      expect(answer.headers["Allow"]).toBe("POST, OPTIONS");
    },
  },
  {
    place: "NOTES §6 405",
    sentence: "a POST to a GET path gets a 405 whose Allow lists HEAD and GET",
    async check() {
      const answer = await call(stack.answer, "POST", CPI, owner);
      expect([answer.status, answer.headers["Allow"]]).toEqual([405, "GET, HEAD, OPTIONS"]);
    },
  },
  {
    place: "NOTES §6 413",
    sentence: "a body above 256 KiB gets a 413 with {error: payload_too_large}",
    async check() {
      const answer = await post(`{"operations":[]}`.padEnd(262_145));
      expect([answer.status, json(answer)]).toEqual([413, { error: "payload_too_large" }]);
      expect((await post(`{"operations":[]}`.padEnd(262_144))).status).toBe(400);
    },
  },
  {
    place: "NOTES §6 422",
    sentence: "an Idempotency-Key used with another body gets a 422 with {error, message} and no Retry-After",
    async check() {
      const headers = { ...owner, "idempotency-key": "reused" };
      expect((await post(batchOf(CPI), headers)).status).toBe(200);
      const answer = await post(batchOf(`${CPI}?history=false`), headers);
      expect([answer.status, json(answer)]).toEqual([
        422,
        { error: "idempotency_key_reused", message: expect.stringMatching(/./) },
      ]);
      expect(answer.headers["Idempotency-Key"]).toBe("reused");
      expect(sentHeaders(answer)).not.toHaveProperty("Retry-After");
    },
  },
  {
    place: "NOTES §6 500",
    sentence: "an unhandled error gets a 500 with {message} and without its cause, in a direct call and in a batch",
    async check() {
      const answer = await get(failing.path);
      expect([answer.status, json(answer)]).toEqual([500, { message: "Internal server error" }]);
      expect(JSON.stringify(answer)).not.toContain("hunter2");
      const batch = await post(batchOf(failing.path));
      expect(json(batch)).toMatchObject({ results: [{ status: 500, body: { message: "Internal server error" } }] });
      expect(String(batch.body)).not.toContain("hunter2");
    },
  },
  {
    place: "NOTES §6 503",
    sentence: "an unavailable account store gives a 503 with {error, message, code} and Retry-After 5",
    async check() {
      const { key } = await makeKey(down, await makeAccount(down, "starter"));
      await down.service.database.close();
      const answer = await down.get(PRO, { "x-service-key": key });
      expect([answer.status, json(answer)]).toEqual([
        503,
        {
          error: expect.stringMatching(/./),
          message: expect.stringMatching(/./),
          code: "entitlement_verification_unavailable",
        },
      ]);
      expect(answer.headers).toMatchObject({ "Retry-After": "5", "Cache-Control": "no-store" });
    },
  },
];

/**
 * Calls to make while the store is empty, each with the members that mark its body as empty. If no members are listed,
 * the body must be `{}`.
 */
const empty: readonly (readonly [target: string, marker: Readonly<Record<string, unknown>>])[] = [
  [CPI, { months: [], unavailable: true }],
  ["/api/economic/v1/get-us-treasury-par-yield-curve", { curves: [], unavailable: true }],
  ["/api/climate/v1/list-climate-news", { items: [], dataAvailable: false, fetchedAt: 0 }],
  ["/api/displacement/v1/get-displacement-summary", { dataAvailable: false, fetchedAt: 0 }],
  ["/api/climate/v1/list-climate-anomalies", { anomalies: [] }],
  ["/api/climate/v1/list-climate-disasters", { disasters: [] }],
  ["/api/climate/v1/get-co2-monitoring", {}],
  ["/api/climate/v1/get-ocean-ice-data", {}],
  ["/api/climate/v1/list-air-quality-data", { stations: [], fetchedAt: 0 }],
  ["/api/conflict/v1/list-alpha-events", { events: [] }],
  ["/api/conflict/v1/list-beta-events", { events: [] }],
  ["/api/conflict/v1/get-humanitarian-summary?country_code=UA", {}],
  ["/api/infrastructure/v1/list-internet-traffic-anomalies", { anomalies: [], totalCount: 0 }],
  ["/api/aviation/v1/list-airport-delays", { alerts: [] }],
  ["/api/aviation/v1/get-airport-ops-summary", { summaries: [] }],
  ["/api/aviation/v1/list-aviation-news", { items: [], source: "unavailable", updatedAt: 0 }],
  ["/api/intelligence/v1/get-country-intel-brief?country_code=UA", { brief: "", degraded: true }],
  ["/api/news/v1/list-feed-digest", { coverage: expect.objectContaining({ state: "unavailable", itemsServed: 0 }) }],
];

const QUERY = "origin=IST&destination=LHR";
/** Calls that need an upstream whose key is not set, each with the members that mark its body as empty. */
const unconfigured: readonly (readonly [target: string, marker: Readonly<Record<string, unknown>>])[] = [
  ["/api/aviation/v1/list-airport-flights?airport=IST", { flights: [], source: "unavailable" }],
  ["/api/aviation/v1/get-carrier-ops", { carriers: [], source: "unavailable" }],
  ["/api/aviation/v1/get-flight-status?flight_number=VG1&date=2026-11-18", { flights: [], source: "unavailable" }],
  [
    `/api/aviation/v1/search-flight-prices?${QUERY}&departure_date=2026-12-10`,
    { quotes: [], degraded: true, error: "missing_credentials" },
  ],
  [
    `/api/aviation/v1/search-provider-flights?${QUERY}&departure_date=2026-12-10`,
    { flights: [], degraded: true, error: expect.stringMatching(/./) },
  ],
  [
    `/api/aviation/v1/search-provider-dates?${QUERY}&start_date=2026-12-01&end_date=2026-12-02`,
    { dates: [], degraded: true, error: expect.stringMatching(/./) },
  ],
];

/** Calls to make while every upstream fails, each with the members that mark its body as empty. */
const failed: readonly (readonly [target: string, marker: Readonly<Record<string, unknown>>])[] = [
  ["/api/aviation/v1/list-airport-flights?airport=FRA", { flights: [], source: "error" }],
  ["/api/aviation/v1/get-carrier-ops?airports=FRA", { carriers: [], source: "error" }],
  ["/api/aviation/v1/get-flight-status?flight_number=VG2&date=2026-11-18", { flights: [], source: "error" }],
  ["/api/aviation/v1/track-aircraft?icao24=3c6444", { positions: [], source: "error" }],
  [
    `/api/aviation/v1/search-flight-prices?${QUERY}&departure_date=2026-12-11`,
    { quotes: [], degraded: true, error: "upstream_error" },
  ],
  [
    `/api/aviation/v1/search-provider-flights?${QUERY}&departure_date=2026-12-11`,
    { flights: [], degraded: true, error: expect.stringMatching(/./) },
  ],
  ["/api/aviation/v1/get-video-live-stream-info?video_id=VigilDemo-1", { title: "", error: "lookup_failed" }],
];

const pathOf = (target: string): string => target.replace(/\?.*/, "");

async function expectOutage(on: Stack, target: string, marker: object): Promise<void> {
  const answer = await on.get(target);
  const isEmpty = Object.keys(marker).length === 0;
  expect([answer.status, json(answer)]).toEqual([200, isEmpty ? {} : expect.objectContaining(marker)]);
  expect(answer.headers).toMatchObject({ "Cache-Control": "no-store", "X-Vigil-State": "absent" });
  expect(answer.headers).not.toHaveProperty("ETag");
}

const outages: readonly Sentence[] = [
  ...empty.map(
    ([target, marker]): Sentence => ({
      place: "NOTES §6 data outages, §8, §16.9",
      sentence: `without a snapshot, ${pathOf(target)} is an empty 200 with no-store`,
      check: () => expectOutage(stack, target, marker),
    }),
  ),
  ...unconfigured.map(
    ([target, marker]): Sentence => ({
      place: "NOTES §6 data outages, §16.9",
      sentence: `without a key for its upstream, ${pathOf(target)} is an empty 200 with no-store`,
      check: () => expectOutage(keyless, target, marker),
    }),
  ),
  ...failed.map(
    ([target, marker]): Sentence => ({
      place: "NOTES §6 data outages, §8, §16.9",
      sentence: `while its upstream fails, ${pathOf(target)} is an empty 200 with no-store`,
      async check() {
        stack.simulator.faults.set({ upstream: "*" }, { kind: "status", code: 500 });
        try {
          await expectOutage(stack, target, marker);
        } finally {
          stack.simulator.faults.clear();
          stack.clock.advance(5 * MINUTE_MS);
        }
      },
    }),
  ),
  {
    place: "NOTES §6 502",
    sentence: "a network failure of an upstream gives a degraded 200 instead of a 502",
    async check() {
      stack.clock.advance(HOUR_MS);
      stack.simulator.faults.set({ upstream: "*" }, { kind: "down" });
      try {
        const answer = await stack.get("/api/aviation/v1/list-airport-flights?airport=CDG");
        expect([answer.status, json(answer)]).toEqual([200, expect.objectContaining({ source: "error" })]);
      } finally {
        stack.simulator.faults.clear();
      }
    },
  },
];

testSentences([...refusals, ...outages]);
