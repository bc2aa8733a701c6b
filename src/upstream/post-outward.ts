import type { Dispatcher } from "undici";
import {
  type OutwardAnswer,
  OutwardFailure,
  type OutwardPost,
  type PostOutward,
  refusedTarget,
} from "../contract/outward.js";
import { type Clock, SECOND_MS } from "../kit/clock.js";
import { AddressRefused, type Resolve, systemResolve } from "./address-policy.js";
import { createDispatcher, type ProxyOptions } from "./dispatcher.js";
import { retryAtFrom } from "./retry-after.js";
import { TimeLimitReached, withTimeLimit } from "./time-limit.js";

export interface OutwardOptions {
  readonly clock: Clock;
  readonly userAgent: string;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly proxy?: ProxyOptions;
  /** PEM certificates to trust in addition to the public ones. */
  readonly extraCa?: string;
  /** Default: the machine's resolver. */
  readonly resolve?: Resolve;
}

/** Sends POSTs to addresses that accounts have chosen. */
export interface OutwardSender {
  readonly post: PostOutward;
  close(): Promise<void>;
}

const TIMEOUT_MS = 15 * SECOND_MS;
/** Maximum number of bytes that are read from an answer's body so that the connection can be reused. */
const DRAIN_BYTES_MAX = 4_096;
/** Time limit for reading that body. */
const DRAIN_MS = SECOND_MS;
/** Maximum number of connections per origin. */
const CONNECTIONS_MAX = 8;

/**
 * Creates a sender that connects only to public addresses, except for the `privateOrigins` of a request. The address is
 * checked when the connection opens, so that a name cannot be moved to a private address after an earlier check.
 */
export function outwardSender(options: OutwardOptions): OutwardSender {
  const { resolve = systemResolve } = options;
  const common = { ...options, resolve, direct: [], connectionsMax: CONNECTIONS_MAX };
  const toPublic = createDispatcher({ ...common, allowedOrigins: new Set() });
  const toAnywhere = createDispatcher({ ...common, allowedOrigins: { has: () => true } });
  return {
    async post(post, signal) {
      const refusal = refusedTarget(post.url, post.privateOrigins);
      if (refusal !== undefined) throw new OutwardFailure(`the address ${refusal}`);
      const url = new URL(post.url);
      const dispatcher = post.privateOrigins.includes(url.origin) ? toAnywhere : toPublic;
      return answered(dispatcher, url, post, options, signal);
    },
    async close() {
      await Promise.all([toPublic.destroy(), toAnywhere.destroy()]);
    },
  };
}

async function answered(
  dispatcher: Dispatcher,
  url: URL,
  post: OutwardPost,
  { clock, userAgent, headers }: OutwardOptions,
  signal: AbortSignal,
): Promise<OutwardAnswer> {
  const options = {
    origin: url.origin,
    path: url.pathname + url.search,
    method: "POST" as const,
    headers: { ...headers, ...post.headers, "content-type": "application/json", "user-agent": userAgent },
    body: post.body,
    // One time limit covers the whole request, so undici's own limits are off.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  try {
    return await withTimeLimit({ clock, timeLimitMs: TIMEOUT_MS, signal }, async (during) => {
      const response = await dispatcher.request({ ...options, signal: during });
      await drained(response, clock);
      const retryAfter = response.headers["retry-after"];
      const text = typeof retryAfter === "string" ? retryAfter : retryAfter?.[0];
      return { status: response.statusCode, retryAt: retryAtFrom(text, clock.now()) };
    });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw failureOf(error);
  }
}

/**
 * Reads a body of at most `DRAIN_BYTES_MAX` bytes, so that its connection can be used again. Closes the connection if
 * the body is larger or takes longer than `DRAIN_MS`.
 */
async function drained({ body }: Dispatcher.ResponseData, clock: Clock): Promise<void> {
  const enough = new AbortController();
  // The status has arrived, so it does not matter if the body breaks off.
  const ended = body.dump({ limit: DRAIN_BYTES_MAX }).catch(() => undefined);
  const late = clock.sleep(DRAIN_MS, enough.signal).catch(() => undefined);
  await Promise.race([ended, late]);
  enough.abort();
  body.on("error", () => undefined).destroy();
}

function failureOf(error: unknown): OutwardFailure {
  if (error instanceof TimeLimitReached) {
    return new OutwardFailure(`no answer within ${TIMEOUT_MS / SECOND_MS} s`, { cause: error });
  }
  if (error instanceof AddressRefused) {
    return new OutwardFailure("the host name resolves to no public address", { cause: error });
  }
  return new OutwardFailure(sentenceOf(error), { cause: error });
}

const sentences: readonly (readonly [codes: RegExp, sentence: string])[] = [
  [/^(?:ENOTFOUND|EAI_)/, "the host name does not resolve"],
  [/^ECONNREFUSED$/, "the connection was refused"],
  [/^(?:E(?:TIMEDOUT|HOSTUNREACH|NETUNREACH)|UND_ERR_CONNECT_TIMEOUT)$/, "the host cannot be reached"],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, "the connection broke off"],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/, "the certificate is not valid for the host"],
];

/** Names the cause without the resolved address, which an account need not know. */
function sentenceOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const [, sentence] = sentences.find(([codes]) => codes.test(code)) ?? [];
  return sentence ?? `no connection (${code || "unknown cause"})`;
}
