import { afterAll, beforeAll, expect } from "vitest";
import type { IdentifiedAnswer } from "../../src/http/exchange.js";
import { MINUTE_MS } from "../../src/kit/clock.js";
import { type Headers, keyOn, makeAccount, makeKey, openSession } from "../support/callers.js";
import { refusedFields, type Sentence, sentHeaders, testSentences } from "../support/sentences.js";
import { call, json, type Stack, startStack } from "../support/stack.js";

/*
 * Section 1 of NOTES.md: the order of the steps that process a request. If a request has two errors, the answer
 * reports the error of the earlier step.
 */

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const FLIGHTS = "/api/aviation/v1/list-airport-flights?airport=IST";
const BRIEF = "/api/intelligence/v1/get-country-intel-brief";
const UNKNOWN = "/api/economic/v1/no-such-operation";
const BATCH = "/api/batch/v1/execute";
const FOREIGN = { origin: "https://elsewhere.example" };
const OWN_ORIGIN = "http://127.0.0.1:8787";
const oneItem = { operations: [{ path: CPI }] };

let stack: Stack;
let owner: Headers;
let free: Headers;
let pro: Headers;
beforeAll(async () => {
  const limits =
    "starter-minute=1,starter-day=1,business-minute=1,business-day=100,brief-business-day=1,batch-execute=1";
  stack = await startStack({ env: { VIGIL_LIMITS: limits } });
  owner = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
  free = { "x-service-key": await keyOn(stack, "free") };
  pro = { "x-service-key": await openSession(stack, await makeKey(stack, await makeAccount(stack, "free"))) };
  await stack.run("us-cpi");
}, 60_000);
afterAll(() => stack.close());

const ask = (method: string, target: string, headers: Headers = owner): Promise<IdentifiedAnswer> =>
  call(stack.answer, method, target, headers);
const get = (target: string, headers: Headers = owner) => ask("GET", target, headers);

function post(body: unknown, headers: Headers = owner, target = BATCH): Promise<IdentifiedAnswer> {
  const sent = typeof body === "string" ? body : JSON.stringify(body);
  return call(stack.answer, "POST", target, { ...headers, "content-type": "application/json" }, { body: sent });
}

/** Creates an account with unused limits, and returns the headers with its key. */
const fresh = async (plan: "starter" | "business"): Promise<Headers> => ({ "x-service-key": await keyOn(stack, plan) });

const refusal = (answer: IdentifiedAnswer) => [answer.status, json(answer)];

const sentences: readonly Sentence[] = [
  {
    place: "NOTES §1.1",
    sentence: "an origin that is not allowed is refused before a preflight is answered",
    async check() {
      expect(refusal(await ask("OPTIONS", CPI, FOREIGN))).toEqual([403, { error: "Origin not allowed" }]);
    },
  },
  {
    place: "NOTES §1.1",
    sentence: "an origin that is not allowed is refused before a missing credential",
    async check() {
      expect(refusal(await get(CPI, FOREIGN))).toEqual([403, { error: "Origin not allowed" }]);
    },
  },
  {
    place: "NOTES §1.1",
    sentence: "an origin that is not allowed is refused before an unknown path and before a batch",
    async check() {
      expect((await get(UNKNOWN, { ...owner, ...FOREIGN })).status).toBe(403);
      expect((await post(oneItem, { ...owner, ...FOREIGN })).status).toBe(403);
    },
  },
  {
    place: "NOTES §1.2",
    sentence: "CORS headers are computed before anything else can fail, so that errors carry them",
    async check() {
      const origin = { origin: OWN_ORIGIN };
      const answers = [await get(CPI, origin), await get(UNKNOWN, { ...owner, ...origin })];
      expect(answers.map(({ status }) => status)).toEqual([401, 404]);
      for (const { headers } of answers) expect(headers["Access-Control-Allow-Origin"]).toBe(OWN_ORIGIN);
    },
  },
  {
    place: "NOTES §1.3",
    sentence: "a preflight is answered with 204 before the route is looked up",
    async check() {
      const answer = await ask("OPTIONS", UNKNOWN, {});
      expect([answer.status, answer.body]).toEqual([204, undefined]);
    },
  },
  {
    place: "NOTES §1.3",
    sentence: "a preflight of a POST is answered with 204 before method and credential are checked",
    async check() {
      const answer = await ask("OPTIONS", BATCH, { origin: OWN_ORIGIN, "x-service-key": "wrong" });
      expect([answer.status, answer.body]).toEqual([204, undefined]);
      expect(answer.headers["Access-Control-Allow-Origin"]).toBe(OWN_ORIGIN);
    },
  },
  {
    place: "NOTES §1.4",
    sentence: "a missing credential is refused before the tier of an operation is checked",
    async check() {
      expect(refusal(await get(`${BRIEF}?country_code=UA`, {}))).toEqual([401, { error: "API key required" }]);
    },
  },
  {
    place: "NOTES §1.4",
    sentence: "a missing credential is refused before a wrong method",
    async check() {
      expect((await ask("DELETE", CPI, {})).status).toBe(401);
      expect((await get(BATCH, {})).status).toBe(401);
    },
  },
  {
    place: "NOTES §1.4",
    sentence: "a missing credential is refused before a bad parameter and a bad body",
    async check() {
      expect((await get(`${CPI}?history=perhaps`, {})).status).toBe(401);
      expect((await post("{", {})).status).toBe(401);
    },
  },
  {
    place: "NOTES §1.4",
    sentence: "the subscription of a user key is checked before the route",
    async check() {
      const answer = await get(UNKNOWN, free);
      expect([answer.status, Object.keys(json(answer) as object)]).toEqual([403, ["error"]]);
    },
  },
  {
    place: "NOTES §1.4",
    sentence: "a wrong key is a 401 before the route is looked up",
    async check() {
      expect(refusal(await get(UNKNOWN, { "x-service-key": "wrong" }))).toEqual([401, { error: "Invalid API key" }]);
    },
  },
  {
    place: "NOTES §1.5",
    sentence: "the tier of the brief is checked before the HTTP method",
    async check() {
      expect((await ask("PUT", BRIEF, pro)).status).toBe(401);
      expect((await ask("PUT", BRIEF, owner)).status).toBe(405);
    },
  },
  {
    place: "NOTES §1.5",
    sentence: "the tier of the brief is checked before its parameters",
    async check() {
      expect(refusal(await get(BRIEF, pro))).toEqual([401, { error: "Pro authentication required" }]);
    },
  },
  {
    place: "NOTES §1.5",
    sentence: "the four Pro operations of aviation refuse a call below their tier as the brief does",
    async check() {
      const paths = ["list-airport-flights", "get-carrier-ops", "get-flight-status", "search-flight-prices"];
      for (const rpc of paths) {
        const answer = await get(`/api/aviation/v1/${rpc}`, pro);
        expect(refusal(answer)).toEqual([401, { error: "Pro authentication required" }]);
      }
    },
  },
  {
    place: "NOTES §1.6",
    sentence: "an unknown path is a 404 for any method",
    async check() {
      for (const method of ["GET", "POST", "PUT", "DELETE"]) {
        expect(refusal(await ask(method, UNKNOWN))).toEqual([404, { error: "Not found" }]);
      }
    },
  },
  {
    place: "NOTES §1.6",
    sentence: "an unknown path is a 404 before its Idempotency-Key is checked",
    async check() {
      expect((await post(oneItem, { ...owner, "idempotency-key": "" }, UNKNOWN)).status).toBe(404);
    },
  },
  {
    place: "NOTES §1.6",
    sentence: "an unknown path and a wrong method cost nothing, and are reported even if no calls are left",
    async check() {
      const caller = await fresh("starter");
      expect((await get(UNKNOWN, caller)).status).toBe(404);
      expect((await get(CPI, caller)).status).toBe(200);
      expect((await get(CPI, caller)).status).toBe(429);
      expect((await get(UNKNOWN, caller)).status).toBe(404);
      expect((await ask("PUT", CPI, caller)).status).toBe(405);
    },
  },
  {
    place: "NOTES §1.7",
    sentence: "a replay is returned before the limits are charged, so it costs nothing",
    async check() {
      const caller = { ...(await fresh("starter")), "idempotency-key": "first" };
      const first = await post(oneItem, caller);
      expect([first.status, first.headers["Idempotent-Replayed"]]).toEqual([200, "false"]);
      expect((await post(oneItem, { ...caller, "idempotency-key": "second" })).status).toBe(429);
      const replay = await post(oneItem, caller);
      expect([replay.status, replay.headers["Idempotent-Replayed"]]).toEqual([200, "true"]);
    },
  },
  {
    place: "NOTES §1.7",
    sentence: "an invalid or reused Idempotency-Key is reported before the limits",
    async check() {
      const caller = await fresh("starter");
      expect((await post(oneItem, { ...caller, "idempotency-key": "k" })).status).toBe(200);
      expect((await post(oneItem, caller)).status).toBe(429);
      expect((await post(oneItem, { ...caller, "idempotency-key": "a b" })).status).toBe(400);
      expect((await post({ operations: [] }, { ...caller, "idempotency-key": "k" })).status).toBe(422);
    },
  },
  {
    place: "NOTES §1.8",
    sentence: "the per-minute limit of an account is checked before its daily limit",
    async check() {
      const caller = await fresh("starter");
      await get(CPI, caller);
      const both = await get(CPI, caller);
      expect([both.status, json(both)]).toEqual([429, expect.objectContaining({ limit_type: "per_minute" })]);
      stack.clock.advance(MINUTE_MS);
      expect(json(await get(CPI, caller))).toMatchObject({ limit_type: "daily" });
    },
  },
  {
    place: "NOTES §1.8",
    sentence: "an account with no calls left can run a batch, which has its own limit, but the items are refused",
    async check() {
      const caller = await fresh("starter");
      await get(CPI, caller);
      const answer = await post(oneItem, caller);
      expect(answer.status).toBe(200);
      expect(json(answer)).toMatchObject({ results: [{ status: 429 }], succeeded: 0, failed: 1 });
      expect(json(await post(oneItem, caller))).toEqual({ message: "Too many requests", error: "Too many requests" });
    },
  },
  {
    place: "NOTES §1.9",
    sentence: "the limits of an account come before the daily quota of the brief",
    async check() {
      const caller = await fresh("business");
      const target = `${BRIEF}?country_code=UA`;
      expect((await get(target, caller)).status).toBe(200);
      expect(json(await get(target, caller))).toMatchObject({ limit_type: "per_minute" });
      stack.clock.advance(MINUTE_MS);
      const refused = await get(target, caller);
      expect([refused.status, json(refused)]).toEqual([429, expect.objectContaining({ resetsAt: expect.any(String) })]);
    },
  },
  {
    place: "NOTES §1.9",
    sentence: "the quota of the brief is charged before its query is parsed",
    async check() {
      const caller = await fresh("business");
      expect((await get(`${BRIEF}?country_code=ua`, caller)).status).toBe(400);
      stack.clock.advance(MINUTE_MS);
      expect((await get(`${BRIEF}?country_code=ua`, caller)).status).toBe(429);
    },
  },
  {
    place: "NOTES §1.10",
    sentence: "an Idempotency-Key is claimed after the limits are charged, so that a refused call does not claim it",
    async check() {
      const caller = await fresh("starter");
      await post(oneItem, caller);
      const keyed = { ...caller, "idempotency-key": "refused-first" };
      expect((await post(oneItem, keyed)).status).toBe(429);
      stack.clock.advance(MINUTE_MS);
      const answer = await post({ operations: [{ path: CPI }, { path: CPI }] }, keyed);
      expect([answer.status, answer.headers["Idempotent-Replayed"]]).toEqual([200, "false"]);
    },
  },
  {
    place: "NOTES §1.11",
    sentence: "limits are charged before the query is parsed",
    async check() {
      const caller = await fresh("starter");
      expect((await get(`${CPI}?history=perhaps`, caller)).status).toBe(400);
      expect((await get(`${CPI}?history=perhaps`, caller)).status).toBe(429);
    },
  },
  {
    place: "NOTES §1.11",
    sentence: "limits are charged before the body is read",
    async check() {
      const caller = await fresh("starter");
      expect((await post("{", caller)).status).toBe(400);
      expect((await post("{", caller)).status).toBe(429);
    },
  },
  {
    place: "NOTES §1.12",
    sentence: "a bad parameter is reported before a bad jmespath",
    async check() {
      const answer = await get(`${CPI}?history=perhaps&jmespath=a%5B`);
      expect(refusedFields(answer)).toEqual(["history"]);
    },
  },
  {
    place: "NOTES §1.12",
    sentence: "the cache policy is chosen before the projection, so it does not depend on the projected members",
    async check() {
      const answer = await get("/api/climate/v1/list-climate-news?jmespath=items");
      expect([answer.status, String(answer.body), answer.headers["Cache-Control"]]).toEqual([200, "[]", "no-store"]);
    },
  },
  {
    place: "NOTES §1.12",
    sentence: "whether to answer 304 is decided last, from the projected answer",
    async check() {
      const target = `${CPI}?jmespath=months`;
      const tag = (await get(target)).headers["ETag"] ?? "";
      expect((await get(target, { ...owner, "if-none-match": tag })).status).toBe(304);
      expect((await get(CPI, { ...owner, "if-none-match": tag })).status).toBe(200);
      expect((await get(`${CPI}?jmespath=months%5B`, { ...owner, "if-none-match": tag })).status).toBe(400);
    },
  },
  {
    place: "NOTES §1.4",
    sentence: "a refused call still has rate limit headers",
    async check() {
      expect(sentHeaders(await get(FLIGHTS, {}))["RateLimit-Policy"]).toMatch(/q=\d+;w=60/);
    },
  },
];

testSentences(sentences);
