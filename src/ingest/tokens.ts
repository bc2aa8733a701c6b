import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import type { CredentialValues, OAuth } from "../contract/auth.js";
import { type AnySource, SourceFailure, type SourceRequest } from "../contract/source.js";
import { type Clock, isWithin, MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import type { UpstreamAnswer, UpstreamCall, UpstreamClient } from "../upstream/answer.js";
import { unlessAborted } from "../upstream/time-limit.js";

/** Calls upstreams with the credentials that their sources declare. */
export interface Tokens {
  /** Fetches a request with the key or token of its source. Without credentials the request is sent unchanged. */
  fetch(
    client: UpstreamClient,
    source: AnySource,
    credentials: CredentialValues,
    request: SourceRequest,
    call: UpstreamCall,
  ): Promise<UpstreamAnswer>;
}

/**
 * A token is renewed this long before it expires. If its whole lifetime is less than ten times this span, it is renewed
 * after nine tenths of that lifetime.
 */
const RENEWED_BEFORE_MS = 5 * MINUTE_MS;
/**
 * Time for which refused credentials are not tried again. Without this pause, every read at request time would try
 * them.
 */
const REFUSAL_REMEMBERED_MS = MINUTE_MS;

interface Held {
  readonly token: string;
  /** Epoch ms. Set to the past after an upstream has refused the token, so that the token's next use renews it. */
  renewAt: number;
}

/** A token that was granted or requested, shared by all requests that need it. */
interface Grant {
  readonly token: Promise<Held>;
  /** False once the upstream has granted or refused the token. */
  isPending: boolean;
  /** The number of requests that are waiting for the token. */
  waiterCount: number;
  /** Ends the request for the token. */
  readonly abandoned: AbortController;
}

/**
 * Tokens are kept in memory, one for each source and its credentials. Concurrent requests wait for the same grant, each
 * within its own limit; the grant is abandoned once no request waits for it. A token that an upstream refuses is dropped,
 * and the request is repeated once with a new token.
 */
export function createTokens(clock: Clock): Tokens {
  const held = new Map<string, Grant>();
  const refusals = new Map<string, { readonly refusal: CredentialsRefused; readonly at: number }>();

  function drop(key: string, grant: Grant): void {
    if (held.get(key) === grant) held.delete(key);
  }

  function renew(source: AnySource, auth: OAuth, context: TokenContext): Grant {
    const abandoned = new AbortController();
    const token = granting(clock, source, auth, { ...context, signal: abandoned.signal });
    const grant: Grant = { token, isPending: true, waiterCount: 0, abandoned };
    held.set(context.key, grant);
    token.then(
      () => {
        grant.isPending = false;
      },
      // A failed grant rejects the requests that are waiting for it. The next request tries again, unless the
      // credentials were refused less than a minute ago.
      (error: unknown) => {
        grant.isPending = false;
        drop(context.key, grant);
        if (error instanceof CredentialsRefused) refusals.set(context.key, { refusal: error, at: clock.now() });
      },
    );
    return grant;
  }

  /** Waits for the token of a grant, until `signal` aborts. Abandons the grant if no other request waits for it. */
  async function tokenOf(grant: Grant, { key, signal }: TokenContext): Promise<Held> {
    grant.waiterCount += 1;
    try {
      return await unlessAborted(signal, grant.token);
    } catch (error) {
      throw error instanceof SourceFailure && !(error instanceof TokenFailure) ? withoutToken(error) : error;
    } finally {
      grant.waiterCount -= 1;
      if (grant.isPending && grant.waiterCount === 0) {
        drop(key, grant);
        grant.abandoned.abort(new Error("no request waits for the token"));
      }
    }
  }

  async function current(source: AnySource, auth: OAuth, context: TokenContext): Promise<Held> {
    const shared = held.get(context.key);
    const refused = refusals.get(context.key);
    if (refused && isWithin(clock.now(), refused.at, REFUSAL_REMEMBERED_MS)) throw refused.refusal;
    if (shared === undefined) return tokenOf(renew(source, auth, context), context);
    const token = await tokenOf(shared, context);
    if (clock.now() < token.renewAt) return token;
    // Another request that waited for the same token may have renewed it first.
    const newest = held.get(context.key);
    const grant = newest === undefined || newest === shared ? renew(source, auth, context) : newest;
    return tokenOf(grant, context);
  }

  return {
    async fetch(client, source, credentials, request, call) {
      const { auth } = source;
      if (auth === undefined || Object.keys(credentials).length === 0) return client.fetch(request, call);
      if (auth.kind === "key") return client.fetch({ ...request, ...auth.proof(credentials) }, call);
      const context = { client, key: JSON.stringify([source.id, credentials]), credentials, signal: call.signal };
      const first = await current(source, auth, context);
      try {
        return await client.fetch(withToken(request, first), call);
      } catch (error) {
        if (!(error instanceof SourceFailure) || error.status !== 401) throw error;
        first.renewAt = Number.NEGATIVE_INFINITY;
        return client.fetch(withToken(request, await current(source, auth, context)), call);
      }
    },
  };
}

interface TokenContext {
  readonly client: UpstreamClient;
  /** The key under which a token is kept: the source and its credentials. */
  readonly key: string;
  readonly credentials: CredentialValues;
  readonly signal: AbortSignal | undefined;
}

async function granting(
  clock: Clock,
  source: AnySource,
  auth: OAuth,
  { client, credentials, signal }: TokenContext,
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

/** The failure of a request that was never sent, because no token could be obtained for it. */
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
  // This failure has no status, so that the request is not repeated with the same credentials, which would be refused
  // again.
  return new CredentialsRefused("unavailable", `${message} (${status}); check ${variables}`);
}

function withToken(request: SourceRequest, { token }: Held): SourceRequest {
  return { ...request, secretHeaders: { ...request.secretHeaders, Authorization: `Bearer ${token}` } };
}
