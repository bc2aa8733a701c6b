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

/** The headers of a new reading key. */
async function keyOf(stack: Stack, accountId: string, name = "reader"): Promise<CallHeaders> {
  return byKey(await makeKey(stack, accountId, name, ["read"]));
}

/** The headers of the one key of a new account. */
async function newCaller(stack: Stack, plan: "starter" | "business" | "enterprise"): Promise<CallHeaders> {
  const { id } = await emptyAccount(stack, `${plan} account`, plan);
  return keyOf(stack, id);
}

const read = (stack: Stack, headers: CallHeaders, target = CPI) => call(stack.answer, "GET", target, headers);

interface Usage {
  readonly name: string;
  readonly used: number;
}

/** Units used, by the name of the limit. */
async function usedOf(stack: Stack, headers: CallHeaders): Promise<Readonly<Record<string, number>>> {
  const answer = await read(stack, headers, `${ACCOUNT}/get-usage`);
  const { limits } = json(answer) as { limits: readonly Usage[] };
  return Object.fromEntries(limits.map(({ name, used }) => [name, used]));
}

/** The limit headers as a client would see them, whichever step has written them. */
function limitsIn({ headers, limitHeaders }: IdentifiedAnswer): Readonly<Record<string, string>> {
  const all = { ...headers, ...limitHeaders };
  return Object.fromEntries(Object.entries(all).filter(([name]) => /^(?:x-)?ratelimit|^retry-after$/i.test(name)));
}

const batchOf = (count: number) => ({ operations: Array.from({ length: count }, () => ({ path: CPI })) });

/** Most of the times that lie in any window of `ms`, wherever it begins. The times are in order. */
function busiest(times: readonly number[], ms: number): number {
  let from = 0;
  let most = 0;
  for (const [index, time] of times.entries()) {
    while ((times[from] ?? time) <= time - ms) from += 1;
    most = Math.max(most, index - from + 1);
  }
  return most;
}

test("the busiest window is found wherever it begins", () => {
  expect(busiest([], 10)).toBe(0);
  expect(busiest([0, 9, 10, 19, 40], 10)).toBe(2);
  expect(busiest([0, 5, 9, 10, 14], 10)).toBe(4);
});

/** When the calls were taken that 50 callers made at once, again and again for some minutes. */
async function rush(
  nodes: readonly Stack[],
  callers: readonly CallHeaders[],
  rounds: number,
): Promise<{ readonly takenAt: number[]; readonly refused: number }> {
  const random = seededRandom(11);
  const takenAt: number[] = [];
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
      if (status === 200) takenAt.push(nodes[0]?.clock.now() ?? 0);
      else refused += 1;
      expect([200, 429]).toContain(status);
    }
  }
  return { takenAt, refused };
}

describe("50 callers at once", () => {
  test("get the account's allowance in every window of a minute, and no more, in memory", async () => {
    const stack = await start();
    const { id } = await emptyAccount(stack, "Rush", "starter");
    const keys = await Promise.all(["one", "two", "three"].map((name) => keyOf(stack, id, name)));
    const { takenAt, refused } = await rush([stack], keys, 60);
    expect(busiest(takenAt, MINUTE_MS)).toBe(60);
    expect(takenAt.length).toBeGreaterThan(120);
    expect(takenAt.length + refused).toBe(60 * 50);
  });

  test("with a limit that their first burst does not use up, the same", async () => {
    const stack = await start({ VIGIL_LIMITS: "business-minute=170" });
    const { takenAt } = await rush([stack], [await newCaller(stack, "business")], 60);
    expect(busiest(takenAt, MINUTE_MS)).toBe(170);
  });

  test("get a day's allowance once", async () => {
    const stack = await start({ VIGIL_LIMITS: "starter-minute=1000,starter-day=120" });
    const caller = await newCaller(stack, "starter");
    const { takenAt } = await rush([stack], [caller], 4);
    expect(takenAt).toHaveLength(120);
  });
});

const noRedis = await whyNoRedis();

describe.skipIf(noRedis !== undefined)(noRedis === undefined ? "two nodes" : `two nodes, skipped: ${noRedis}`, () => {
  test("share one allowance: no window of a minute holds more, whichever node is asked", async () => {
    const key = `operator-${randomUUID()}`;
    const env = {
      REDIS_URL: process.env["REDIS_URL"] || "redis://127.0.0.1:6379",
      VIGIL_ENTERPRISE_KEYS: key,
      VIGIL_LIMITS: "enterprise-minute=40",
    };
    const nodes = await Promise.all([start(env), start(env)]);
    const { takenAt } = await rush(nodes, [{ "x-service-key": key }], 40);
    expect(busiest(takenAt, MINUTE_MS)).toBe(40);
    expect(takenAt.length).toBeGreaterThan(80);
    const used = await Promise.all(nodes.map((node) => usedOf(node, { "x-service-key": key })));
    expect(used[0]).toEqual(used[1]);
  }, 60_000);
});

describe("headers", () => {
  test("count down exactly, say when the next unit comes free, and recover", async () => {
    const stack = await start({ VIGIL_LIMITS: "starter-minute=5,starter-day=100" });
    const caller = await newCaller(stack, "starter");
    for (let made = 1; made <= 5; made += 1) {
      expect(limitsIn(await read(stack, caller))).toEqual(minuteHeaders(stack, 5 - made, 61 - made, 100 - made));
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

  /** What a call tells a starter account of 5 a minute and 100 a day. */
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

  test("seconds are rounded up and the instant is in whole milliseconds", async () => {
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

  test("callers without a credential stand at the default of their address, whose 401 costs nothing", async () => {
    const stack = await start();
    for (let made = 0; made < 3; made += 1) {
      const refused = await read(stack, {});
      expect(refused.status).toBe(401);
      expect(limitsIn(refused)).toEqual({
        "RateLimit-Policy": '"default";q=600;w=60',
        RateLimit: '"default";r=600;t=0',
        ...plainHeaders(600, 600, 0, NOON),
      });
    }
  });

  test("the account paths count against another limit, so that they answer when the allowance is used up", async () => {
    const stack = await start({ VIGIL_LIMITS: "starter-minute=1" });
    const caller = await newCaller(stack, "starter");
    await read(stack, caller);
    expect((await read(stack, caller)).status).toBe(429);
    const account = await read(stack, caller, `${ACCOUNT}/get-account`);
    expect(account.status).toBe(200);
    expect(limitsIn(account)["RateLimit-Policy"]).toMatch(/^"(?:default|own-account)";q=600;w=60$/);
  });
});

describe("credentials that open nothing", () => {
  test("are answered with 401, then with 429, while a known key of the same address is let in", async () => {
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

describe("the work of projections", () => {
  // Each expression is another, so that none is answered from the cache.
  const projecting = (text: string): string => `${CPI}?jmespath=${encodeURIComponent(`[@, '${text}']`)}`;

  async function untilRefused(ask: (target: string) => Promise<IdentifiedAnswer>): Promise<IdentifiedAnswer> {
    for (let count = 0; count < 200; count += 1) {
      const answer = await ask(projecting(`${count}`));
      if (answer.status !== 200) return answer;
    }
    throw new Error("never refused");
  }

  test("of one account is refused with 429 while another account is served", async () => {
    const stack = await start({ VIGIL_PROJECTION_FUEL_PER_MINUTE: "1000" });
    const [busy, other] = [await newCaller(stack, "enterprise"), await newCaller(stack, "enterprise")];
    const refused = await untilRefused((target) => read(stack, busy, target));
    expect(refused.status).toBe(429);
    expect(refused.headers["Retry-After"]).toMatch(/^\d+$/);
    expect((await read(stack, other, projecting("other"))).status).toBe(200);
    expect((await read(stack, busy)).status).toBe(200);
  });

  test("of callers without an account counts by address", async () => {
    const stack = await start({ VIGIL_PROJECTION_FUEL_PER_MINUTE: "1000", VIGIL_PUBLIC_READS: "on" });
    const from = (address: string) => (target: string) => call(stack.answer, "GET", target, {}, { from: address });
    expect((await untilRefused(from("2001:db8::1"))).status).toBe(429);
    expect((await from("2001:db8::2")(projecting("neighbour"))).status).toBe(429);
    expect((await from("192.0.2.1")(projecting("other"))).status).toBe(200);
  });
});

describe("what costs less", () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await start({ VIGIL_LIMITS: "starter-minute=20,starter-day=100" });
    await stack.run("us-cpi");
  });

  test("a 304 gives its daily unit back, which its own headers show, and counts in the minute", async () => {
    const caller = await newCaller(stack, "starter");
    const first = await read(stack, caller);
    const revalidate = () => read(stack, { ...caller, "if-none-match": first.headers["ETag"] ?? "" });
    for (let made = 1; made <= 19; made += 1) {
      const answer = await revalidate();
      expect([answer.status, limitsIn(answer)["RateLimit"]]).toEqual([
        304,
        `"account";r=${19 - made};t=60, "daily";r=99;t=43200`,
      ]);
    }
    expect(await usedOf(stack, caller)).toEqual({ account: 20, daily: 1 });
    expect((await revalidate()).status).toBe(429);
  });

  test("a 304 is no way around a day that is used up", async () => {
    const day = await start({ VIGIL_LIMITS: "starter-day=1" });
    await day.run("us-cpi");
    const caller = await newCaller(day, "starter");
    const first = await read(day, caller);
    expect((await read(day, { ...caller, "if-none-match": first.headers["ETag"] ?? "" })).status).toBe(429);
  });

  test("a refused call is not counted, neither in the minute nor in the day", async () => {
    const caller = await newCaller(stack, "starter");
    for (let made = 0; made < 50; made += 1) await read(stack, caller);
    expect(await usedOf(stack, caller)).toEqual({ account: 20, daily: 20 });
    stack.clock.advance(MINUTE_MS);
    expect(await usedOf(stack, caller)).toEqual({ account: 0, daily: 20 });
  });

  test("asking how one stands costs nothing of the allowance", async () => {
    const caller = await newCaller(stack, "starter");
    await read(stack, caller);
    for (let made = 0; made < 5; made += 1) expect(await usedOf(stack, caller)).toEqual({ account: 1, daily: 1 });
  });

  test("a 400 and a 404 cost a unit like any answer", async () => {
    const caller = await newCaller(stack, "starter");
    expect((await read(stack, caller, `${CPI}?history=banana`)).status).toBe(400);
    expect(await usedOf(stack, caller)).toEqual({ account: 1, daily: 1 });
  });

  test("an idempotent replay costs nothing at all, and is answered when nothing is left", async () => {
    const caller = await newCaller(stack, "starter");
    const send = () => post(stack.answer, BATCH, batchOf(3), { ...caller, "idempotency-key": "k" });
    const first = await send();
    expect([first.status, limitsIn(first)["RateLimit"]]).toEqual([200, '"batch-execute";r=29;t=60']);
    for (let made = 0; made < 40; made += 1) {
      const replay = await send();
      expect([replay.status, replay.headers["Idempotent-Replayed"]]).toEqual([200, "true"]);
      expect(limitsIn(replay)["RateLimit"]).toBe('"batch-execute";r=29;t=60');
      expect(String(replay.body)).toBe(String(first.body));
    }
    expect(await usedOf(stack, caller)).toEqual({ account: 3, daily: 3 });
    for (let made = 0; made < 29; made += 1) await post(stack.answer, BATCH, batchOf(1), caller);
    expect((await post(stack.answer, BATCH, batchOf(1), caller)).status).toBe(429);
    expect((await send()).status).toBe(200);
  });
});

describe("batch", () => {
  test("a call counts once against its own limit, and each item against the account", async () => {
    const stack = await start();
    const caller = await newCaller(stack, "business");
    for (let made = 1; made <= 30; made += 1) {
      const answer = await post(stack.answer, BATCH, batchOf(2), caller);
      expect([answer.status, limitsIn(answer)["RateLimit-Policy"]]).toEqual([200, '"batch-execute";q=30;w=60']);
      expect(limitsIn(answer)["RateLimit-Remaining"]).toBe(String(30 - made));
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

  test("items beyond the allowance are refused one by one", async () => {
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

  test("one account's batches leave another's alone", async () => {
    const stack = await start();
    const [one, other] = [await newCaller(stack, "business"), await newCaller(stack, "business")];
    for (let made = 0; made < 31; made += 1) await post(stack.answer, BATCH, batchOf(1), one);
    expect((await post(stack.answer, BATCH, batchOf(1), one)).status).toBe(429);
    expect((await post(stack.answer, BATCH, batchOf(1), other)).status).toBe(200);
  });
});

describe("whose allowance it is", () => {
  let stack: Stack;
  const issued = ["operator-issued-key-one-0123456789", "operator-issued-key-two-0123456789"] as const;
  beforeEach(async () => {
    const limits = "starter-minute=6,business-minute=6,enterprise-minute=6,operator-minute=6";
    stack = await start({ VIGIL_LIMITS: limits, VIGIL_ENTERPRISE_KEYS: issued.join(",") });
  });

  const leftOf = async (headers: CallHeaders) => limitsIn(await read(stack, headers))["RateLimit-Remaining"];

  test.each(["starter", "business"] as const)("all keys and sessions of a %s account share one", async (plan) => {
    const { id } = await emptyAccount(stack, plan, plan);
    const [first, second] = [await makeKey(stack, id, "first", ["read"]), await makeKey(stack, id, "second", ["read"])];
    const session = await openSession(stack, { key: first.key });
    const callers = [byKey(first), byKey(second), { "x-service-key": session }];
    const left = [];
    for (let made = 0; made < 6; made += 1) left.push(await leftOf(callers[made % 3] ?? {}));
    expect(left).toEqual(["5", "4", "3", "2", "1", "0"]);
    for (const caller of callers) expect((await read(stack, caller)).status).toBe(429);
    const other = await newCaller(stack, plan);
    expect(await leftOf(other)).toBe("5");
    expect((await read(stack, await keyOf(stack, id, "third"))).status).toBe(429);
  });

  test("each key of an enterprise account has one of its own", async () => {
    const { id } = await emptyAccount(stack, "Enterprise", "enterprise");
    const [first, second] = [await keyOf(stack, id, "first"), await keyOf(stack, id, "second")];
    for (let made = 0; made < 6; made += 1) await read(stack, first);
    expect((await read(stack, first)).status).toBe(429);
    expect(await leftOf(second)).toBe("5");
    expect(limitsIn(await read(stack, second))["RateLimit-Policy"]).toBe('"key";q=6;w=60');
  });

  test("each operator-issued key has one of its own, and so has each key of the operator's account", async () => {
    const callers = [
      { "x-service-key": issued[0] },
      { "x-service-key": issued[1] },
      await keyOf(stack, "operator", "first"),
      await keyOf(stack, "operator", "second"),
      byOwner(stack),
    ];
    for (const caller of callers) {
      const left = [];
      for (let made = 0; made < 6; made += 1) left.push(await leftOf(caller));
      expect(left).toEqual(["5", "4", "3", "2", "1", "0"]);
      expect((await read(stack, caller)).status).toBe(429);
    }
  });

  test("a key that is made anew does not begin a starter account's allowance anew", async () => {
    const { id } = await emptyAccount(stack, "Renewer", "starter");
    const manager = byKey(await makeKey(stack, id, "manager", ["read", "account:write"]));
    for (let made = 0; made < 6; made += 1) await read(stack, manager);
    const answer = await post(stack.answer, `${ACCOUNT}/create-key`, { name: "fresh" }, manager);
    const { key } = json(answer) as { key: string };
    expect((await read(stack, { "x-service-key": key })).status).toBe(429);
  });
});

describe("addresses", () => {
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

  /** Statuses of 31 attempts, the number of the attempt given to what makes its header. */
  async function attempts(stack: Stack, from: string, header: (attempt: number) => string | undefined) {
    const statuses: number[] = [];
    for (let made = 0; made < 31; made += 1) statuses.push((await signIn(stack, from, header(made))).status);
    return statuses;
  }

  const refusedOnce = [...Array.from({ length: 30 }, () => 401), 429];
  const neverRefused = Array.from({ length: 31 }, () => 401);

  test("30 attempts a minute to sign in, right or wrong; other addresses are not touched", async () => {
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

  test("30 at the same moment are 30", async () => {
    const stack = await start();
    const answers = await Promise.all(Array.from({ length: 50 }, () => signIn(stack, FAR)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(30);
  });

  test("without trusted proxies X-Forwarded-For changes nothing", async () => {
    const stack = await start();
    expect(await attempts(stack, FAR, (made) => `198.51.100.${made}`)).toEqual(refusedOnce);
    expect(await attempts(stack, "127.0.0.1", (made) => `198.51.100.${made}`)).toEqual(refusedOnce);
  });

  test("a trusted proxy names its callers, the last that is no proxy; others name nobody", async () => {
    const stack = await start({ VIGIL_TRUSTED_PROXIES: "10.0.0.0/8" });
    expect(await attempts(stack, FAR, (made) => `198.51.100.${made}`)).toEqual(refusedOnce);
    expect(await attempts(stack, NEAR, (made) => `198.51.100.${made}`)).toEqual(neverRefused);
    expect(await attempts(stack, NEAR, (made) => `192.0.2.${made}, 198.51.100.200, 10.0.0.7`)).toEqual(refusedOnce);
    expect((await signIn(stack, NEAR, "198.51.100.201")).status).toBe(401);
    // The caller that was refused behind the proxy is the one that comes without it.
    expect((await signIn(stack, "198.51.100.200")).status).toBe(429);
  });

  test("a header of a trusted proxy without an address counts against the proxy", async () => {
    const stack = await start({ VIGIL_TRUSTED_PROXIES: "10.0.0.0/8" });
    expect(await attempts(stack, NEAR, (made) => `unknown-${made}, _hidden`)).toEqual(refusedOnce);
  });
});

test("a day ends at midnight UTC", async () => {
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
  // The minute goes on across midnight: what was counted before it is still in its window.
  expect(limitsIn(await read(stack, caller))["RateLimit"]).toBe('"account";r=56;t=30, "daily";r=2;t=86400');
  stack.clock.set(MIDNIGHT + DAY_MS);
  expect(await usedOf(stack, caller)).toEqual({ account: 0, daily: 0 });
});

const noServer = whyNoServer();

describe.skipIf(noServer !== undefined)(
  noServer === undefined ? "Redis going away" : `Redis going away, skipped: ${noServer}`,
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

    test("reads go on uncounted, batches wait, replays are answered, and all is as before when it is back", async () => {
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
      const again = await post(stack.answer, BATCH, batchOf(1), { ...issued, "idempotency-key": "after" });
      expect([again.status, again.headers["Idempotent-Replayed"]]).toEqual([200, "false"]);
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

/** A Redis of this test's own, once it takes connections. */
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
