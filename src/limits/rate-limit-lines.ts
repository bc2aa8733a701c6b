import { AsciiText } from "../kit/ascii-text.js";
import { SECOND_MS } from "../kit/clock.js";
import { type Limit, type Standing, windowMsOf } from "./limiter.js";

/** Every answer has these lines, so their text is built in one place that is used again. */
const text = new AsciiText();

/**
 * Builds the rate limit headers as lines of a head: the structured `RateLimit-Policy` and `RateLimit` for every limit, and
 * the older three of each family for the tightest limit, which is the refused one or else the one with the fewest units
 * left. `RateLimit-Reset` is in seconds from now, `X-RateLimit-Reset` an instant in epoch ms. Empty without standings.
 */
export function rateLimitLines(standings: readonly Standing[], refused: Standing | undefined, now: number): string {
  const tightest = refused ?? fewestLeft(standings);
  if (tightest === undefined) return "";
  const remaining = refused === undefined ? tightest.remaining : 0;
  const resetSeconds = secondsUntil(tightest.resetAt, now);
  text.add(policyLine(standings));
  let isFirst = true;
  for (const { limit, remaining, resetAt } of standings) {
    const { firstName, nextName } = piecesOf(limit);
    text.add(isFirst ? firstName : nextName).addNumber(remaining);
    text.add(pieces.seconds).addNumber(secondsUntil(resetAt, now));
    isFirst = false;
  }
  text.add(piecesOf(tightest.limit).maximum);
  text.add(pieces.remaining).addNumber(remaining).add(pieces.resetSeconds).addNumber(resetSeconds);
  text.add(pieces.ownRemaining).addNumber(remaining).add(pieces.ownReset).addNumber(tightest.resetAt);
  if (refused !== undefined) text.add(pieces.retry).addNumber(Math.max(1, resetSeconds));
  return text.add(pieces.end).take();
}

const pieces = {
  seconds: Buffer.from(";t="),
  remaining: Buffer.from("RateLimit-Remaining: "),
  resetSeconds: Buffer.from("\r\nRateLimit-Reset: "),
  ownRemaining: Buffer.from("\r\nX-RateLimit-Remaining: "),
  ownReset: Buffer.from("\r\nX-RateLimit-Reset: "),
  retry: Buffer.from("\r\nRetry-After: "),
  end: Buffer.from("\r\n"),
};

function fewestLeft(standings: readonly Standing[]): Standing | undefined {
  let fewest: Standing | undefined;
  for (const standing of standings) {
    if (fewest === undefined || standing.remaining < fewest.remaining) fewest = standing;
  }
  return fewest;
}

/**
 * The policies of a list of limits, and of the lists that begin with it: the same few lists come with every request.
 */
interface Policies {
  readonly line: Buffer;
  readonly text: string;
  readonly longer: WeakMap<Limit, Policies>;
}

const noPolicies: Policies = { line: Buffer.alloc(0), text: "", longer: new WeakMap() };

function policyLine(standings: readonly Standing[]): Buffer {
  let policies = noPolicies;
  for (const { limit } of standings) policies = policies.longer.get(limit) ?? extended(policies, limit);
  return policies.line;
}

function extended(policies: Policies, limit: Limit): Policies {
  const policy = `${quotedName(limit)};q=${limit.max};w=${Math.ceil(windowMsOf(limit) / SECOND_MS)}`;
  const line = policies === noPolicies ? policy : `${policies.text}, ${policy}`;
  const longer: Policies = {
    line: Buffer.from(`RateLimit-Policy: ${line}\r\n`),
    text: line,
    longer: new WeakMap(),
  };
  policies.longer.set(limit, longer);
  return longer;
}

/** The pieces that depend on a limit alone. */
interface LimitPieces {
  readonly firstName: Buffer;
  readonly nextName: Buffer;
  /** The end of the line before, and the lines of its maximum. */
  readonly maximum: Buffer;
}

const piecesByLimit = new WeakMap<Limit, LimitPieces>();

function piecesOf(limit: Limit): LimitPieces {
  let own = piecesByLimit.get(limit);
  if (own === undefined) {
    const lines = `\r\nRateLimit-Limit: ${limit.max}\r\nX-RateLimit-Limit: ${limit.max}\r\n`;
    const name = quotedName(limit);
    own = {
      firstName: Buffer.from(`RateLimit: ${name};r=`),
      nextName: Buffer.from(`, ${name};r=`),
      maximum: Buffer.from(lines),
    };
    piecesByLimit.set(limit, own);
  }
  return own;
}

/** The name as a structured field string (RFC 9651, 3.3.3). */
function quotedName({ name }: Limit): string {
  return `"${name.replace(/["\\]/g, "\\$&")}"`;
}

function secondsUntil(at: number, now: number): number {
  return Math.max(0, Math.ceil((at - now) / SECOND_MS));
}
