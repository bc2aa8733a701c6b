import { AsciiForm } from "../kit/ascii-form.js";
import { SECOND_MS } from "../kit/clock.js";
import { type Limit, type Standing, windowMsOf } from "./limiter.js";

/**
 * Builds the lines of the rate limit headers: the structured `RateLimit-Policy` and `RateLimit` for every limit, and
 * the three older headers of each family (`RateLimit-*` and `X-RateLimit-*`) for the tightest limit. That is the
 * refused limit or, without a refusal, the limit with the fewest units left. `RateLimit-Reset` is in seconds from now,
 * and `X-RateLimit-Reset` is an instant in epoch ms. A refusal also has `Retry-After`. Returns an
 * empty string if there are no standings.
 */
export function rateLimitLines(standings: readonly Standing[], refused: Standing | undefined, now: number): string {
  const tightest = refused ?? fewestLeft(standings);
  if (tightest === undefined) return "";
  const remaining = refused === undefined ? tightest.remaining : 0;
  const resetSeconds = secondsUntil(tightest.resetAt, now);
  const numbers: number[] = [];
  for (const { remaining, resetAt } of standings) numbers.push(remaining, secondsUntil(resetAt, now));
  numbers.push(remaining, resetSeconds, remaining, tightest.resetAt);
  if (refused !== undefined) numbers.push(Math.max(1, resetSeconds));
  return formOf(standings, tightest.limit, refused !== undefined).filled(numbers);
}

function fewestLeft(standings: readonly Standing[]): Standing | undefined {
  let fewest: Standing | undefined;
  for (const standing of standings) {
    if (fewest === undefined || standing.remaining < fewest.remaining) fewest = standing;
  }
  return fewest;
}

/**
 * The templates of the lines for a list of limits, and for all longer lists that begin with it. They are kept, because
 * requests use the same few lists again and again.
 */
interface Forms {
  readonly limits: readonly Limit[];
  readonly accepted: Map<Limit, AsciiForm>;
  readonly refused: Map<Limit, AsciiForm>;
  readonly longer: WeakMap<Limit, Forms>;
}

const noLimits = formsOf([]);

function formsOf(limits: readonly Limit[]): Forms {
  return { limits, accepted: new Map(), refused: new Map(), longer: new WeakMap() };
}

/** The template of the lines for these limits, of which only the numbers differ between requests. */
function formOf(standings: readonly Standing[], tightest: Limit, isRefused: boolean): AsciiForm {
  let forms = noLimits;
  for (const { limit } of standings) forms = forms.longer.get(limit) ?? extended(forms, limit);
  const byTightest = isRefused ? forms.refused : forms.accepted;
  let form = byTightest.get(tightest);
  if (form === undefined) {
    form = new AsciiForm(piecesOf(forms.limits, tightest, isRefused));
    byTightest.set(tightest, form);
  }
  return form;
}

function extended(forms: Forms, limit: Limit): Forms {
  const longer = formsOf([...forms.limits, limit]);
  forms.longer.set(limit, longer);
  return longer;
}

/** The text before, between and after the numbers that `rateLimitLines` fills in. */
function piecesOf(limits: readonly Limit[], { max }: Limit, isRefused: boolean): readonly string[] {
  const policies = limits.map(
    (limit) => `${quotedName(limit)};q=${limit.max};w=${Math.ceil(windowMsOf(limit) / SECOND_MS)}`,
  );
  let text = `RateLimit-Policy: ${policies.join(", ")}\r\nRateLimit: `;
  const pieces: string[] = [];
  for (const limit of limits) {
    pieces.push(`${text}${quotedName(limit)};r=`, ";t=");
    text = ", ";
  }
  return [
    ...pieces,
    `\r\nRateLimit-Limit: ${max}\r\nX-RateLimit-Limit: ${max}\r\nRateLimit-Remaining: `,
    "\r\nRateLimit-Reset: ",
    "\r\nX-RateLimit-Remaining: ",
    "\r\nX-RateLimit-Reset: ",
    ...(isRefused ? ["\r\nRetry-After: "] : []),
    "\r\n",
  ];
}

/** The name as a structured field string (RFC 9651, 3.3.3). */
function quotedName({ name }: Limit): string {
  return `"${name.replace(/["\\]/g, "\\$&")}"`;
}

function secondsUntil(at: number, now: number): number {
  return Math.max(0, Math.ceil((at - now) / SECOND_MS));
}
