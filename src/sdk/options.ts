import type { DataState } from "./answer.js";
import type { VigilError } from "./errors.js";
import { type Platform, webPlatform } from "./platform.js";

/** A call that is about to be repeated. */
export interface Retry {
  readonly method: string;
  readonly url: string;
  /** Number of the failed attempt: 1 before the first repetition. */
  readonly attempt: number;
  readonly waitMs: number;
  /** The failure of the last attempt. */
  readonly error: VigilError;
}

/**
 * Limits of the cache of answers. A cached answer is not transferred again while the service confirms it with a 304.
 */
export interface CacheLimits {
  /** Maximum number of answers. Default 200. */
  readonly answersMax?: number;
  /** Maximum number of characters in all answers together. Default 20 million. */
  readonly charactersMax?: number;
}

export interface VigilOptions {
  /** Address of the service, such as `https://vigil.example`. */
  readonly url: string | URL;
  /** A key of the account. */
  readonly key?: string | undefined;
  /**
   * A bearer token from the operation `oauth-token` or from the OpenID provider, or a function that returns the current
   * token.
   */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** Maximum repetitions of a failed call. Only reads, and writes with an idempotency key, are repeated. Default 2. */
  readonly retriesMax?: number;
  /**
   * Longest wait before a repetition. If `Retry-After` asks for a longer wait, the call ends with the error. Default 30
   * s.
   */
  readonly waitMsMax?: number;
  /** Time limit of each attempt, including the function `token` and reading the body. Default 60 s. */
  readonly timeoutMs?: number;
  /** Limits of the cache; false for no cache. Default: the defaults of `CacheLimits`. */
  readonly cache?: CacheLimits | false;
  /**
   * True if no answer may have older data than an earlier answer to this client, even if the service has several nodes.
   * Each call then states the newest generations that the client has seen. A node that does not have them yet waits for
   * them, and rejects the call if they do not arrive in time. The client repeats a rejected call. Default true.
   */
  readonly isMonotonic?: boolean;
  /** Called before each repetition. */
  readonly onRetry?: (retry: Retry) => void;
  /** Determines whether calls from a browser send the session cookie. Default: the default of `fetch`. */
  readonly credentials?: "omit" | "same-origin" | "include";
  /** Replaces parts of the platform: `fetch` for a proxy, the clock and the random source for tests. */
  readonly platform?: Partial<Platform>;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Replaces the time limit of the client. */
  readonly timeoutMs?: number | undefined;
  /**
   * The accepted states of the data; any other state throws `DataStateError`. By default, a call that returns an answer
   * accepts every state. An iteration over rows does not show the state, so it accepts every state except `absent` and
   * `unreadable`.
   */
  readonly states?: readonly DataState[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface WriteOptions extends CallOptions {
  /**
   * Identifies the write, so that a repetition has no second effect. Default: a random key for each named call that
   * takes an `Idempotency-Key`, and no key for `post`.
   */
  readonly idempotencyKey?: string | undefined;
}

/** The options of a client with their defaults. */
export interface Settings {
  readonly url: URL;
  readonly key: string | undefined;
  readonly token: VigilOptions["token"];
  readonly retriesMax: number;
  readonly waitMsMax: number;
  readonly timeoutMs: number;
  readonly onRetry: ((retry: Retry) => void) | undefined;
  readonly credentials: VigilOptions["credentials"];
  readonly platform: Platform;
}

/** Fills in the defaults. Throws `TypeError` for an invalid address. */
export function settingsOf(options: VigilOptions): Settings {
  return {
    url: addressOf(options.url),
    key: options.key,
    token: options.token,
    retriesMax: options.retriesMax ?? 2,
    waitMsMax: options.waitMsMax ?? 30_000,
    timeoutMs: options.timeoutMs ?? 60_000,
    onRetry: options.onRetry,
    credentials: options.credentials,
    platform: { ...webPlatform, ...options.platform },
  };
}

function addressOf(url: string | URL): URL {
  const text = String(url);
  if (/^https?:/i.test(text) && URL.canParse(text)) return new URL(text);
  throw new TypeError(`url must be an address like http://127.0.0.1:8787, got "${text}"`);
}
