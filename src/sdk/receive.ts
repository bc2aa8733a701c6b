import { type Answer, type DataState, meaningOf } from "./answer.js";
import type { AnswerCache } from "./answer-cache.js";
import { DataStateError, MalformedAnswerError } from "./errors.js";
import { exchange, type SentRequest } from "./exchange.js";
import type { Settings } from "./options.js";
import type { SeenGenerations } from "./seen-generations.js";

/** The settings of a client and the state that it keeps between calls. */
export interface Link {
  readonly settings: Settings;
  readonly cache: AnswerCache;
  readonly seen: SeenGenerations;
}

/** Sends a request and returns the answer with its metadata. The data is parsed JSON, or the text of another format. */
export async function receive(
  { settings, cache, seen }: Link,
  request: SentRequest,
  states: readonly DataState[] | undefined,
): Promise<Answer<unknown>> {
  const { url } = request;
  const cacheKey = `${request.headers["Accept"]} ${url}`;
  const cached = request.method === "GET" ? cache.get(cacheKey) : undefined;
  const minimum = seen.text();
  const sent = {
    ...request,
    headers: {
      ...(cached && { "If-None-Match": cached.etag }),
      ...(minimum !== undefined && { "X-Vigil-Min-Generation": minimum }),
      ...request.headers,
    },
  };
  const { status, headers, text } = await exchange(settings, sent, async (received) => ({
    status: received.status,
    headers: received.headers,
    text: await received.text(),
  }));
  const isConfirmed = status === 304 && cached !== undefined;
  const current = isConfirmed ? confirmed(cached.headers, headers) : headers;
  const body = isConfirmed ? cached.text : text;
  const answer: Answer<unknown> = {
    data: request.isText ? body : parsed(url, current, body),
    ...meaningOf(current),
    status: isConfirmed ? 200 : status,
    requestId: headers.get("x-request-id") ?? undefined,
    isReplay: headers.get("idempotent-replayed") === "true",
    isFromCache: isConfirmed,
    headers: current,
  };
  seen.add(answer.generation);
  if (request.method === "GET") remember(cache, cacheKey, answer, body);
  return accepted(url, answer, states);
}

/** Returns the headers of a stored answer, updated with the headers of the 304 that confirmed it. */
function confirmed(stored: Headers, confirmation: Headers): Headers {
  const headers = new Headers(stored);
  for (const [name, value] of confirmation) headers.set(name, value);
  return headers;
}

function remember(cache: AnswerCache, key: string, { etag, headers }: Answer<unknown>, text: string): void {
  const isStorable = !/\bno-store\b/.test(headers.get("cache-control") ?? "");
  if (etag !== undefined && isStorable) cache.set(key, { etag, text, headers });
}

function parsed(url: URL, headers: Headers, text: string): unknown {
  const sentence = `${url.origin}${url.pathname} did not answer with JSON; is ${url.origin} a Vigil service?`;
  if (!/^application\/json\b/i.test(headers.get("content-type") ?? "")) throw new MalformedAnswerError(sentence);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new MalformedAnswerError(sentence, { cause: error });
  }
}

/**
 * Returns the answer. Throws `DataStateError` if `states` is given and the state of the data is not one of them. An
 * answer without a state is returned.
 */
function accepted<Data>(url: URL, answer: Answer<Data>, states: readonly DataState[] | undefined): Answer<Data> {
  const { state } = answer;
  if (state === undefined || states === undefined || states.includes(state)) return answer;
  throw new DataStateError(`the data of ${url.pathname} is ${state}`, state, answer);
}
