import { describe, expect, test } from "vitest";
import type { Principal } from "../contract/access/principal.js";
import { Failure } from "../contract/failures.js";
import type { DailyQuota } from "../contract/service-group.js";
import { headersIn } from "../kit/head-lines.js";
import type { Charge, Limiter, Standing, Verdict } from "../limits/limiter.js";
import { memoryLimiter } from "../limits/memory-limiter.js";
import { callLimits, type LimitedCall, limitDefaults, limitTable } from "./call-limits.js";

const NOON = Date.UTC(2026, 10, 18, 12);

const brief: DailyQuota = {
  name: "brief",
  calls: "country briefs",
  callsMax: { pro: 500, starter: 1_000, business: 10_000 },
};

describe("VIGIL_LIMITS", () => {
  test("the defaults apply without entries", () => {
    expect(limitTable([])).toEqual({ calls: limitDefaults, quotas: [], paths: new Map() });
  });

  test("an entry changes only its own limit; if two entries name the same limit, the last one applies", () => {
    const table = limitTable(["starter-day=5", "operator-minute=0", "starter-day=000000007"]);
    expect(table.calls).toEqual({ ...limitDefaults, "starter-day": 7, "operator-minute": 0 });
  });

  test.each(["starter-hour=5", "Starter-day=5", "=5", "", "5"])(
    "%j is refused with an error that lists the known limits",
    (entry) => {
      const [name = ""] = entry.split("=");
      const names = Object.keys(limitDefaults).join(", ");
      expect(() => limitTable([entry])).toThrow(
        new Error(`VIGIL_LIMITS: ${name} is not a limit; the limits are ${names}`),
      );
    },
  );

  test("inherited members of objects are not limits", () => {
    expect(() => limitTable(["toString=5"])).toThrow("VIGIL_LIMITS: toString is not a limit");
  });

  test("a second equals sign makes the number invalid", () => {
    expect(() => limitTable(["starter-day=5=6"])).toThrow('starter-day must be a whole number, got "5=6"');
  });

  test.each(["", "many", "-1", "1.5", "1e3", " 5", "1234567890"])("the error for %j names the limit", (value) => {
    const sentence = `VIGIL_LIMITS: starter-day must be a whole number, got "${value}"`;
    expect(() => limitTable([`starter-day=${value}`])).toThrow(new Error(sentence));
  });

  test("an entry without a number is refused", () => {
    expect(() => limitTable(["starter-day"])).toThrow('starter-day must be a whole number, got ""');
  });
});

describe("VIGIL_LIMITS of a declared quota", () => {
  test("an entry changes the quota of one plan", () => {
    expect(limitTable(["brief-pro-day=7"], [brief]).quotas).toEqual([
      { quota: brief, callsMax: { pro: 7, starter: 1_000, business: 10_000 } },
    ]);
  });

  test("an entry of a quota that no service declares is refused", () => {
    expect(() => limitTable(["brief-pro-day=7"])).toThrow("VIGIL_LIMITS: brief-pro-day is not a limit");
  });
});

const principal = (changes: Partial<Principal>): Principal => ({
  kind: "key",
  actor: "key_1",
  accountId: "acc_1",
  scopes: new Set(["read"]),
  plan: "free",
  planState: "active",
  isOperator: false,
  ...changes,
});

const anonymous = principal({ kind: "anonymous", actor: "anonymous", accountId: undefined });
const batchLimit = { name: "batch-execute", callsMax: 30 };
const signInLimit = { name: "sign-in", callsMax: 30 };
const limits = limitTable([], [brief], [batchLimit, signInLimit]);

/** Returns the charges of a call, each as `subject limit max window`. */
async function chargesOf(call: Partial<LimitedCall>): Promise<readonly string[]> {
  const allCharges: Charge[] = [];
  const memory = memoryLimiter();
  const limiter: Limiter = {
    ...memory,
    take(charges, now) {
      allCharges.push(...charges);
      return memory.take(charges, now);
    },
  };
  const limited = { principal: undefined, address: "192.0.2.1", ...call };
  await callLimits(limiter, limits, () => NOON, failOnFault).charge(limited);
  return allCharges.map(({ subject, limit: { name, max, window } }) => {
    const span = window.kind === "sliding" ? window.ms : window.kind;
    return [subject, name, max, span].join(" ");
  });
}

function failOnFault(error: unknown): never {
  throw error;
}

describe("the limits of a call", () => {
  const starter = ["acc_1 account 60 60000", "acc_1 daily 1000 utc-day"];
  const business = ["acc_1 account 300 60000", "acc_1 daily 10000 utc-day"];
  const ofAccount = ["acc_1 default 600 60000"];
  const cases: readonly {
    readonly who: string;
    readonly call: Partial<LimitedCall>;
    readonly charges: readonly string[];
  }[] = [
    { who: "a caller without a credential", call: {}, charges: ["192.0.2.1 default 600 60000"] },
    { who: "a caller of public reads", call: { principal: anonymous }, charges: ["192.0.2.1 default 600 60000"] },
    { who: "a starter key", call: { principal: principal({ plan: "starter" }) }, charges: starter },
    { who: "a business key", call: { principal: principal({ plan: "business" }) }, charges: business },
    {
      who: "a key of an enterprise account",
      call: { principal: principal({ plan: "enterprise" }) },
      charges: ["key_1 key 1000 60000"],
    },
    {
      who: "an operator-issued key",
      call: {
        principal: principal({ kind: "enterprise", plan: "enterprise", accountId: "operator", actor: "enterprise_1" }),
      },
      charges: ["enterprise_1 key 1000 60000"],
    },
    {
      who: "an operator-issued key with every scope",
      call: {
        principal: principal({ kind: "enterprise", plan: "enterprise", actor: "enterprise_1", isOperator: true }),
      },
      charges: ["enterprise_1 key 1000 60000"],
    },
    {
      who: "a key of the operator's account",
      call: { principal: principal({ plan: "enterprise", accountId: "operator", isOperator: true }) },
      charges: ["key_1 key 6000 60000"],
    },
    { who: "a free session", call: { principal: principal({ kind: "session" }) }, charges: ofAccount },
    { who: "a Pro session", call: { principal: principal({ kind: "session", plan: "pro" }) }, charges: ofAccount },
    {
      who: "a session of a starter account",
      call: { principal: principal({ kind: "session", plan: "starter" }) },
      charges: starter,
    },
    { who: "a Pro token", call: { principal: principal({ kind: "bearer", plan: "pro" }) }, charges: ofAccount },
    {
      who: "a token of a business account",
      call: { principal: principal({ kind: "bearer", plan: "business" }) },
      charges: business,
    },
    {
      who: "a token of a starter account",
      call: { principal: principal({ kind: "bearer", plan: "starter" }) },
      charges: starter,
    },
    {
      who: "a token of an enterprise account",
      call: { principal: principal({ kind: "bearer", plan: "enterprise", actor: "openid acc_1" }) },
      charges: ["openid acc_1 key 1000 60000"],
    },
    {
      who: "a session of a business account",
      call: { principal: principal({ kind: "session", plan: "business" }) },
      charges: business,
    },
    {
      who: "an anonymous caller, from an IPv6 address",
      call: { address: "2001:db8:0:1:2:3:4:5" },
      charges: ["2001:db8:0:1::/64 default 600 60000"],
    },
    {
      who: "a starter key on a path about its account",
      call: { principal: principal({ plan: "starter" }), isOwnAccount: true },
      charges: ["acc_1 own-account 600 60000"],
    },
    {
      who: "a starter key on a path with its own limit",
      call: { principal: principal({ plan: "starter" }), pathLimit: batchLimit },
      charges: ["acc_1 batch-execute 30 60000"],
    },
    {
      who: "an anonymous caller on a path with its own limit",
      call: { pathLimit: signInLimit },
      charges: ["192.0.2.1 sign-in 30 60000"],
    },
    {
      who: "a caller of public reads on a path with its own limit",
      call: { principal: anonymous, pathLimit: signInLimit },
      charges: ["192.0.2.1 sign-in 30 60000"],
    },
  ];
  test.each(cases)("a call by $who is charged to: $charges", async ({ call, charges }) => {
    expect(await chargesOf(call)).toEqual(charges);
  });

  test("VIGIL_LIMITS changes a declared path limit", async () => {
    const tight = limitTable(["sign-in=7"], [], [batchLimit, signInLimit]);
    const subject = callLimits(memoryLimiter(), tight, () => NOON, failOnFault);
    const caller = { principal: undefined, address: "192.0.2.1" };
    const [signIns] = await subject.standings({ ...caller, pathLimit: signInLimit });
    const [batches] = await subject.standings({ ...caller, pathLimit: batchLimit });
    expect(signIns).toMatchObject({ limit: { name: "sign-in", max: 7 }, remaining: 7 });
    expect(batches).toMatchObject({ limit: { name: "batch-execute", max: 30 } });
  });

  test("VIGIL_LIMITS refuses a path limit that no path declares", () => {
    expect(() => limitTable(["sign-in=7"], [], [batchLimit])).toThrow("VIGIL_LIMITS: sign-in is not a limit");
  });

  test("the keys of an account share its allowance, except those of an enterprise account", async () => {
    const of = async (plan: Principal["plan"]) => [
      await chargesOf({ principal: principal({ plan, actor: "key_1" }) }),
      await chargesOf({ principal: principal({ plan, actor: "key_2" }) }),
    ];
    const [firstStarter, secondStarter] = await of("starter");
    expect(firstStarter).toEqual(secondStarter);
    const [first, second] = await of("enterprise");
    expect(first).not.toEqual(second);
  });
});

describe("invalid credentials", () => {
  test("invalid credentials beyond the limit of their address or /64 get a 429", async () => {
    const clock = { now: NOON };
    const subject = callLimits(memoryLimiter(), limitTable(["refused-credentials=2"]), () => clock.now, failOnFault);
    await subject.chargeRefusedCredential("2001:db8::1");
    await subject.chargeRefusedCredential("2001:db8::2");
    expect(() => subject.chargeRefusedCredential("2001:db8::3")).toThrow(
      expect.objectContaining({ status: 429, headers: expect.objectContaining({ "Retry-After": "60" }) }),
    );
    await subject.chargeRefusedCredential("2001:db8:0:1::1");
    clock.now += 60_000;
    await subject.chargeRefusedCredential("2001:db8::3");
  });

  test("invalid credentials and replays are not limited while the store of the counters is down", async () => {
    const faults: unknown[] = [];
    const down: Limiter = { ...memoryLimiter(), take: () => Promise.reject(new Error("down")) };
    const subject = callLimits(
      down,
      limits,
      () => NOON,
      (error) => faults.push(error),
    );
    await subject.chargeRefusedCredential("192.0.2.1");
    await subject.chargeReplay({ principal: undefined, address: "192.0.2.1" });
    expect(faults).toHaveLength(2);
  });
});

describe("replays", () => {
  test("replays count against a separate limit of each account", async () => {
    const subject = callLimits(memoryLimiter(), limitTable(["replays=1"]), () => NOON, failOnFault);
    const call = (accountId: string): LimitedCall => ({ principal: principal({ accountId }), address: "192.0.2.1" });
    await subject.chargeReplay(call("acc_1"));
    await subject.chargeReplay(call("acc_2"));
    expect(() => subject.chargeReplay(call("acc_1"))).toThrow(expect.objectContaining({ status: 429 }));
  });
});

describe("MCP messages", () => {
  test("messages without a credential count against the limit of their own address", async () => {
    const subject = callLimits(memoryLimiter(), limitTable(["mcp-messages=1"]), () => NOON, failOnFault);
    const call = (address: string): LimitedCall => ({ principal: anonymous, address });
    await subject.chargeMessage(call("192.0.2.1"));
    await subject.chargeMessage(call("192.0.2.2"));
    expect(() => subject.chargeMessage(call("192.0.2.1"))).toThrow(expect.objectContaining({ status: 429 }));
  });
});

describe("a used-up limit", () => {
  const tight = limitTable(["starter-minute=2", "default-minute=1", "starter-day=3"]);
  const starter = { principal: principal({ plan: "starter" }), address: "192.0.2.1" };

  function opened(at = NOON) {
    const clock = { now: at };
    return { clock, subject: callLimits(memoryLimiter(), tight, () => clock.now, failOnFault) };
  }

  async function refusalOf(charge: () => unknown): Promise<Failure> {
    try {
      await charge();
    } catch (error) {
      if (error instanceof Failure) return error;
      throw error;
    }
    throw new Error("the call was not refused");
  }

  test("a refusal by the limit per minute names the plan, the limit and the time of the next unit", async () => {
    const { subject } = opened();
    for (let count = 0; count < 2; count++) await subject.charge(starter);
    const refused = await refusalOf(() => subject.charge(starter));
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual({
      message: expect.any(String),
      error: expect.any(String),
      plan: "starter",
      limit: 2,
      limit_type: "per_minute",
      reset: new Date(NOON + 60_000).toISOString(),
    });
    expect(refused.headers).toMatchObject({ "Retry-After": "60", "X-RateLimit-Reset": String(NOON + 60_000) });
  });

  test("a refusal by the limit per day lasts until midnight, and a refused call is not counted", async () => {
    const { subject, clock } = opened();
    for (let count = 0; count < 3; count++) {
      await subject.charge(starter);
      clock.now += 60_000;
    }
    const refused = await refusalOf(() => subject.charge(starter));
    expect(refused.body).toMatchObject({ limit: 3, limit_type: "daily", reset: "2026-11-19T00:00:00.000Z" });
    clock.now = Date.UTC(2026, 10, 19);
    const standings: readonly Standing[] = await subject.standings(starter);
    expect(standings.map(({ remaining }) => remaining)).toEqual([2, 3]);
  });

  test("a refusal by the limit of an address names no plan", async () => {
    const { subject } = opened();
    const nobody = { principal: undefined, address: "192.0.2.1" };
    await subject.charge(nobody);
    const refused = await refusalOf(() => subject.charge(nobody));
    expect([refused.status, refused.body]).toEqual([429, { message: "Too many requests", error: "Too many requests" }]);
    await subject.charge({ ...nobody, address: "192.0.2.2" });
  });

  test("a call about the caller's own account is allowed after the account's limit is used up", async () => {
    const { subject } = opened();
    for (let count = 0; count < 2; count++) await subject.charge(starter);
    const refused = await refusalOf(() => subject.charge(starter));
    expect(refused.failure).toBe("accountLimit");
    const { lines } = await subject.charge({ ...starter, isOwnAccount: true });
    expect(headersIn(lines)["RateLimit"]).toBe('"own-account";r=599;t=60');
  });

  test("a unit of the daily limit can be refunded only once", async () => {
    const { subject } = opened();
    const charged = await subject.charge(starter);
    await charged.refundDay?.();
    await charged.refundDay?.();
    const standings: readonly Standing[] = await subject.standings(starter);
    expect(standings.map(({ remaining }) => remaining)).toEqual([1, 3]);
  });

  test("a call without a daily limit has no unit to refund", async () => {
    const { subject } = opened();
    expect((await subject.charge({ principal: undefined, address: "192.0.2.1" })).refundDay).toBeUndefined();
  });

  test("reading the standings of an account uses no units", async () => {
    const { subject } = opened();
    for (let count = 0; count < 5; count++) await subject.standings(starter);
    const standings: readonly Standing[] = await subject.standings(starter);
    expect(standings.map(({ limit, remaining }) => [limit.name, remaining])).toEqual([
      ["account", 2],
      ["daily", 3],
    ]);
  });
});

describe("the daily quota of briefs", () => {
  const account = (plan: Principal["plan"], changes: Partial<Principal> = {}) => principal({ plan, ...changes });
  const briefBy = (caller: Principal): LimitedCall => ({ principal: caller, address: "192.0.2.1", quota: brief });

  /** Returns a caller's quota of briefs; undefined if the caller's briefs are not counted. */
  async function quotaOf(caller: Principal): Promise<number | undefined> {
    const allCharges: Charge[] = [];
    const memory = memoryLimiter();
    const limiter: Limiter = {
      ...memory,
      take(charges, now) {
        allCharges.push(...charges);
        return memory.take(charges, now);
      },
    };
    await callLimits(limiter, limits, () => NOON, failOnFault).charge(briefBy(caller));
    return allCharges.find(({ limit }) => limit.name === "brief")?.limit.max;
  }

  test.each([
    ["a Pro account", account("pro", { kind: "bearer" }), 500],
    ["a Pro session", account("pro", { kind: "session" }), 500],
    ["a Starter account", account("starter"), 1_000],
    ["a Business account", account("business"), 10_000],
    ["an Enterprise account", account("enterprise"), undefined],
    ["an operator-issued key", account("enterprise", { kind: "enterprise" }), undefined],
    ["the operator", account("pro", { isOperator: true }), undefined],
  ] as const)("the daily quota of %s is %s (undefined: briefs are not counted)", async (_, caller, max) => {
    expect(await quotaOf(caller)).toBe(max);
  });

  test("the standing of the quota is reported only if the plan has a quota and briefs are counted", async () => {
    const subject = callLimits(memoryLimiter(), limits, () => NOON, failOnFault);
    const starter = account("starter");
    await subject.charge(briefBy(starter));
    const remaining = async (caller: Principal) =>
      (await subject.quotas(caller)).map(({ limit, remaining }) => [limit.name, limit.max, remaining]);
    expect(await remaining(starter)).toEqual([["brief", 1_000, 999]]);
    for (const caller of [account("free"), account("enterprise"), account("pro", { isOperator: true })]) {
      expect(await remaining(caller)).toEqual([]);
    }
  });

  test("an account's keys share the quota until midnight UTC, and a brief also counts as a call", async () => {
    const clock = { now: NOON };
    const subject = callLimits(
      memoryLimiter(),
      limitTable(["brief-starter-day=2"], [brief]),
      () => clock.now,
      failOnFault,
    );
    const [first, second] = [account("starter", { actor: "key_1" }), account("starter", { actor: "key_2" })];
    await subject.charge(briefBy(first));
    await subject.charge(briefBy(second));
    await subject.charge(briefBy(account("starter", { accountId: "acc_2" })));
    const refused = (): unknown => subject.charge(briefBy(first));
    clock.now = NOON + 12 * 60 * 60_000 - 1_001;
    expect(refused).toThrow(Failure);
    try {
      refused();
    } catch (error) {
      const { status, body, headers } = error as Failure;
      expect([status, headers["Retry-After"]]).toEqual([429, "2"]);
      expect(body).toMatchObject({ error: "Daily quota reached", limit: 2, resetsAt: "2026-11-19T00:00:00.000Z" });
    }
    const standings = await subject.standings({ principal: first, address: "" });
    // The two briefs of this account also counted as calls of the day. The refused brief did not.
    expect(standings.map(({ remaining }) => remaining)).toEqual([60, 998]);
    clock.now += 1_001;
    await subject.charge(briefBy(first));
  });

  test("the headers state the quota in addition to the limits of calls, and a 304 does not refund the quota", async () => {
    const subject = callLimits(memoryLimiter(), limitTable(["brief-starter-day=2"], [brief]), () => NOON, failOnFault);
    const charged = await subject.charge(briefBy(account("starter")));
    expect(headersIn(charged.lines)).toMatchObject({
      "RateLimit-Policy": '"account";q=60;w=60, "daily";q=1000;w=86400, "brief";q=2;w=86400',
      RateLimit: '"account";r=59;t=60, "daily";r=999;t=43200, "brief";r=1;t=43200',
      "RateLimit-Limit": "2",
      "RateLimit-Remaining": "1",
    });
    expect(headersIn((await charged.refundDay?.()) ?? "")).toMatchObject({
      RateLimit: '"account";r=59;t=60, "daily";r=1000;t=0, "brief";r=1;t=43200',
    });
  });

  test("a used-up quota is reported with a window of a day", async () => {
    const subject = callLimits(memoryLimiter(), limitTable(["brief-starter-day=1"], [brief]), () => NOON, failOnFault);
    await subject.charge(briefBy(account("starter")));
    await expect(async () => subject.charge(briefBy(account("starter")))).rejects.toMatchObject({
      failure: "quotaUsedUp",
      headers: {
        "RateLimit-Policy": '"account";q=60;w=60, "daily";q=1000;w=86400, "brief";q=1;w=86400',
        RateLimit: '"account";r=59;t=60, "daily";r=999;t=43200, "brief";r=0;t=43200',
        "RateLimit-Limit": "1",
        "RateLimit-Remaining": "0",
        "RateLimit-Reset": "43200",
        "X-RateLimit-Remaining": "0",
        "Retry-After": "43200",
      },
    });
  });

  test("briefs are refused while they cannot be counted", async () => {
    const faults: unknown[] = [];
    const rejecting: Limiter = {
      take: (): Promise<Verdict> => Promise.reject(new Error("down")),
      look: () => [],
      close: async () => {},
    };
    const subject = callLimits(
      rejecting,
      limits,
      () => NOON,
      (error) => faults.push(error),
    );
    await expect(Promise.resolve(subject.charge(briefBy(account("pro"))))).rejects.toMatchObject({
      status: 503,
      failure: "quotaUnavailable",
      headers: { "Retry-After": "30" },
    });
    expect(faults).toHaveLength(1);
    await subject.charge(briefBy(account("enterprise")));
  });
});

describe("limits that cannot be checked", () => {
  const down = new Error("the counters are down");
  const rejecting: Limiter = {
    take: (): Promise<Verdict> => Promise.reject(down),
    look: (): Promise<readonly Standing[]> => Promise.reject(down),
    close: async () => undefined,
  };

  function opened() {
    const faults: unknown[] = [];
    return {
      faults,
      subject: callLimits(
        rejecting,
        limits,
        () => NOON,
        (error) => faults.push(error),
      ),
    };
  }

  const nobody = { principal: undefined, address: "192.0.2.1" };

  test("without counters, a call passes with the degraded header, and the fault is reported", async () => {
    const { subject, faults } = opened();
    expect(await subject.charge(nobody)).toEqual({
      lines: "X-RateLimit-Mode: degraded\r\n",
      refundDay: undefined,
    });
    expect(faults).toEqual([down]);
  });

  test("without counters, a call to a path with its own limit is refused", async () => {
    const { subject, faults } = opened();
    const charge = async () => subject.charge({ ...nobody, pathLimit: signInLimit });
    await expect(charge()).rejects.toMatchObject({ failure: "limiterUnavailable", status: 503 });
    expect(faults).toEqual([down]);
  });

  test("without counters, a call that is refused for another reason gets only the degraded header", async () => {
    const { subject } = opened();
    const standing = await subject.standing({ ...nobody, pathLimit: signInLimit });
    expect(standing).toBe("X-RateLimit-Mode: degraded\r\n");
  });
});
