import { afterAll, beforeAll, expect } from "vitest";
import type { PlanKey } from "../../src/contract/access/plans.js";
import type { IdentifiedAnswer } from "../../src/http/exchange.js";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/kit/clock.js";
import { manualClock } from "../../src/kit/manual-clock.js";
import type { Limiter } from "../../src/limits/limiter.js";
import { startSimulator } from "../../src/simulator/simulator.js";
import { type Headers, keyOn, makeAccount, makeKey, openSession } from "../support/callers.js";
import { type Sentence, sentHeaders, testSentences } from "../support/sentences.js";
import { call, json, NOON, type Stack, startStack } from "../support/stack.js";

/* Sentences of section 7 of the contract's NOTES.md. */

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const BRIEF = "/api/intelligence/v1/get-country-intel-brief?country_code=UA";
/** A brief that the simulated model can write from the filled store. */
const WRITTEN_BRIEF = "/api/intelligence/v1/get-country-intel-brief?country_code=SY";
const BATCH = "/api/batch/v1/execute";
const OPERATOR_KEYS = ["operator-key-one-0123456789abcdef", "operator-key-two-0123456789abcdef"];

/** A service with the contract's limits and public reads. */
let stack: Stack;
/** A service with the same kinds of limits, but small ones, so that a few calls use them up. */
let small: Stack;
/** A service whose store of limit counters is down. */
let uncounted: Stack;

const lost = (): Promise<never> => Promise.reject(new Error("the counters are gone"));
const withoutCounters = (own: Limiter): Limiter => ({ take: lost, look: lost, close: () => own.close() });

beforeAll(async () => {
  const limits =
    "default-minute=3,starter-minute=3,starter-day=5,enterprise-minute=2,batch-execute=2,brief-starter-day=2";
  [stack, small, uncounted] = await Promise.all([
    startStack({ env: { VIGIL_PUBLIC_READS: "on", VIGIL_ENTERPRISE_KEYS: OPERATOR_KEYS.join(",") } }),
    startStack({
      env: { VIGIL_PUBLIC_READS: "on", VIGIL_LIMITS: limits, VIGIL_ENTERPRISE_KEYS: OPERATOR_KEYS.join(",") },
    }),
    startStack({ env: { VIGIL_PUBLIC_READS: "on" }, limiter: withoutCounters }),
  ]);
}, 60_000);
afterAll(() => Promise.all([stack.close(), small.close(), uncounted.close()]));

let addresses = 0;
/** Returns a client address that has made no calls yet. */
const freshAddress = (): string => {
  addresses += 1;
  return `203.0.113.${addresses}`;
};

const get = (on: Stack, headers: Headers, target = CPI, from = "127.0.0.1"): Promise<IdentifiedAnswer> =>
  call(on.answer, "GET", target, headers, { from });

function post(on: Stack, headers: Headers, count = 1): Promise<IdentifiedAnswer> {
  const body = JSON.stringify({ operations: Array.from({ length: count }, () => ({ path: CPI })) });
  return call(on.answer, "POST", BATCH, { ...headers, "content-type": "application/json" }, { body });
}

const byKey = async (on: Stack, plan: PlanKey): Promise<Headers> => ({ "x-service-key": await keyOn(on, plan) });

async function bySession(on: Stack, plan: PlanKey): Promise<Headers> {
  return { "x-service-key": await openSession(on, await makeKey(on, await makeAccount(on, plan))) };
}

const policyOf = async (headers: Headers, target = CPI): Promise<string | undefined> =>
  sentHeaders(await get(stack, headers, target))["RateLimit-Policy"];

/** Makes this many calls one after another, and returns their statuses. */
async function statusesOf(count: number, ask: () => Promise<IdentifiedAnswer>): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let calls = 0; calls < count; calls += 1) statuses.push((await ask()).status);
  return statuses;
}

const midnightAfter = (now: number): number => Math.floor(now / DAY_MS) * DAY_MS + DAY_MS;

const windows: readonly Sentence[] = [
  {
    place: "NOTES §7",
    sentence: "windows are sliding: a call stops counting 60 s after it was made, not when a new minute begins",
    async check() {
      const caller = await byKey(small, "starter");
      const at = small.clock.now();
      await get(small, caller);
      small.clock.set(at + 40 * SECOND_MS);
      expect(await statusesOf(3, () => get(small, caller))).toEqual([200, 200, 429]);
      small.clock.set(at + MINUTE_MS - 1);
      expect((await get(small, caller)).status).toBe(429);
      small.clock.set(at + MINUTE_MS);
      expect(await statusesOf(2, () => get(small, caller))).toEqual([200, 429]);
    },
  },
  {
    place: "NOTES §7",
    sentence: "the global limit is 600 calls in 60 s per address",
    async check() {
      const from = freshAddress();
      expect(new Set(await statusesOf(600, () => get(stack, {}, CPI, from)))).toEqual(new Set([200]));
      const refused = await get(stack, {}, CPI, from);
      expect([refused.status, json(refused)]).toEqual([
        429,
        { message: "Too many requests", error: "Too many requests" },
      ]);
      expect((await get(stack, {}, CPI, freshAddress())).status).toBe(200);
    },
  },
  {
    place: "NOTES §7",
    sentence: "an account's limit is separate from the limit of the address that its calls come from",
    async check() {
      const from = freshAddress();
      await statusesOf(4, () => get(small, {}, CPI, from));
      expect((await get(small, {}, CPI, from)).status).toBe(429);
      expect((await get(small, await byKey(small, "starter"), CPI, from)).status).toBe(200);
    },
  },
  {
    place: "NOTES §7",
    sentence: "batch execute has a limit of 30 calls in 60 s",
    async check() {
      const caller = await byKey(stack, "enterprise");
      const first = await post(stack, caller);
      expect(sentHeaders(first)["RateLimit-Policy"]).toBe('"batch-execute";q=30;w=60');
      expect(await statusesOf(30, () => post(stack, caller))).toEqual([...Array(29).fill(200), 429]);
    },
  },
  {
    place: "NOTES §7",
    sentence: "a route with its own limit is exempt from the global limit and from the account's limit",
    async check() {
      const caller = await byKey(small, "starter");
      await statusesOf(4, () => get(small, caller));
      expect((await get(small, caller)).status).toBe(429);
      expect((await post(small, caller)).status).toBe(200);
    },
  },
  {
    place: "NOTES §7",
    sentence: "an endpoint's own limit fails closed: calls get 503 while the store of counters is down",
    async check() {
      const answer = await post(uncounted, await byKey(uncounted, "starter"));
      expect([answer.status, json(answer)]).toEqual([
        503,
        { message: expect.stringMatching(/./), error: expect.stringMatching(/./) },
      ]);
      expect(sentHeaders(answer)).toMatchObject({ "Retry-After": "5", "X-RateLimit-Mode": "degraded" });
    },
  },
  {
    place: "NOTES §7",
    sentence: "the global limit fails open: while the store of counters is down, calls get X-RateLimit-Mode: degraded",
    async check() {
      for (const headers of [{}, await byKey(uncounted, "starter")]) {
        const answer = await get(uncounted, headers);
        expect([answer.status, sentHeaders(answer)["X-RateLimit-Mode"]]).toEqual([200, "degraded"]);
      }
    },
  },
];

const plans: readonly Sentence[] = [
  ...(
    [
      ["starter", '"account";q=60;w=60, "daily";q=1000;w=86400'],
      ["business", '"account";q=300;w=60, "daily";q=10000;w=86400'],
      ["enterprise", '"key";q=1000;w=60'],
    ] as const
  ).map(
    ([plan, policy]): Sentence => ({
      place: "NOTES §7",
      sentence: `the allowance of ${plan} is ${policy}`,
      check: async () => expect(await policyOf(await byKey(stack, plan))).toBe(policy),
    }),
  ),
  ...(["free", "pro"] as const).map(
    (plan): Sentence => ({
      place: "NOTES §7",
      sentence: `the plan ${plan} allows no REST calls by key`,
      check: async () => expect((await get(stack, await byKey(stack, plan))).status).toBe(403),
    }),
  ),
  {
    place: "NOTES §7",
    sentence: "all keys of a starter account share one allowance",
    async check() {
      const account = await makeAccount(small, "starter");
      const keys = await Promise.all([makeKey(small, account), makeKey(small, account)]);
      const [first, second] = keys.map(({ key }) => ({ "x-service-key": key }));
      expect(await statusesOf(2, () => get(small, first ?? {}))).toEqual([200, 200]);
      expect(await statusesOf(2, () => get(small, second ?? {}))).toEqual([200, 429]);
      expect((await get(small, await byKey(small, "starter"))).status).toBe(200);
    },
  },
  {
    place: "NOTES §7",
    sentence: "each key of an enterprise account has its own allowance, and no daily cap",
    async check() {
      const account = await makeAccount(small, "enterprise");
      const keys = await Promise.all([makeKey(small, account), makeKey(small, account)]);
      for (const { key } of keys) {
        const headers = { "x-service-key": key };
        expect(await statusesOf(3, () => get(small, headers))).toEqual([200, 200, 429]);
        expect(sentHeaders(await get(small, headers))["RateLimit-Policy"]).not.toContain("daily");
      }
    },
  },
  {
    place: "NOTES §7",
    sentence: "each operator-issued key has its own allowance",
    async check() {
      for (const key of OPERATOR_KEYS) {
        expect(await statusesOf(3, () => get(small, { "x-service-key": key }))).toEqual([200, 200, 429]);
      }
    },
  },
  {
    place: "NOTES §7",
    sentence: "the daily limit equals the plan's daily allowance (not ten times that), and resets at midnight UTC",
    async check() {
      const caller = await byKey(small, "starter");
      small.clock.set(midnightAfter(small.clock.now()) - 10 * MINUTE_MS);
      const statuses = await statusesOf(6, () => {
        small.clock.advance(MINUTE_MS);
        return get(small, caller);
      });
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
      small.clock.set(midnightAfter(small.clock.now()) - 1);
      expect((await get(small, caller)).status).toBe(429);
      small.clock.advance(1);
      expect((await get(small, caller)).status).toBe(200);
    },
  },
  {
    place: "NOTES §7",
    sentence: "the 429 at an account's per-minute limit has error, plan, limit, limit_type and reset",
    async check() {
      const caller = await byKey(small, "starter");
      const at = small.clock.now();
      await statusesOf(3, () => get(small, caller));
      expect(json(await get(small, caller))).toEqual({
        message: expect.stringMatching(/./),
        error: expect.stringMatching(/./),
        plan: "starter",
        limit: 3,
        limit_type: "per_minute",
        reset: new Date(at + MINUTE_MS).toISOString(),
      });
    },
  },
  {
    place: "NOTES §7",
    sentence: "the 429 at an account's daily limit has the limit_type daily and a reset at midnight UTC",
    async check() {
      const caller = await byKey(small, "starter");
      small.clock.set(midnightAfter(small.clock.now()) + HOUR_MS);
      await statusesOf(5, () => {
        small.clock.advance(MINUTE_MS);
        return get(small, caller);
      });
      small.clock.advance(MINUTE_MS);
      expect(json(await get(small, caller))).toMatchObject({
        plan: "starter",
        limit: 5,
        limit_type: "daily",
        reset: new Date(midnightAfter(small.clock.now())).toISOString(),
      });
    },
  },
  {
    place: "NOTES §7",
    sentence: "rejected calls do not count against the daily limit",
    async check() {
      const caller = await byKey(small, "starter");
      small.clock.set(midnightAfter(small.clock.now()) + HOUR_MS);
      await statusesOf(10, () => get(small, caller));
      small.clock.advance(MINUTE_MS);
      expect(await statusesOf(3, () => get(small, caller))).toEqual([200, 200, 429]);
    },
  },
];

const quotas: readonly Sentence[] = [
  ...(
    [
      ["pro", 500],
      ["starter", 1_000],
      ["business", 10_000],
    ] as const
  ).map(
    ([plan, count]): Sentence => ({
      place: "NOTES §7",
      sentence: `a ${plan} account has ${count} briefs a UTC day`,
      check: async () =>
        expect(await policyOf(await bySession(stack, plan), BRIEF)).toContain(`"brief";q=${count};w=86400`),
    }),
  ),
  {
    place: "NOTES §7",
    sentence: "an enterprise account has unlimited briefs",
    check: async () => expect(await policyOf(await bySession(stack, "enterprise"), BRIEF)).not.toContain("brief"),
  },
  {
    place: "NOTES §7",
    sentence: "a brief counts once against the brief quota and once as a REST call",
    async check() {
      const caller = await byKey(stack, "starter");
      const left = (answer: IdentifiedAnswer) => sentHeaders(answer)["RateLimit"];
      expect(left(await get(stack, caller))).toMatch(/"account";r=59;.*"daily";r=999;/);
      expect(left(await get(stack, caller, BRIEF))).toMatch(/"account";r=58;.*"daily";r=998;.*"brief";r=999;/);
    },
  },
  {
    place: "NOTES §7",
    sentence: "the 429 at the brief quota has error, limit and resetsAt, and a Retry-After until midnight",
    async check() {
      const caller = await byKey(small, "starter");
      small.clock.set(midnightAfter(small.clock.now()) + HOUR_MS);
      expect(await statusesOf(2, () => get(small, caller, BRIEF))).toEqual([200, 200]);
      small.clock.advance(MINUTE_MS);
      const answer = await get(small, caller, BRIEF);
      const resetsAt = midnightAfter(small.clock.now());
      expect([answer.status, json(answer)]).toEqual([
        429,
        {
          message: expect.stringMatching(/./),
          error: expect.stringMatching(/./),
          limit: 2,
          resetsAt: new Date(resetsAt).toISOString(),
        },
      ]);
      expect(sentHeaders(answer)["Retry-After"]).toBe(String((resetsAt - small.clock.now()) / SECOND_MS));
    },
  },
  {
    place: "NOTES §7",
    sentence: "the brief quota counts every request, including those answered from the cache, with 400 or with 304",
    async check() {
      const simulator = await startSimulator({ clock: manualClock(NOON), seed: 1 });
      const own = await startStack({
        filled: ["country-evidence"],
        env: {
          VIGIL_MODEL_URL: `${simulator.baseUrl}/model.simulated.example/v1`,
          VIGIL_LIMITS: "brief-starter-day=4",
        },
      });
      try {
        const caller = await byKey(own, "starter");
        const written = await get(own, caller, WRITTEN_BRIEF);
        const asked = simulator.requests.list().length;
        const cached = await get(own, caller, WRITTEN_BRIEF);
        const unchanged = await get(own, { ...caller, "if-none-match": written.headers["ETag"] ?? "" }, WRITTEN_BRIEF);
        const refused = await get(own, caller, WRITTEN_BRIEF.replace("SY", "s"));
        expect([written, cached, unchanged, refused].map(({ status }) => status)).toEqual([200, 200, 304, 400]);
        expect(String(cached.body)).toBe(String(written.body));
        expect([asked, simulator.requests.list().length]).toEqual([1, 1]);
        expect((await get(own, caller, WRITTEN_BRIEF)).status).toBe(429);
      } finally {
        await own.close();
        await simulator.close();
      }
    },
  },
  {
    place: "NOTES §7",
    sentence: "the brief quota fails closed: 503 and Retry-After 30 while the store of counters is down",
    async check() {
      const answer = await get(uncounted, await byKey(uncounted, "starter"), BRIEF);
      expect([answer.status, json(answer)]).toEqual([
        503,
        { message: expect.stringMatching(/./), error: expect.stringMatching(/./) },
      ]);
      expect(sentHeaders(answer)["Retry-After"]).toBe("30");
    },
  },
];

const headers: readonly Sentence[] = [
  {
    place: "NOTES §7",
    sentence:
      'an answer to a call without a credential has RateLimit-Policy "default";q=600;w=60 and RateLimit-Limit 600',
    async check() {
      for (const target of [CPI, "/api/no/v1/such", `${CPI}?history=x`, "/api/health"]) {
        expect(sentHeaders(await get(stack, {}, target, freshAddress()))).toMatchObject({
          "RateLimit-Policy": '"default";q=600;w=60',
          "RateLimit-Limit": "600",
        });
      }
    },
  },
  {
    place: "NOTES §7",
    sentence: "a 429 has RateLimit-Remaining 0, and RateLimit-Reset as the number of seconds left",
    async check() {
      const caller = await byKey(small, "starter");
      await statusesOf(3, () => get(small, caller));
      small.clock.advance(15 * SECOND_MS);
      const refused = await get(small, caller);
      expect(refused.status).toBe(429);
      expect(sentHeaders(refused)).toMatchObject({ "RateLimit-Remaining": "0", "RateLimit-Reset": "45" });
    },
  },
  {
    place: "NOTES §7",
    sentence: 'the 429 at the limit of an address has RateLimit "default";r=0;t=<seconds>',
    async check() {
      const from = freshAddress();
      await statusesOf(3, () => get(small, {}, CPI, from));
      small.clock.advance(20 * SECOND_MS);
      const refused = await get(small, {}, CPI, from);
      expect([refused.status, sentHeaders(refused)["RateLimit"]]).toEqual([429, '"default";r=0;t=40']);
    },
  },
  {
    place: "NOTES §7",
    sentence: "a 429 has X-RateLimit-Limit and X-RateLimit-Remaining, and X-RateLimit-Reset in epoch ms",
    async check() {
      const caller = await byKey(small, "starter");
      const at = small.clock.now();
      await statusesOf(3, () => get(small, caller));
      expect(sentHeaders(await get(small, caller))).toMatchObject({
        "X-RateLimit-Limit": "3",
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset": String(at + MINUTE_MS),
      });
    },
  },
  {
    place: "NOTES §7",
    sentence: "Retry-After is in seconds and at least 1",
    async check() {
      const caller = await byKey(small, "starter");
      await statusesOf(3, () => get(small, caller));
      small.clock.advance(MINUTE_MS - 1);
      const refused = await get(small, caller);
      expect([refused.status, sentHeaders(refused)["Retry-After"]]).toEqual([429, "1"]);
    },
  },
  {
    place: "NOTES §7",
    sentence: "the window of the daily limit is 86,400 s",
    async check() {
      const caller = await byKey(small, "starter");
      small.clock.set(midnightAfter(small.clock.now()) + HOUR_MS);
      await statusesOf(5, () => {
        small.clock.advance(MINUTE_MS);
        return get(small, caller);
      });
      small.clock.advance(MINUTE_MS);
      const refused = await get(small, caller);
      expect([refused.status, sentHeaders(refused)["RateLimit-Policy"]]).toEqual([
        429,
        expect.stringContaining('"daily";q=5;w=86400'),
      ]);
    },
  },
];

testSentences([...windows, ...plans, ...quotas, ...headers]);
