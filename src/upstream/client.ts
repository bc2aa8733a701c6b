import { createHash } from "node:crypto";
import type { Dispatcher } from "undici";
import { SourceFailure, type SourceRequest } from "../contract/source.js";
import type { Clock } from "../kit/clock.js";
import { type Origins, type Resolve, systemResolve } from "./address-policy.js";
import { ANSWER_BYTES_MAX, type UpstreamAnswer, type UpstreamClient } from "./answer.js";
import { createDispatcher, type ProxyOptions } from "./dispatcher.js";
import { askHop, type HopParts, type Journey } from "./hop.js";
import type { HopAnswer } from "./hop-request.js";
import { createHostGates, type HostLimits } from "./host-gate.js";
import { describeError, redactFailure, secretsOf } from "./redact.js";
import { placeOf, unavailable } from "./unavailable.js";
import { canonicalUrl, redirectTarget, rewrite } from "./wire.js";

export interface UpstreamOptions {
  readonly clock: Clock;
  /** The user agent, which identifies this service to publishers and contains the operator's contact. */
  readonly userAgent: string;
  /** True to accept answers marked `X-Vigil-Simulated`; false wherever real data is stored. */
  readonly acceptSimulated: boolean;
  /**
   * Requests `<rewriteBase>/<host>/path?query` instead of `https://host/path?query`, for a simulator or recorded
   * payloads.
   */
  readonly rewriteBase?: string;
  /** Allowed origins with a private address, such as `http://10.0.0.5:8080`. */
  readonly allowPrivate?: readonly string[];
  readonly proxy?: ProxyOptions;
  /** PEM certificates to trust in addition to the public ones. */
  readonly extraCa?: string;
  readonly limits?: HostLimits;
  /** Default: the machine's resolver. */
  readonly resolve?: Resolve;
}

const REDIRECTS_MAX = 5;
const TIMEOUT_MS = 30_000;

/**
 * Creates the HTTP client for all requests to upstreams. If a connection breaks before the answer begins, the request
 * is repeated once, immediately. All other retries are up to the caller.
 */
export function createUpstreamClient(options: UpstreamOptions): UpstreamClient {
  const parts = partsOf(options);
  return {
    async fetch(request, { signal, validators = {} } = {}) {
      const secrets = secretsOf(request);
      const { timeoutMs = TIMEOUT_MS, bytesMax = ANSWER_BYTES_MAX } = request;
      const call = { request, validators, userAgent: options.userAgent, secrets };
      try {
        return await follow(parts, canonicalUrl(request), { call, signal, timeoutMs, bytesMax, spentMs: 0 });
      } catch (error) {
        throw redactFailure(asFailure(error, request, signal), secrets);
      }
    },
    close: parts.close,
  };
}

const anyOrigin: Origins = { has: () => true };

function partsOf(options: UpstreamOptions): HopParts & { close(): Promise<void> } {
  const { clock, acceptSimulated, resolve = systemResolve } = options;
  const rewriteBase = options.rewriteBase === undefined ? undefined : new URL(options.rewriteBase);
  const rewriteOrigins = rewriteBase === undefined ? [] : [rewriteBase.origin];
  const privateOrigins = (options.allowPrivate ?? []).map((address) => new URL(address).origin);
  const allowedOrigins = new Set([...privateOrigins, ...rewriteOrigins]);
  const direct = rewriteBase === undefined ? [] : [rewriteBase.host];
  const dispatcher = createDispatcher({ ...options, resolve, allowedOrigins, direct });
  let toAnywhere: Dispatcher | undefined;
  return {
    clock,
    dispatcher,
    toAnywhere() {
      toAnywhere ??= createDispatcher({ ...options, resolve, allowedOrigins: anyOrigin, direct });
      return toAnywhere;
    },
    async close() {
      await Promise.all([dispatcher.destroy(), toAnywhere?.destroy()]);
    },
    gateOf: createHostGates(clock, options.limits),
    allowedOrigins,
    rewriteBase,
    acceptSimulated,
  };
}

async function follow(parts: HopParts, first: URL, journey: Journey): Promise<UpstreamAnswer> {
  let hop = first;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const result = await askHop(parts, hop, journey);
    if (result.kind === "answer") return answerOf(result, parts, first, journey);
    hop = redirectTarget(hop, result.location, journey.call, placeOf(hop));
  }
  throw unavailable(placeOf(first), `redirected more than ${REDIRECTS_MAX} times; expected an answer`);
}

type Found = Extract<HopAnswer, { kind: "answer" }>;

function answerOf(answer: Found, parts: HopParts, first: URL, { call, spentMs }: Journey): UpstreamAnswer {
  const { status, bytes, header, simulated } = answer;
  const notModified = status === 304;
  const sent = notModified ? call.validators : {};
  return {
    url: first.href,
    via: parts.rewriteBase && rewrite(first, parts.rewriteBase).href,
    status,
    notModified,
    bytes,
    simulated,
    contentType: header("content-type"),
    etag: header("etag") ?? sent.etag,
    lastModified: header("last-modified") ?? sent.lastModified,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    fetchedAt: parts.clock.now(),
    durationMs: spentMs,
  };
}

/**
 * Turns a cancelled call into an ordinary failure. Any other error that is not a `SourceFailure` is a bug and is
 * rethrown unchanged.
 */
function asFailure(error: unknown, request: SourceRequest, signal: AbortSignal | undefined): SourceFailure {
  if (error instanceof SourceFailure) return error;
  if (!signal?.aborted) throw error;
  const place = placeOf(new URL(request.url));
  return unavailable(place, `cancelled by the caller (${describeError(signal.reason)})`, { cause: signal.reason });
}
