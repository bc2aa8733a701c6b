import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { IdentifiedAnswer } from "../src/http/exchange.js";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../src/kit/clock.js";
import { seededRandom } from "../src/kit/random.js";
import { whyNoRedis } from "../src/limits/testing/redis.js";
import {
  ACCOUNT,
  byKey,
  byOwner,
  type CallHeaders,
  emptyAccount,
  makeKey,
  openSession,
  post,
} from "./support/accounts.js";
import { freePort } from "./support/process.js";
import { call, json, NOON, type Stack, type StackOptions, startStack } from "./support/stack.js";

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const BATCH = "/api/batch/v1/execute";
const MIDNIGHT = NOON + 12 * HOUR_MS;
const redisServer = "redis-server";

const opened: Stack[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((stack) => stack.close()));
});

async function start(env: Readonly<Record<string, string>> = {}, options: StackOptions = {}): Promise<Stack> {
  const stack = await startStack({ env, ...options });
  opened.push(stack);
  return stack;
}

/** Creates a key that can only read, and returns the headers with the key. */
async function keyOf(stack: Stack, accountId: string, name = "reader"): Promise<CallHeaders> {
  return byKey(await makeKey(stack, accountId, name, ["read"]));
}

/** Creates an account with one key, and returns the headers with the key. */
async function newCaller(stack: Stack, plan: "starter" | "business" | "enterprise"): Promise<CallHeaders> {
  const { id } = await emptyAccount(stack, `${plan} account`, plan);
  return keyOf(stack, id);
}

const read = (stack: Stack, headers: CallHeaders, target = CPI) => call(stack.answer, "GET", target, headers);

interface Usage {
  readonly name: string;
  readonly used: number;
}

/** Reads from get-usage how many units of each limit the caller has used. */
async function usedOf(stack: Stack, headers: CallHeaders): Promise<Readonly<Record<string, number>>> {
  const answer = await read(stack, headers, `${ACCOUNT}/get-usage`);
  const { limits } = json(answer) as { limits: readonly Usage[] };
  return Object.fromEntries(limits.map(({ name, used }) => [name, used]));
}

/** The limit headers as a client sees them, whichever step wrote them. */
function limitsIn({ headers, limitHeaders }: IdentifiedAnswer): Readonly<Record<string, string>> {
  const all = { ...headers, ...limitHeaders };
  return Object.fromEntries(Object.entries(all).filter(([name]) => /^(?:x-)?ratelimit|^retry-after$/i.test(name)));
}

const batchOf = (count: number) => ({ operations: Array.from({ length: count }, () => ({ path: CPI })) });

/** Counts the times in the fullest window of `ms` milliseconds. The times must be in ascending order. */
function busiest(times: readonly number[], ms: number): number {
  let from = 0;
  let most = 0;
  for (const [index, time] of times.entries()) {
    while ((times[from] ?? time) <= time - ms) from += 1;
    most = Math.max(most, index - from + 1);
  }
  return most;
}

test("busiest counts the times in the fullest window, wherever that window starts", () => {
  expect(busiest([], 10)).toBe(0);
  expect(busiest([0, 9, 10, 19, 40], 10)).toBe(2);
  expect(busiest([0, 5, 9, 10, 14], 10)).toBe(4);
});

/**
 * In each round, advances the clocks by up to nine seconds and makes 50 calls at the same time, spread over the nodes
 * and the callers. Returns the times of the accepted calls, and the number of refused calls.
 */
async function rush(
  nodes: readonly Stack[],
  callers: readonly CallHeaders[],
  rounds: number,
): Promise<{ readonly acceptedAt: number[]; readonly refused: number }> {
  const random = seededRandom(11);
  const acceptedAt: number[] = [];
  let refused = 0;
  for (let round = 0; round < rounds; round += 1) {
    const stepMs = Math.floor(random() * 9 * SECOND_MS);
    for (const node of nodes) node.clock.advance(stepMs);
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        const node = nodes[at % nodes.length] as Stack;
        return read(node, callers[at % callers.length] ?? {});
      }),
    );
    for (const { status } of answers) {
      if (status === 200) acceptedAt.push(nodes[0]?.clock.now() ?? 0);
      else refused += 1;
      expect([200, 429]).toContain(status);
    }
  }
  return { acceptedAt, refused };
}

describe("bursts of 50 simultaneous calls", () => {
  test("together reach, and never exceed, the account's limit in a one-minute window, with limits counted in memory", async () => {
    const stack = await start();
    const { id } = await emptyAccount(stack, "Rush", "starter");
    const keys = await Promise.all(["one", "two", "three"].map((name) => keyOf(stack, id, name)));
    const { acceptedAt, refused } = await rush([stack], keys, 60);
    expect(busiest(acceptedAt, MINUTE_MS)).toBe(60);
    expect(acceptedAt.length).toBeGreaterThan(120);
    expect(acceptedAt.length + refused).toBe(60 * 50);
  });

  test("together reach, and never exceed, the account's limit per minute, even if each burst is smaller than the limit", async () => {
    const stack = await start({ VIGIL_LIMITS: "business-minute=170" });
    const { acceptedAt } = await rush([stack], [await newCaller(stack, "business")], 60);
    expect(busiest(acceptedAt, MINUTE_MS)).toBe(170);
  });

  test("together use exactly the daily limit", async () => {
    const stack = await start({ VIGIL_LIMITS: "starter-minute=1000,starter-day=120" });
    const caller = await newCaller(stack, "starter");
    const { acceptedAt } = await rush([stack], [caller], 4);
    expect(acceptedAt).toHaveLength(120);
  });
});

const noRedis = await whyNoRedis();

describe.skipIf(noRedis !== undefined)(noRedis === undefined ? "two nodes" : `two nodes, skipped: ${noRedis}`, () => {
  test("two nodes share one limit per minute, whichever node is called", async () => {
    const key = `operator-${randomUUID()}`;
    const env = {
      REDIS_URL: process.env["REDIS_URL"] || "redis://127.0.0.1:6379",
      VIGIL_ENTERPRISE_KEYS: key,
      VIGIL_LIMITS: "enterprise-minute=40",
    };
    const nodes = await Promise.all([start(env), start(env)]);
    const { acceptedAt } = await rush(nodes, [{ "x-service-key": key }], 40);
    expect(busiest(acceptedAt, MINUTE_MS)).toBe(40);
    expect(acceptedAt.length).toBeGreaterThan(80);
    const used = await Promise.all(nodes.map((node) => usedOf(node, { "x-service-key": key })));
    expect(used[0]).toEqual(used[1]);
  }, 60_000);
});

describe("the limit headers", () => {
  test("the limit headers count down exactly, state when the next unit becomes free, and recover", async () => {
    const stack = await start({ VIGIL_LIMITS: "starter-minute=5,starter-day=100" });
    const caller = await newCaller(stack, "starter");
    for (let count = 1; count <= 5; count += 1) {
      expect(limitsIn(await read(stack, caller))).toEqual(minuteHeaders(stack, 5 - count, 61 - count, 100 - count));
      stack.clock.advance(SECOND_MS);
    }
    const refused = await read(stack, caller);
    expect(refused.status).toBe(429);
    expect(limitsIn(refused)).toEqual({ ...minuteHeaders(stack, 0, 55, 95), "Retry-After": "55" });
    expect(json(refused)).toEqual({
      message: "Rate limit reached",
      error: "Rate limit reached",
      plan: "starter",
      limit: 5,
      limit_type: "per_minute",
      reset: new Date(NOON + MINUTE_MS).toISOString(),
    });
    stack.clock.set(NOON + MINUTE_MS - 1);
    expect((await read(stack, caller)).status).toBe(429);
    stack.clock.set(NOON + MINUTE_MS);
    const recovered = await read(stack, caller);
    expect([recovered.status, limitsIn(recovered)]).toEqual([200, minuteHeaders(stack, 0, 1, 94)]);
    stack.clock.advance(10 * MINUTE_MS);
    expect(limitsIn(await read(stack, caller))).toEqual(minuteHeaders(stack, 4, 60, 93));
  });

  /** Headers of a call by a starter account with 5 calls a minute and 100 a day. */
  function minuteHeaders(
    { clock }: Stack,
    left: number,
    resetSeconds: number,
    dayLeft: number,
  ): Record<string, string> {
    const dayResetSeconds = Math.ceil((MIDNIGHT - clock.now()) / SECOND_MS);
    return {
      "RateLimit-Policy": '"account";q=5;w=60, "daily";q=100;w=86400',
      RateLimit: `"account";r=${left};t=${resetSeconds}, "daily";r=${dayLeft};t=${dayResetSeconds}`,
      ...plainHeaders(5, left, resetSeconds, clock.now() + resetSeconds * SECOND_MS),
    };
  }

  function plainHeaders(limit: number, left: number, resetSeconds: number, resetAt: number): Record<string, string> {
    return {
      "RateLimit-Limit": String(limit),
      "RateLimit-Remaining": String(left),
      "RateLimit-Reset": String(resetSeconds),
      "X-RateLimit-Limit": String(limit),
      "X-RateLimit-Remaining": String(left),
      "X-RateLimit-Reset": String(resetAt),
    };
  }

  test("the limit headers round seconds up and state the time of the reset in whole milliseconds", async () => {
    const stack = await start({ VIGIL_LIMITS: "enterprise-minute=1" });
    const caller = await newCaller(stack, "enterprise");
    await read(stack, caller);
    stack.clock.advance(MINUTE_MS - 1);
    const refused = await read(stack, caller);
    expect(limitsIn(refused)).toEqual({
      "RateLimit-Policy": '"key";q=1;w=60',
      RateLimit: '"key";r=0;t=1',
      ...plainHeaders(1, 0, 1, NOON + MINUTE_MS),
      "Retry-After": "1",
    });
    expect(json(refused)).toMatchObject({
      plan: "enterprise",
      limit: 1,
      reset: new Date(NOON + MINUTE_MS).toISOString(),
    });
  });

  test("a caller without a credential sees the default limit of its address, and its 401 costs nothing", async () => {
    const stack = await start();
    for (let count = 0; count < 3; count += 1) {
      const refused = await read(stack, {});
      expect(refused.status).toBe(401);
      expect(limitsIn(refused)).toEqual({
        "RateLimit-Policy": '"default";q=600;w=60',
        RateLimit: '"default";r=600;t=0',
        ...plainHeaders(600, 600, 0, NOON),
      });
    }
  });

  test("account paths have a separate limit, so they answer even if the account's limit is exhausted", async () => {
    const stack = await start({ VIGIL_LIMITS: "starter-minute=1" });
    const caller = await newCaller(stack, "starter");
    await read(stack, caller);
    expect((await read(stack, caller)).status).toBe(429);
    const account = await read(stack, caller, `${ACCOUNT}/get-account`);
    expect(account.status).toBe(200);
    expect(limitsIn(account)["RateLimit-Policy"]).toMatch(/^"(?:default|own-account)";q=600;w=60$/);
  });
});

describe("refused credentials", () => {
  test("wrong credentials get 401 and then 429, while a valid key from the same address is accepted", async () => {
    const stack = await start({ VIGIL_LIMITS: "refused-credentials=2" });
    const caller = await newCaller(stack, "starter");
    const wrong = { "x-service-key": `vgl_${"0".repeat(48)}` };
    const statuses: number[] = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await read(stack, wrong)).status);
    expect(statuses).toEqual([401, 401, 429]);
    expect((await read(stack, { cookie: "vigil_session=vgs_wrong" })).status).toBe(429);
    expect((await read(stack, caller)).status).toBe(200);
    expect((await read(stack, {})).status).toBe(401);
    stack.clock.advance(MINUTE_MS);
    expect((await read(stack, wrong)).status).toBe(401);
  });
});

describe("the projection budget", () => {
  // Each expression differs, so that none is answered from the cache.
  const projecting = (text: string): string => `${CPI}?jmespath=${encodeURIComponent(`[@, '${text}']`)}`;

  async function untilRefused(ask: (target: string) => Promise<IdentifiedAnswer>): Promise<IdentifiedAnswer> {
    for (let count = 0; count < 200; count += 1) {
      const answer = await ask(projecting(`${count}`));
      if (answer.status !== 200) return answer;
    }
    throw new Error("never refused");
  }

  test("an account beyond its projection budget gets 429, while another account is served", async () => {
    const stack = await start({ VIGIL_PROJECTION_FUEL_PER_MINUTE: "1000" });
    const [busyCaller, otherCaller] = [await newCaller(stack, "enterprise"), await newCaller(stack, "enterprise")];
    const refused = await untilRefused((target) => read(stack, busyCaller, target));
    expect(refused.status).toBe(429);
    expect(refused.headers["Retry-After"]).toMatch(/^\d+$/);
    expect((await read(stack, otherCaller, projecting("other"))).status).toBe(200);
    expect((await read(stack, busyCaller)).status).toBe(200);
  });

  test("the projection budget of callers without an account is counted per IPv4 address and per IPv6 /64 network", async () => {
    const stack = await start({ VIGIL_PROJECTION_FUEL_PER_MINUTE: "1000", VIGIL_PUBLIC_READS: "on" });
    const from = (address: string) => (target: string) => call(stack.answer, "GET", target, {}, { from: address });
    expect((await untilRefused(from("2001:db8::1"))).status).toBe(429);
    expect((await from("2001:db8::2")(projecting("neighbour"))).status).toBe(429);
    expect((await from("192.0.2.1")(projecting("other"))).status).toBe(200);
  });
});

describe("the cost of a call", () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await start({ VIGIL_LIMITS: "starter-minute=20,starter-day=100" });
    await stack.run("us-cpi");
  });

  test("a 304 refunds its unit of the daily limit, but not its unit of the per-minute limit", async () => {
    const caller = await newCaller(stack, "starter");
    const first = await read(stack, caller);
    const revalidate = () => read(stack, { ...caller, "if-none-match": first.headers["ETag"] ?? "" });
    for (let count = 1; count <= 19; count += 1) {
      const answer = await revalidate();
      expect([answer.status, limitsIn(answer)["RateLimit"]]).toEqual([
        304,
        `"account";r=${19 - count};t=60, "daily";r=99;t=43200`,
      ]);
    }
    expect(await usedOf(stack, caller)).toEqual({ account: 20, daily: 1 });
    expect((await revalidate()).status).toBe(429);
  });

  test("a call that would get a 304 is refused if the daily limit is exhausted", async () => {
    const day = await start({ VIGIL_LIMITS: "starter-day=1" });
    await day.run("us-cpi");
    const caller = await newCaller(day, "starter");
    const first = await read(day, caller);
    expect((await read(day, { ...caller, "if-none-match": first.headers["ETag"] ?? "" })).status).toBe(429);
  });

  test("a refused call costs nothing", async () => {
    const caller = await newCaller(stack, "starter");
    for (let count = 0; count < 50; count += 1) await read(stack, caller);
    expect(await usedOf(stack, caller)).toEqual({ account: 20, daily: 20 });
    stack.clock.advance(MINUTE_MS);
    expect(await usedOf(stack, caller)).toEqual({ account: 0, daily: 20 });
  });

  test("get-usage costs nothing", async () => {
    const caller = await newCaller(stack, "starter");
    await read(stack, caller);
    for (let count = 0; count < 5; count += 1) expect(await usedOf(stack, caller)).toEqual({ account: 1, daily: 1 });
  });

  test("a 400 costs one unit", async () => {
    const caller = await newCaller(stack, "starter");
    expect((await read(stack, caller, `${CPI}?history=banana`)).status).toBe(400);
    expect(await usedOf(stack, caller)).toEqual({ account: 1, daily: 1 });
  });

  test("an idempotent replay costs nothing and works even when no calls are left", async () => {
    const caller = await newCaller(stack, "starter");
    const send = () => post(stack.answer, BATCH, batchOf(3), { ...caller, "idempotency-key": "k" });
    const first = await send();
    expect([first.status, limitsIn(first)["RateLimit"]]).toEqual([200, '"batch-execute";r=29;t=60']);
    for (let count = 0; count < 40; count += 1) {
      const replay = await send();
      expect([replay.status, replay.headers["Idempotent-Replayed"]]).toEqual([200, "true"]);
      expect(limitsIn(replay)["RateLimit"]).toBe('"batch-execute";r=29;t=60');
      expect(String(replay.body)).toBe(String(first.body));
    }
    expect(await usedOf(stack, caller)).toEqual({ account: 3, daily: 3 });
    for (let count = 0; count < 29; count += 1) await post(stack.answer, BATCH, batchOf(1), caller);
    expect((await post(stack.answer, BATCH, batchOf(1), caller)).status).toBe(429);
    expect((await send()).status).toBe(200);
  });
});

describe("the batch limits", () => {
  test("a batch counts once against the batch limit, and each item counts against the account", async () => {
    const stack = await start();
    const caller = await newCaller(stack, "business");
    for (let count = 1; count <= 30; count += 1) {
      const answer = await post(stack.answer, BATCH, batchOf(2), caller);
      expect([answer.status, limitsIn(answer)["RateLimit-Policy"]]).toEqual([200, '"batch-execute";q=30;w=60']);
      expect(limitsIn(answer)["RateLimit-Remaining"]).toBe(String(30 - count));
    }
    expect(await usedOf(stack, caller)).toEqual({ account: 60, daily: 60 });
    const refused = await post(stack.answer, BATCH, batchOf(2), caller);
    expect([refused.status, json(refused)]).toEqual([
      429,
      { message: "Too many requests", error: "Too many requests" },
    ]);
    expect(limitsIn(refused)).toMatchObject({
      RateLimit: '"batch-execute";r=0;t=60',
      "X-RateLimit-Reset": String(NOON + MINUTE_MS),
      "Retry-After": "60",
    });
    expect(await usedOf(stack, caller)).toEqual({ account: 60, daily: 60 });
    expect((await read(stack, caller)).status).toBe(200);
    stack.clock.advance(MINUTE_MS);
    expect((await post(stack.answer, BATCH, batchOf(2), caller)).status).toBe(200);
  });

  test("only the items of a batch that exceed the account's limit are refused", async () => {
    const stack = await start({ VIGIL_LIMITS: "starter-minute=5" });
    const caller = await newCaller(stack, "starter");
    const answer = await post(stack.answer, BATCH, batchOf(8), caller);
    const { results, succeeded, failed } = json(answer) as {
      results: { status: number; body: unknown }[];
      succeeded: number;
      failed: number;
    };
    expect([answer.status, succeeded, failed]).toEqual([200, 5, 3]);
    expect(results.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    const refused = results.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({ plan: "starter", limit: 5, limit_type: "per_minute" });
  });

  test("one account's batches do not affect another account's limits", async () => {
    const stack = await start();
    const [busyCaller, otherCaller] = [await newCaller(stack, "business"), await newCaller(stack, "business")];
    for (let count = 0; count < 31; count += 1) await post(stack.answer, BATCH, batchOf(1), busyCaller);
    expect((await post(stack.answer, BATCH, batchOf(1), busyCaller)).status).toBe(429);
    expect((await post(stack.answer, BATCH, batchOf(1), otherCaller)).status).toBe(200);
  });
});

describe("the minute limit", () => {
  let stack: Stack;
  const issued = ["operator-issued-key-one-0123456789", "operator-issued-key-two-0123456789"] as const;
  beforeEach(async () => {
    const limits = "starter-minute=6,business-minute=6,enterprise-minute=6,operator-minute=6";
    stack = await start({ VIGIL_LIMITS: limits, VIGIL_ENTERPRISE_KEYS: issued.join(",") });
  });

  const leftOf = async (headers: CallHeaders) => limitsIn(await read(stack, headers))["RateLimit-Remaining"];

  test.each(["starter", "business"] as const)("all keys and sessions of a %s account share one limit", async (plan) => {
    const { id } = await emptyAccount(stack, plan, plan);
    const [firstKey, secondKey] = [
      await makeKey(stack, id, "first", ["read"]),
      await makeKey(stack, id, "second", ["read"]),
    ];
    const session = await openSession(stack, { key: firstKey.key });
    const callers = [byKey(firstKey), byKey(secondKey), { "x-service-key": session }];
    const left = [];
    for (let count = 0; count < 6; count += 1) left.push(await leftOf(callers[count % 3] ?? {}));
    expect(left).toEqual(["5", "4", "3", "2", "1", "0"]);
    for (const caller of callers) expect((await read(stack, caller)).status).toBe(429);
    const other = await newCaller(stack, plan);
    expect(await leftOf(other)).toBe("5");
    expect((await read(stack, await keyOf(stack, id, "third"))).status).toBe(429);
  });

  test("each key of an enterprise account has its own limit", async () => {
    const { id } = await emptyAccount(stack, "Enterprise", "enterprise");
    const [firstCaller, secondCaller] = [await keyOf(stack, id, "first"), await keyOf(stack, id, "second")];
    for (let count = 0; count < 6; count += 1) await read(stack, firstCaller);
    expect((await read(stack, firstCaller)).status).toBe(429);
    expect(await leftOf(secondCaller)).toBe("5");
    expect(limitsIn(await read(stack, secondCaller))["RateLimit-Policy"]).toBe('"key";q=6;w=60');
  });

  test("each operator-issued key and each key of the operator's account has its own limit", async () => {
    const callers = [
      { "x-service-key": issued[0] },
      { "x-service-key": issued[1] },
      await keyOf(stack, "operator", "first"),
      await keyOf(stack, "operator", "second"),
      byOwner(stack),
    ];
    for (const caller of callers) {
      const left = [];
      for (let count = 0; count < 6; count += 1) left.push(await leftOf(caller));
      expect(left).toEqual(["5", "4", "3", "2", "1", "0"]);
      expect((await read(stack, caller)).status).toBe(429);
    }
  });

  test("a new key does not reset the limit of a starter account", async () => {
    const { id } = await emptyAccount(stack, "Renewer", "starter");
    const manager = byKey(await makeKey(stack, id, "manager", ["read", "account:write"]));
    for (let count = 0; count < 6; count += 1) await read(stack, manager);
    const answer = await post(stack.answer, `${ACCOUNT}/create-key`, { name: "fresh" }, manager);
    const { key } = json(answer) as { key: string };
    expect((await read(stack, { "x-service-key": key })).status).toBe(429);
  });
});

describe("sign-in attempts", () => {
  const NEAR = "10.0.0.1";
  const FAR = "203.0.113.9";

  const signIn = (stack: Stack, from: string, forwardedFor?: string, body: object = { key: "wrong" }) =>
    post(
      stack.answer,
      `${ACCOUNT}/sign-in`,
      body,
      forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor },
      from,
    );

  /** Makes 31 attempts to sign in, and returns their statuses. `header` returns the X-Forwarded-For of an attempt. */
  async function attempts(stack: Stack, from: string, header: (attempt: number) => string | undefined) {
    const statuses: number[] = [];
    for (let count = 0; count < 31; count += 1) statuses.push((await signIn(stack, from, header(count))).status);
    return statuses;
  }

  const refusedOnce = [...Array.from({ length: 30 }, () => 401), 429];
  const neverRefused = Array.from({ length: 31 }, () => 401);

  test("sign-in attempts, right or wrong, are limited to 30 a minute per address", async () => {
    const stack = await start();
    const right = { key: stack.service.access.ownerKey.key };
    expect(await attempts(stack, FAR, () => undefined)).toEqual(refusedOnce);
    const refused = await signIn(stack, FAR, undefined, right);
    expect([refused.status, json(refused)]).toEqual([
      429,
      { message: "Too many requests", error: "Too many requests" },
    ]);
    expect(refused.headers).not.toHaveProperty("Set-Cookie");
    expect(limitsIn(refused)).toMatchObject({ "RateLimit-Policy": '"sign-in";q=30;w=60', "Retry-After": "60" });
    expect((await signIn(stack, "203.0.113.10", undefined, right)).status).toBe(200);
    stack.clock.advance(MINUTE_MS);
    expect((await signIn(stack, FAR, undefined, right)).status).toBe(200);
  });

  test("simultaneous sign-in attempts are limited to 30", async () => {
    const stack = await start();
    const answers = await Promise.all(Array.from({ length: 50 }, () => signIn(stack, FAR)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(30);
  });

  test("X-Forwarded-For changes nothing when no proxy is trusted", async () => {
    const stack = await start();
    expect(await attempts(stack, FAR, (attempt) => `198.51.100.${attempt}`)).toEqual(refusedOnce);
    expect(await attempts(stack, "127.0.0.1", (attempt) => `198.51.100.${attempt}`)).toEqual(refusedOnce);
  });

  test("sign-in attempts behind a trusted proxy count against the last forwarded address that is not a proxy", async () => {
    const stack = await start({ VIGIL_TRUSTED_PROXIES: "10.0.0.0/8" });
    expect(await attempts(stack, FAR, (attempt) => `198.51.100.${attempt}`)).toEqual(refusedOnce);
    expect(await attempts(stack, NEAR, (attempt) => `198.51.100.${attempt}`)).toEqual(neverRefused);
    expect(await attempts(stack, NEAR, (attempt) => `192.0.2.${attempt}, 198.51.100.200, 10.0.0.7`)).toEqual(
      refusedOnce,
    );
    expect((await signIn(stack, NEAR, "198.51.100.201")).status).toBe(401);
    // A caller that was refused behind the proxy is also refused when it connects directly from the same address.
    expect((await signIn(stack, "198.51.100.200")).status).toBe(429);
  });

  test("sign-in attempts count against the trusted proxy when its header names no address", async () => {
    const stack = await start({ VIGIL_TRUSTED_PROXIES: "10.0.0.0/8" });
    expect(await attempts(stack, NEAR, (attempt) => `unknown-${attempt}, _hidden`)).toEqual(refusedOnce);
  });
});

test("the daily limit resets at midnight UTC", async () => {
  const at = MIDNIGHT - 30 * SECOND_MS;
  const stack = await start({ VIGIL_LIMITS: "starter-day=3" }, { at });
  const caller = await newCaller(stack, "starter");
  for (const left of ["2", "1", "0"]) expect(limitsIn(await read(stack, caller))["RateLimit-Remaining"]).toBe(left);
  const refused = await read(stack, caller);
  expect([refused.status, json(refused)]).toEqual([
    429,
    {
      message: "Daily limit reached",
      error: "Daily limit reached",
      plan: "starter",
      limit: 3,
      limit_type: "daily",
      reset: new Date(MIDNIGHT).toISOString(),
    },
  ]);
  expect(limitsIn(refused)).toMatchObject({
    "RateLimit-Policy": '"account";q=60;w=60, "daily";q=3;w=86400',
    RateLimit: '"account";r=57;t=60, "daily";r=0;t=30',
    "RateLimit-Limit": "3",
    "RateLimit-Remaining": "0",
    "RateLimit-Reset": "30",
    "X-RateLimit-Reset": String(MIDNIGHT),
    "Retry-After": "30",
  });
  stack.clock.set(MIDNIGHT - 1);
  expect((await read(stack, caller)).status).toBe(429);
  stack.clock.set(MIDNIGHT);
  // The per-minute window continues across midnight, so earlier calls still count.
  expect(limitsIn(await read(stack, caller))["RateLimit"]).toBe('"account";r=56;t=30, "daily";r=2;t=86400');
  stack.clock.set(MIDNIGHT + DAY_MS);
  expect(await usedOf(stack, caller)).toEqual({ account: 0, daily: 0 });
});

const noServer = whyNoServer();

describe.skipIf(noServer !== undefined)(
  noServer === undefined ? "a lost Redis" : `a lost Redis, skipped: ${noServer}`,
  () => {
    const issued = { "x-service-key": "operator-issued-key-one-0123456789" };
    let port: number;
    let server: ChildProcess;
    let stack: Stack;
    beforeAll(async () => {
      port = await freePort();
      server = await startServer(port);
      const env = { REDIS_URL: `redis://127.0.0.1:${port}`, VIGIL_ENTERPRISE_KEYS: issued["x-service-key"] };
      stack = await startStack({ env });
    }, 60_000);
    afterAll(async () => {
      await stack.close();
      await stop(server);
    });

    const mode = async () => limitsIn(await read(stack, issued))["X-RateLimit-Mode"];

    test("means that reads are not counted, batches are refused and replays work, until Redis is back", async () => {
      const replayed = { ...issued, "idempotency-key": "before" };
      expect((await post(stack.answer, BATCH, batchOf(1), replayed)).status).toBe(200);
      expect(await mode()).toBeUndefined();

      await stop(server);
      await expect.poll(mode, { timeout: 10_000 }).toBe("degraded");
      const plain = await read(stack, issued);
      expect([plain.status, limitsIn(plain)]).toEqual([200, { "X-RateLimit-Mode": "degraded" }]);
      const account = await read(stack, issued, `${ACCOUNT}/get-account`);
      expect([account.status, limitsIn(account)]).toEqual([200, { "X-RateLimit-Mode": "degraded" }]);
      const refused = await read(stack, {});
      expect([refused.status, limitsIn(refused)]).toEqual([401, { "X-RateLimit-Mode": "degraded" }]);
      for (const waiting of [
        await post(stack.answer, BATCH, batchOf(1), issued),
        await post(stack.answer, BATCH, batchOf(1), { ...issued, "idempotency-key": "after" }),
        await post(stack.answer, `${ACCOUNT}/sign-in`, { key: "wrong" }),
      ]) {
        expect([waiting.status, limitsIn(waiting)]).toEqual([
          503,
          { "X-RateLimit-Mode": "degraded", "Retry-After": "5" },
        ]);
        expect(json(waiting)).toEqual({
          message: "Limits cannot be checked now; repeat the request later",
          error: "Limits cannot be checked now; repeat the request later",
        });
      }
      const replay = await post(stack.answer, BATCH, batchOf(1), replayed);
      expect([replay.status, replay.headers["Idempotent-Replayed"]]).toEqual([200, "true"]);

      server = await startServer(port);
      await expect.poll(mode, { timeout: 20_000 }).toBeUndefined();
      expect(limitsIn(await read(stack, issued))["RateLimit-Policy"]).toBe('"key";q=1000;w=60');
      const repeat = await post(stack.answer, BATCH, batchOf(1), { ...issued, "idempotency-key": "after" });
      expect([repeat.status, repeat.headers["Idempotent-Replayed"]]).toEqual([200, "false"]);
    }, 60_000);
  },
);

function whyNoServer(): string | undefined {
  try {
    execFileSync(redisServer, ["--version"]);
    return undefined;
  } catch {
    return "no redis-server here";
  }
}

/** Starts a Redis server for this test, and waits until it accepts connections. */
async function startServer(port: number): Promise<ChildProcess> {
  const settings = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const child = spawn(redisServer, settings, { stdio: ["ignore", "pipe", "ignore"] });
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`redis-server ended with ${code}`)));
    child.stdout.on("data", (chunk: Buffer) => {
      if (chunk.includes("Ready to accept connections")) resolve();
    });
  });
  return child;
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}
