import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import type { CredentialValues, OAuth } from "../contract/auth.js";
import { type AnySource, SourceFailure, type SourceRequest } from "../contract/source.js";
import { type Clock, isWithin, MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import type { UpstreamAnswer, UpstreamCall, UpstreamClient } from "../upstream/answer.js";

/** Calls upstreams with the proof that their sources declare. */
export interface Tokens {
  /** Fetches a request with the key or token of its source. Without credentials it goes out as it stands. */
  fetch(
    client: UpstreamClient,
    source: AnySource,
    credentials: CredentialValues,
    request: SourceRequest,
    call: UpstreamCall,
  ): Promise<UpstreamAnswer>;
}

/** A token is renewed this long before it dies, or after nine tenths of a life that is shorter than ten times that. */
const RENEWED_BEFORE_MS = 5 * MINUTE_MS;
/** Credentials that were refused are not tried again for so long: reads at request time would try them all the time. */
const REFUSAL_REMEMBERED_MS = MINUTE_MS;

interface Held {
  readonly token: string;
  /** Epoch ms; at once where an upstream has refused it. */
  renewAt: number;
}

/**
 * Tokens are kept in memory, one for each source and its credentials, and granted once for all requests that wait for it.
 * A token that an upstream refuses is dropped and the request asked once more with a new one.
 */
export function createTokens(clock: Clock): Tokens {
  const held = new Map<string, Promise<Held>>();
  const refusals = new Map<string, { readonly refusal: CredentialsRefused; readonly at: number }>();

  function renew(source: AnySource, auth: OAuth, given: Given): Promise<Held> {
    const granted = granting(clock, source, auth, given);
    held.set(given.key, granted);
    // A failure is told to those who waited for it; the next request asks again.
    granted.catch((error: unknown) => {
      if (held.get(given.key) === granted) held.delete(given.key);
      if (!(error instanceof CredentialsRefused)) return;
      refusals.set(given.key, { refusal: error, at: clock.now() });
    });
    return granted;
  }

  async function current(source: AnySource, auth: OAuth, given: Given): Promise<Held> {
    const known = held.get(given.key);
    const refused = refusals.get(given.key);
    if (refused && isWithin(clock.now(), refused.at, REFUSAL_REMEMBERED_MS)) throw refused.refusal;
    if (known === undefined) return renew(source, auth, given);
    const token = await known;
    if (clock.now() < token.renewAt) return token;
    // Somebody else who waited for the same token may have been first.
    const newest = held.get(given.key);
    return newest === undefined || newest === known ? renew(source, auth, given) : newest;
  }

  return {
    async fetch(client, source, credentials, request, call) {
      const { auth } = source;
      if (auth === undefined || Object.keys(credentials).length === 0) return client.fetch(request, call);
      if (auth.kind === "key") return client.fetch({ ...request, ...auth.proof(credentials) }, call);
      const given = { client, key: JSON.stringify([source.id, credentials]), credentials, signal: call.signal };
      const first = await current(source, auth, given);
      try {
        return await client.fetch(withToken(request, first), call);
      } catch (error) {
        if (!(error instanceof SourceFailure) || error.status !== 401) throw error;
        first.renewAt = Number.NEGATIVE_INFINITY;
        return client.fetch(withToken(request, await current(source, auth, given)), call);
      }
    },
  };
}

interface Given {
  readonly client: UpstreamClient;
  /** Of the token: a source with its credentials. */
  readonly key: string;
  readonly credentials: CredentialValues;
  readonly signal: AbortSignal | undefined;
}

async function granting(
  clock: Clock,
  source: AnySource,
  auth: OAuth,
  { client, credentials, signal }: Given,
): Promise<Held> {
  const request = tokenRequest(auth, credentials);
  try {
    const { bytes, contentType } = await client.fetch(request, { ...(signal && { signal }) });
    const { decode } = await import("../upstream/decode.js");
    const { access_token: token, expires_in } = granted(decode(bytes, { kind: "json" }, { contentType }));
    const lifetimeMs = expires_in * SECOND_MS;
    return { token, renewAt: clock.now() + Math.max(lifetimeMs - RENEWED_BEFORE_MS, lifetimeMs * 0.9) };
  } catch (error) {
    if (isRefusal(error)) throw refused(source, error);
    throw error instanceof SourceFailure ? withoutToken(error) : error;
  }
}

function tokenRequest({ url, form, secretForm, timeoutMs }: OAuth, credentials: CredentialValues): SourceRequest {
  const secrets = Object.entries(secretForm).map(([field, { variable }]) => [field, credentials[variable] ?? ""]);
  return {
    key: "token",
    url,
    form,
    secretForm: Object.fromEntries(secrets),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
}

const Granted = Type.Object({ access_token: Type.String({ minLength: 1 }), expires_in: Type.Number({ minimum: 1 }) });

function granted(document: unknown): Static<typeof Granted> {
  if (!Value.Check(Granted, document)) throw new SourceFailure("changed", "expected access_token and expires_in");
  return document;
}

/** The failure of a request that never went out, because no token could be had for it. */
export class TokenFailure extends SourceFailure {}

function withoutToken({ kind, message, status, retryAt, cause }: SourceFailure): TokenFailure {
  return new TokenFailure(kind, message, { status, retryAt, cause });
}

const refusals: ReadonlySet<number | undefined> = new Set([400, 401, 403]);

function isRefusal(error: unknown): error is SourceFailure {
  return error instanceof SourceFailure && refusals.has(error.status);
}

class CredentialsRefused extends TokenFailure {}

function refused(source: AnySource, { message, status }: SourceFailure): CredentialsRefused {
  const variables = source.credentials.map(({ variable }) => variable).join(" and ");
  // Without the status: a second attempt with the same credentials would be refused alike.
  return new CredentialsRefused("unavailable", `${message} (${status}); check ${variables}`);
}

function withToken(request: SourceRequest, { token }: Held): SourceRequest {
  return { ...request, secretHeaders: { ...request.secretHeaders, Authorization: `Bearer ${token}` } };
}
