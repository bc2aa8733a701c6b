import { type AnySource, type Grant, SourceFailure, type SourceRequest } from "../contract/source.js";
import { type Clock, isWithin, MINUTE_MS } from "../kit/clock.js";
import type { UpstreamAnswer, UpstreamCall, UpstreamClient } from "../upstream/answer.js";

/** Asks upstreams with the tokens that their sources call for. */
export interface Tokens {
  /** The answer that `client` gets to a request of a source, with a token where the source has a grant. */
  fetch(
    client: UpstreamClient,
    source: AnySource,
    credentials: Readonly<Record<string, string>>,
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

  function renew(source: AnySource, grant: Grant, given: Given): Promise<Held> {
    const granted = granting(clock, source, grant, given);
    held.set(given.key, granted);
    // A failure is told to those who waited for it; the next request asks again.
    granted.catch((error: unknown) => {
      if (held.get(given.key) === granted) held.delete(given.key);
      if (!(error instanceof CredentialsRefused)) return;
      refusals.set(given.key, { refusal: error, at: clock.now() });
    });
    return granted;
  }

  async function current(source: AnySource, grant: Grant, given: Given): Promise<Held> {
    const known = held.get(given.key);
    const refused = refusals.get(given.key);
    if (refused && isWithin(clock.now(), refused.at, REFUSAL_REMEMBERED_MS)) throw refused.refusal;
    if (known === undefined) return renew(source, grant, given);
    const token = await known;
    if (clock.now() < token.renewAt) return token;
    // Somebody else who waited for the same token may have been first.
    const newest = held.get(given.key);
    return newest === undefined || newest === known ? renew(source, grant, given) : newest;
  }

  return {
    async fetch(client, source, credentials, request, call) {
      const { grant } = source;
      if (grant === undefined || Object.keys(credentials).length === 0) return client.fetch(request, call);
      const given = { client, key: JSON.stringify([source.id, credentials]), credentials, signal: call.signal };
      const first = await current(source, grant, given);
      try {
        return await client.fetch(withToken(request, first), call);
      } catch (error) {
        if (!(error instanceof SourceFailure) || error.status !== 401) throw error;
        first.renewAt = Number.NEGATIVE_INFINITY;
        return client.fetch(withToken(request, await current(source, grant, given)), call);
      }
    },
  };
}

interface Given {
  readonly client: UpstreamClient;
  /** Of the token: a source with its credentials. */
  readonly key: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

async function granting(
  clock: Clock,
  source: AnySource,
  grant: Grant,
  { client, credentials, signal }: Given,
): Promise<Held> {
  const request = grant.request(credentials);
  try {
    const { bytes, contentType } = await client.fetch(request, { ...(signal && { signal }) });
    const { decode } = await import("../upstream/decode.js");
    const { token, lifetimeMs } = grant.read(decode(bytes, request.format, { contentType, url: request.url }));
    return { token, renewAt: clock.now() + Math.max(lifetimeMs - RENEWED_BEFORE_MS, lifetimeMs * 0.9) };
  } catch (error) {
    if (isRefusal(error)) throw refused(source, error);
    throw error instanceof SourceFailure ? withoutToken(error) : error;
  }
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
