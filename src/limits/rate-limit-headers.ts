import { SECOND_MS } from "../kit/clock.js";
import { type Limit, type Standing, windowMsOf } from "./limiter.js";

/**
 * Builds the rate limit headers: the structured `RateLimit-Policy` and `RateLimit` for every limit, and the older three
 * of each family for the tightest limit, which is the refused one or else the one with the fewest units left.
 * `RateLimit-Reset` is in seconds from now, `X-RateLimit-Reset` an instant in epoch ms. No headers without standings.
 */
export function rateLimitHeaders(
  standings: readonly Standing[],
  refused: Standing | undefined,
  now: number,
): Record<string, string> {
  const tightest = refused ?? fewestLeft(standings);
  if (tightest === undefined) return {};
  const limit = String(tightest.limit.max);
  const remaining = refused === undefined ? String(tightest.remaining) : "0";
  const resetSeconds = secondsUntil(tightest.resetAt, now);
  const headers: Record<string, string> = {
    "RateLimit-Policy": policyOf(standings),
    RateLimit: leftOf(standings, now),
    "RateLimit-Limit": limit,
    "RateLimit-Remaining": remaining,
    "RateLimit-Reset": String(resetSeconds),
    "X-RateLimit-Limit": limit,
    "X-RateLimit-Remaining": remaining,
    "X-RateLimit-Reset": String(tightest.resetAt),
  };
  if (refused !== undefined) headers["Retry-After"] = String(Math.max(1, resetSeconds));
  return headers;
}

function fewestLeft(standings: readonly Standing[]): Standing | undefined {
  let fewest: Standing | undefined;
  for (const standing of standings) {
    if (fewest === undefined || standing.remaining < fewest.remaining) fewest = standing;
  }
  return fewest;
}

function leftOf(standings: readonly Standing[], now: number): string {
  let text = "";
  for (const { limit, remaining, resetAt } of standings) {
    if (text !== "") text += ", ";
    text += `${quotedName(limit)};r=${remaining};t=${secondsUntil(resetAt, now)}`;
  }
  return text;
}

/**
 * The policies of a list of limits, and of the lists that begin with it: the same few lists come with every request.
 */
interface Policies {
  readonly text: string;
  readonly longer: WeakMap<Limit, Policies>;
}

const noPolicies: Policies = { text: "", longer: new WeakMap() };

function policyOf(standings: readonly Standing[]): string {
  let policies = noPolicies;
  for (const { limit } of standings) policies = policies.longer.get(limit) ?? extended(policies, limit);
  return policies.text;
}

function extended(policies: Policies, limit: Limit): Policies {
  const policy = `${quotedName(limit)};q=${limit.max};w=${Math.ceil(windowMsOf(limit) / SECOND_MS)}`;
  const text = policies === noPolicies ? policy : `${policies.text}, ${policy}`;
  const longer: Policies = { text, longer: new WeakMap() };
  policies.longer.set(limit, longer);
  return longer;
}

const quotedNames = new WeakMap<Limit, string>();

/** The name as a structured field string (RFC 9651, 3.3.3). */
function quotedName(limit: Limit): string {
  const remembered = quotedNames.get(limit);
  if (remembered !== undefined) return remembered;
  const quoted = `"${limit.name.replace(/["\\]/g, "\\$&")}"`;
  quotedNames.set(limit, quoted);
  return quoted;
}

function secondsUntil(at: number, now: number): number {
  return Math.max(0, Math.ceil((at - now) / SECOND_MS));
}
