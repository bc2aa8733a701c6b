import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import { type Clock, DAY_MS, isWithin, MINUTE_MS, SECOND_MS } from "../../kit/clock.js";

/** Fetches the JSON at an address, with limits on time and size. Rejects on failure. */
export type FetchJson = (url: string) => Promise<unknown>;

/**
 * The result of loading a provider's keys: the keys, a failure with its cause, or a note that the discovery document
 * names another issuer.
 */
export type ProviderKeys =
  | { readonly kind: "unavailable"; readonly cause: unknown }
  | { readonly kind: "other issuer" }
  | { readonly kind: "keys"; readonly find: JWTVerifyGetKey };

export interface ProviderKeySource {
  read(): Promise<ProviderKeys>;
  /**
   * Like `read`, but fetches the keys again, except soon after the last attempt. Used when `read` has not returned the
   * key that a token names.
   */
  readAgain(): Promise<ProviderKeys>;
}

export interface ProviderKeyParts {
  readonly issuer: string;
  /** Default: the address in the issuer's discovery document. */
  readonly jwksUrl?: string | undefined;
  readonly clock: Clock;
  readonly fetchJson: FetchJson;
}

const FRESH_MS = 10 * MINUTE_MS;

/**
 * Minimum interval between attempts to fetch the keys while some keys are in memory. Without it, every call with an
 * unknown key id would cause an attempt, and so would every call after a failed attempt.
 */
const RETRY_MS = 30 * SECOND_MS;

/** Minimum interval between attempts to fetch the keys while no keys are in memory and every caller waits for them. */
const RETRY_MS_WITHOUT_KEYS = 5 * SECOND_MS;

/**
 * Maximum time for which keys are used while the provider cannot be reached. A key that the provider has withdrawn in
 * the meantime is also accepted for at most this time.
 */
const STALE_MS_MAX = DAY_MS;

type Loaded = Exclude<ProviderKeys, { kind: "unavailable" }>;

/** Fetches the keys of an OpenID provider and caches them. The methods never reject. */
export function providerKeys(parts: ProviderKeyParts): ProviderKeySource {
  const { clock } = parts;
  let loaded: { readonly at: number; readonly keys: Loaded } | undefined;
  let attemptedAt = Number.NEGATIVE_INFINITY;
  let flight: Promise<void> | undefined;
  let cause: unknown;

  async function attempt(): Promise<void> {
    attemptedAt = clock.now();
    try {
      loaded = { keys: await load(parts), at: clock.now() };
    } catch (error) {
      cause = error;
    }
  }

  /**
   * Returns the time between the loading of the keys and now; positive even if the clock has been set back since then.
   * With a negative age, keys that were loaded while the clock was ahead would count as fresh until the clock had
   * caught up.
   */
  function ageMs(): number {
    return loaded ? Math.abs(clock.now() - loaded.at) : Number.POSITIVE_INFINITY;
  }

  function hasKeys(): boolean {
    return loaded?.keys.kind === "keys" && ageMs() < STALE_MS_MAX;
  }

  /** Returns the keys. If they are older than `ageMsMax`, refreshes them first, except soon after the last attempt. */
  async function keysWithin(ageMsMax: number): Promise<ProviderKeys> {
    if (ageMs() >= ageMsMax) {
      if (!isWithin(clock.now(), attemptedAt, hasKeys() ? RETRY_MS : RETRY_MS_WITHOUT_KEYS)) startAttempt();
      await flight;
    }
    return loaded && ageMs() < STALE_MS_MAX ? loaded.keys : { kind: "unavailable", cause };
  }

  function startAttempt(): void {
    flight ??= attempt().finally(() => {
      flight = undefined;
    });
  }

  return {
    read: () => keysWithin(loaded?.keys.kind === "other issuer" ? RETRY_MS : FRESH_MS),
    readAgain: () => keysWithin(0),
  };
}

async function load({ issuer, jwksUrl, fetchJson }: ProviderKeyParts): Promise<Loaded> {
  const url = jwksUrl ?? (await discoverJwksUrl(issuer, fetchJson));
  if (url === undefined) return { kind: "other issuer" };
  // The cast is safe, because `createLocalJWKSet` checks the shape and throws for anything but a key set.
  return { kind: "keys", find: createLocalJWKSet((await fetchJson(url)) as JSONWebKeySet) };
}

/** Reads the address of the provider's keys; undefined if the discovery document names another issuer. */
async function discoverJwksUrl(issuer: string, fetchJson: FetchJson): Promise<string | undefined> {
  const document = await fetchJson(`${issuer.replace(/(?<!\/)\/+$/, "")}/.well-known/openid-configuration`);
  const { issuer: named, jwks_uri: url } = Object(document);
  if (named !== issuer) return undefined;
  if (typeof url !== "string" || !URL.canParse(url)) throw new Error(`${issuer} names no jwks_uri`);
  if (!isAsSafe(url, issuer)) throw new Error(`${issuer} names a jwks_uri that is not https`);
  return url;
}

/** Returns true for HTTPS; for plain HTTP, only if the issuer uses it too. */
function isAsSafe(url: string, issuer: string): boolean {
  const { protocol } = new URL(url);
  return protocol === "https:" || (protocol === "http:" && issuer.startsWith("http:"));
}
