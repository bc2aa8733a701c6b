import type { Dispatcher } from "undici";
import { type Clock, monotonicMs } from "../kit/clock.js";
import { refusalOf } from "./address-policy.js";
import { type HopAnswer, type HopRequest, sendHop } from "./hop-request.js";
import type { HostGate } from "./host-gate.js";
import { TimeLimitReached, withTimeLimit } from "./time-limit.js";
import { hostTrouble, placeOf, unavailable } from "./unavailable.js";
import { rewrite, type WireCall, wireBody, wireHeaders, wirePath } from "./wire.js";

/** Parts shared by all hops of all calls. A hop is one request to one address; a redirect leads to another hop. */
export interface HopParts {
  readonly clock: Clock;
  readonly dispatcher: Dispatcher;
  /** Returns the dispatcher for addresses set by the operator, private or not. It is created on first use. */
  readonly toAnywhere: () => Dispatcher;
  readonly gateOf: (host: string) => HostGate;
  readonly allowedOrigins: ReadonlySet<string>;
  readonly rewriteBase: URL | undefined;
  readonly acceptSimulated: boolean;
}

/** A call in progress: its request, and the time that its hops have used so far. */
export interface Journey {
  readonly call: WireCall;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly bytesMax: number;
  spentMs: number;
}

/**
 * Sends one hop as soon as the gate of its host admits it. The hop must end within the remaining time of the call.
 * Returns the answer or redirect.
 */
export async function askHop(parts: HopParts, hop: URL, journey: Journey): Promise<HopAnswer> {
  const ask = hopRequest(parts, hop, journey);
  const { signal, call } = journey;
  const dispatcher = isOperatorsOwn(hop, journey) ? parts.toAnywhere() : parts.dispatcher;
  // A simulator needs no spacing between calls.
  const spacingMs = parts.rewriteBase === undefined ? (call.request.spacingMs ?? 0) : 0;
  // Each host has its own gate, even if one simulator replaces all hosts.
  return await parts.gateOf(hop.host).run(ask.place, () => timed({ ...parts, dispatcher }, ask, journey), {
    signal,
    spacingMs,
    spacedWith: call.request.spacedWith,
  });
}

/** True if the operator set the address of the request and the hop is on the origin of that address. */
function isOperatorsOwn(hop: URL, { call: { request } }: Journey): boolean {
  return request.isOperatorsOwn === true && hop.origin === new URL(request.url).origin;
}

function hopRequest(parts: HopParts, hop: URL, journey: Journey): HopRequest {
  const { call, bytesMax } = journey;
  const place = placeOf(hop);
  const isOwn = isOperatorsOwn(hop, journey);
  const wire = isOwn ? hop : rewrite(hop, parts.rewriteBase);
  const allowed = isOwn ? { has: (origin: string) => origin === hop.origin } : parts.allowedOrigins;
  const refusal = refusalOf(hop, allowed) ?? refusalOf(wire, allowed);
  if (refusal !== undefined) throw unavailable(place, refusal);
  const { acceptSimulated } = parts;
  return {
    wire,
    place,
    bytesMax,
    acceptSimulated,
    body: wireBody(hop, call),
    path: wirePath(hop, wire, call),
    headers: wireHeaders(hop, call),
  };
}

async function timed({ clock, dispatcher }: HopParts, ask: HopRequest, journey: Journey): Promise<HopAnswer> {
  const { timeoutMs, signal } = journey;
  const startedMs = monotonicMs();
  const limit = { clock, timeLimitMs: Math.max(timeoutMs - journey.spentMs, 0), signal };
  try {
    return await withTimeLimit(limit, (during) => sendHop(dispatcher, clock, ask, during));
  } catch (error) {
    if (!(error instanceof TimeLimitReached)) throw error;
    throw hostTrouble(ask.place, `no complete answer within ${timeoutMs} ms; expected one`);
  } finally {
    journey.spentMs += monotonicMs() - startedMs;
  }
}
