import { plans } from "../contract/access/plans.js";
import { budgetOf, OPERATOR_ACCOUNT, type Principal } from "../contract/access/principal.js";
import { type Failure, failure } from "../contract/failures.js";
import { type DailyQuota, isQuotaPlan, type QuotaPlan, quotaPlans } from "../contract/service-group.js";
import type { PathLimit } from "../contract/write.js";
import { addressBlock } from "../kit/address-block.js";
import { MINUTE_MS } from "../kit/clock.js";
import { type HeadLines, headersIn, headLines } from "../kit/head-lines.js";
import type { Charge, Limit, Limiter, Standing, Verdict } from "../limits/limiter.js";
import { rateLimitLines } from "../limits/rate-limit-lines.js";

/**
 * Limits on calls per minute and per day, by their names in the setting `VIGIL_LIMITS`. An operator may change each
 * limit.
 */
export const limitDefaults = {
  /** Callers without an allowance of their own: addresses, and accounts whose plan has no keys (free and pro). */
  "default-minute": 600,
  "starter-minute": 60,
  "starter-day": 1_000,
  "business-minute": 300,
  "business-day": 10_000,
  /** Each key of an enterprise account, and each operator-issued key. */
  "enterprise-minute": 1_000,
  /** Each key of the operator's own account, including the owner's key. */
  "operator-minute": 6_000,
  /** Invalid credentials from one address; further ones are answered with 429. */
  "refused-credentials": 600,
  /** Stored answers that are replayed to an account; a replay does not use the allowance. */
  replays: 300,
  /** Calls about the caller's own account; such a call does not use the allowance. */
  "own-account": 600,
  /** Messages to `/mcp`, counted in addition to the calls that they make. The number equals the largest allowance. */
  "mcp-messages": 6_000,
} as const satisfies Record<string, number>;
type LimitName = keyof typeof limitDefaults;

/** A quota with the numbers that apply: its defaults or those that the operator has set. */
export interface QuotaLimit {
  readonly quota: DailyQuota;
  /** Calls per UTC day by plan; other plans have no limit. */
  readonly callsMax: Readonly<Record<QuotaPlan, number>>;
}

export interface LimitTable {
  readonly calls: Readonly<Record<LimitName, number>>;
  readonly quotas: readonly QuotaLimit[];
  /** Calls per minute for paths with their own limit, by the name of the limit. */
  readonly paths: ReadonlyMap<string, number>;
}

const quotaName = ({ name }: DailyQuota, plan: QuotaPlan): string => `${name}-${plan}-day`;

/** Applies `name=number` entries to the defaults. Throws an error that names the invalid entry. */
export function limitTable(
  entries: readonly string[],
  quotas: readonly DailyQuota[] = [],
  pathLimits: readonly PathLimit[] = [],
): LimitTable {
  const quotaDefaults = quotas.flatMap((quota) =>
    quotaPlans.map((plan) => [quotaName(quota, plan), quota.callsMax[plan]] as const),
  );
  const pathDefaults = pathLimits.map(({ name, callsMax }) => [name, callsMax] as const);
  const numbers = new Map<string, number>([...Object.entries(limitDefaults), ...pathDefaults, ...quotaDefaults]);
  for (const entry of entries) {
    const [name = "", ...values] = entry.split("=");
    const value = values.join("=");
    if (!numbers.has(name)) {
      throw new Error(`VIGIL_LIMITS: ${name} is not a limit; the limits are ${[...numbers.keys()].join(", ")}`);
    }
    if (!/^\d{1,9}$/.test(value)) throw new Error(`VIGIL_LIMITS: ${name} must be a whole number, got "${value}"`);
    numbers.set(name, Number(value));
  }
  const numberOf = (name: string): number => numbers.get(name) ?? 0;
  return {
    // The cast is needed, because the result type of `Object.fromEntries` does not include the keys.
    calls: Object.fromEntries(Object.keys(limitDefaults).map((name) => [name, numberOf(name)])) as LimitTable["calls"],
    paths: new Map(pathLimits.map(({ name }) => [name, numberOf(name)])),
    quotas: quotas.map((quota) => ({
      quota,
      callsMax: {
        pro: numberOf(quotaName(quota, "pro")),
        starter: numberOf(quotaName(quota, "starter")),
        business: numberOf(quotaName(quota, "business")),
      },
    })),
  };
}

/** The facts about a call that select its limits. */
export interface LimitedCall {
  readonly principal: Principal | undefined;
  /** The caller's address. */
  readonly address: string;
  /** True for paths about the caller's account. Their separate limit lets them answer when the allowance is used up. */
  readonly isOwnAccount?: boolean;
  /** The name and the calls per minute of the path's own limit, which fails closed. */
  readonly pathLimit?: PathLimit | undefined;
  /** A quota of the operation per UTC day, counted in addition to the allowance; it fails closed. */
  readonly quota?: DailyQuota | undefined;
}

/** The outcome of charging one call. */
export interface Charged {
  /** The rate limit headers. */
  readonly lines: HeadLines;
  /**
   * Refunds the daily unit of a call that was answered with a 304, and returns the new headers. Undefined if the call
   * has no daily allowance.
   */
  readonly refundDay: (() => HeadLines | Promise<HeadLines>) | undefined;
}

/** Charges calls according to the contract's table of limits. */
export interface CallLimits {
  /** Charges a call. Throws the 429, or the 503 if a limit that fails closed cannot be checked. */
  charge(call: LimitedCall): Charged | Promise<Charged>;
  /** Counts an invalid credential against its address. Throws the 429 if there were too many. */
  chargeRefusedCredential(address: string): void | Promise<void>;
  /** Counts the replay of a stored answer. Throws the 429 if there were too many. */
  chargeReplay(call: LimitedCall): void | Promise<void>;
  /** Counts an MCP message, apart from the calls that it makes. Throws the 429 if there were too many. */
  chargeMessage(call: LimitedCall): void | Promise<void>;
  /** Returns the headers of a call that was refused before it was charged. */
  standing(call: LimitedCall): HeadLines | Promise<HeadLines>;
  /** Returns the caller's standing in each limit against which this call would count, without charging the call. */
  standings(call: LimitedCall): readonly Standing[] | Promise<readonly Standing[]>;
  /** Returns the standings of an account in the daily quotas of operations. */
  quotas(principal: Principal): readonly Standing[] | Promise<readonly Standing[]>;
}

export function callLimits(
  limiter: Limiter,
  { calls: table, quotas: quotaTable, paths: pathTable }: LimitTable,
  now: () => number,
  onFault: (error: unknown) => void,
): CallLimits {
  const minute = (name: string, max: number): Limit => ({ name, max, window: { kind: "sliding", ms: MINUTE_MS } });
  const day = (name: string, max: number): Limit => ({ name, max, window: { kind: "utc-day" } });
  const limits = {
    default: minute("default", table["default-minute"]),
    ownAccount: minute("own-account", table["own-account"]),
    refusedCredentials: minute("refused-credentials", table["refused-credentials"]),
    replays: minute("replays", table.replays),
    messages: minute("mcp-messages", table["mcp-messages"]),
    starter: [minute("account", table["starter-minute"]), day("daily", table["starter-day"])],
    business: [minute("account", table["business-minute"]), day("daily", table["business-day"])],
    enterprise: [minute("key", table["enterprise-minute"])],
    operator: [minute("key", table["operator-minute"])],
  } as const;
  const quotas = new Map(
    quotaTable.map(({ quota, callsMax }) => {
      const byPlan: Readonly<Record<QuotaPlan, Limit>> = {
        pro: quotaLimit(quota, callsMax.pro),
        starter: quotaLimit(quota, callsMax.starter),
        business: quotaLimit(quota, callsMax.business),
      };
      return [quota.name, byPlan] as const;
    }),
  );
  const ofPaths = new Map([...pathTable].map(([name, callsMax]) => [name, minute(name, callsMax)]));
  const chargesOf = new WeakMap<Principal, readonly Charge[]>();

  /**
   * The allowances of the caller's plan. Each key of an enterprise account or of the operator's account, and each
   * operator-issued key, has its own allowance. The keys of any other account share one allowance.
   */
  function allowances(principal: Principal): readonly Charge[] {
    const { kind, plan, actor, isOperator } = principal;
    const subject = subjectOf(principal);
    if (kind === "enterprise") return limits.enterprise.map((limit) => ({ subject: actor, limit }));
    if (isOperator) return limits.operator.map((limit) => ({ subject: actor, limit }));
    if (!plans[plan].keys) return [{ subject, limit: limits.default }];
    if (plan === "enterprise") return limits.enterprise.map((limit) => ({ subject: actor, limit }));
    return limits[plan === "business" ? "business" : "starter"].map((limit) => ({ subject, limit }));
  }

  function plainCharges({ principal, address, isOwnAccount }: LimitedCall): readonly Charge[] {
    if (!principal || principal.kind === "anonymous") return [chargeOf(principal, address, limits.default)];
    if (isOwnAccount) return [{ subject: subjectOf(principal), limit: limits.ownAccount }];
    let charges = chargesOf.get(principal);
    if (!charges) {
      charges = allowances(principal);
      chargesOf.set(principal, charges);
    }
    return charges;
  }

  /**
   * A call with a quota counts against the quota in addition to its other limits. A call to a path with its own limit
   * counts against that limit only; operations that such a call runs count separately.
   */
  function charges(call: LimitedCall): readonly Charge[] {
    const { pathLimit, quota, principal, address } = call;
    if (quota && principal) {
      const charge = quotaCharge(quota, principal);
      if (charge) return [...plainCharges(call), charge];
    }
    if (!pathLimit) return plainCharges(call);
    const { name, callsMax } = pathLimit;
    const limit = ofPaths.get(name) ?? minute(name, callsMax);
    return [chargeOf(principal, address, limit)];
  }

  /** Undefined for a caller without a quota. */
  function quotaCharge(quota: DailyQuota, principal: Principal): Charge | undefined {
    const { kind, isOperator, plan } = principal;
    if (kind === "enterprise" || isOperator || plan === "enterprise") return undefined;
    // Callers of the free plan get this far only if the operation is of tier 0. They then have the quota of `pro`.
    const limit = quotas.get(quota.name)?.[isQuotaPlan(plan) ? plan : "pro"];
    return limit && { subject: subjectOf(principal), limit };
  }

  /** The daily quotas to which the caller's plan gives access. */
  function quotaCharges(principal: Principal): readonly Charge[] {
    if (plans[principal.plan].tier === 0) return [];
    return quotaTable.flatMap(({ quota }) => quotaCharge(quota, principal) ?? []);
  }

  /** Takes one unit of a single limit. Fails open: the call passes if the limit cannot be checked. */
  function chargeOne(charge: Charge): void | Promise<void> {
    const at = now();
    const settleOne = ({ standings, refused }: Verdict): void => {
      if (refused) throw failure("tooManyRequests", { headers: headersIn(rateLimitLines(standings, refused, at)) });
    };
    const verdict = limiter.take([charge], at);
    if (!(verdict instanceof Promise)) return settleOne(verdict);
    return verdict.then(settleOne, onFault);
  }

  function settle(call: LimitedCall, charged: readonly Charge[], verdict: Verdict, at: number): Charged {
    const { refused, standings } = verdict;
    if (refused) throw refusal(call, refused, headersIn(rateLimitLines(standings, refused, at)));
    const hasDay = charged.some(isRefundable);
    return new Passed(standings, at, hasDay ? () => refund(verdict, at) : undefined);
  }

  function refund(verdict: Verdict, at: number): HeadLines | Promise<HeadLines> {
    const standings = verdict.giveBack(isRefundable);
    if (!(standings instanceof Promise)) return rateLimitLines(standings, undefined, at);
    return standings.then((settled) => rateLimitLines(settled, undefined, at));
  }

  /** Handles the loss of the counters. Only limits that fail closed refuse the call. */
  function unchecked(call: LimitedCall, error: unknown): Charged {
    onFault(error);
    if (call.pathLimit) throw failure("limiterUnavailable", null);
    if (call.quota && call.principal && quotaCharge(call.quota, call.principal))
      throw failure("quotaUnavailable", null);
    return { lines: headLines({ "X-RateLimit-Mode": "degraded" }), refundDay: undefined };
  }

  return {
    charge(call) {
      const at = now();
      const charged = charges(call);
      const verdict = limiter.take(charged, at);
      if (!(verdict instanceof Promise)) return settle(call, charged, verdict, at);
      return verdict.then(
        (settledVerdict) => settle(call, charged, settledVerdict, at),
        (error: unknown) => unchecked(call, error),
      );
    },
    chargeRefusedCredential: (address) => chargeOne(chargeOf(undefined, address, limits.refusedCredentials)),
    chargeReplay: ({ principal, address }) => chargeOne(chargeOf(principal, address, limits.replays)),
    chargeMessage: ({ principal, address }) => chargeOne(chargeOf(principal, address, limits.messages)),
    standing(call) {
      const at = now();
      const standings = limiter.look(charges({ ...call, quota: undefined }), at);
      if (!(standings instanceof Promise)) return rateLimitLines(standings, undefined, at);
      return standings.then(
        (settled) => rateLimitLines(settled, undefined, at),
        (error: unknown) => unchecked({ ...call, pathLimit: undefined, quota: undefined }, error).lines,
      );
    },
    standings: (call) => limiter.look(charges(call), now()),
    quotas: (principal) => limiter.look(quotaCharges(principal), now()),
  };
}

/**
 * A call within its limits. Its header lines are built only when they are read, because a 304 may not need them: after
 * a refund, it has the lines that `refundDay` returned.
 */
class Passed implements Charged {
  readonly refundDay: Charged["refundDay"];
  private readonly standings: readonly Standing[];
  private readonly at: number;

  constructor(standings: readonly Standing[], at: number, refundDay: Charged["refundDay"]) {
    this.standings = standings;
    this.at = at;
    this.refundDay = refundDay;
  }

  get lines(): HeadLines {
    return rateLimitLines(this.standings, undefined, this.at);
  }
}

/**
 * True for a daily allowance of calls, because a 304 does not use it. False for a quota of an operation, which counts
 * every call.
 */
function isRefundable({ limit }: Charge): boolean {
  return limit.window.kind === "utc-day" && !isQuota(limit);
}

/**
 * The limit of a quota. `isQuota` distinguishes a quota from the daily allowance, because each is refused with its own
 * failure.
 */
interface MarkedLimit extends Limit {
  readonly isQuota: true;
}

function quotaLimit({ name }: DailyQuota, max: number): MarkedLimit {
  return { name, max, window: { kind: "utc-day" }, isQuota: true };
}

function isQuota(limit: Limit): boolean {
  return "isQuota" in limit;
}

/** A charge of one unit to the caller's account or, if the caller has no account, to its address. */
function chargeOf(principal: Principal | undefined, address: string, limit: Limit): Charge {
  return !principal || principal.kind === "anonymous"
    ? { subject: addressBlock(address), limit, isAddress: true }
    : { subject: subjectOf(principal), limit };
}

/**
 * The account or key whose calls a limit counts: the caller's account or, for the operator's account, the caller's key,
 * because many callers share that account.
 */
export function subjectOf(principal: Principal): string {
  return principal.accountId === OPERATOR_ACCOUNT ? principal.actor : budgetOf(principal);
}

function refusal(call: LimitedCall, { limit, resetAt }: Standing, headers: Readonly<Record<string, string>>): Failure {
  if (isQuota(limit)) return failure("quotaUsedUp", { limit: limit.max, resetAt, headers });
  const isDaily = limit.window.kind === "utc-day";
  // Only refusals by a plan's allowance name the plan.
  if (!isDaily && limit.name !== "account" && limit.name !== "key") return failure("tooManyRequests", { headers });
  const plan = call.principal?.plan ?? "free";
  const limitType = isDaily ? "daily" : "per_minute";
  return failure("accountLimit", { plan, limit: limit.max, limitType, resetAt, headers });
}
