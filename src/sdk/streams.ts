import type { StreamEvent } from "./change-event.js";
import { ApiError, ConnectionError, MalformedAnswerError, TimeoutError, VigilError } from "./errors.js";
import { opened, type SentRequest } from "./exchange.js";
import type { CallOptions, Settings } from "./options.js";
import { type AnyParams, queryOf } from "./params.js";
import type { Platform } from "./platform.js";
import { isTemporary, SPREAD_MS } from "./retry.js";
import { type StreamReader, streamReader } from "./stream-events.js";

/** A lost connection that is about to be reopened. */
export interface Reconnection {
  readonly waitMs: number;
  /** The reason; undefined if the service ended the stream. */
  readonly error: VigilError | undefined;
}

export interface StreamOptions extends Pick<CallOptions, "signal" | "headers"> {
  /** The position of the event after which to continue; replaces a `cursor`. */
  readonly lastEventId?: number | string | undefined;
  /** Called before a lost connection is reopened. */
  readonly onReconnect?: ((reconnection: Reconnection) => void) | undefined;
}

/** Maximum silence on an open connection. The service sends a comment after every 10 s without an event. */
const SILENCE_MS_MAX = 30_000;
/** The wait before another attempt if the service has not sent a delay, and the bounds for the delay that it sends. */
const RETRY_MS = 3_000;
const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 30_000;

/** The state kept from one connection to the next. */
interface Progress {
  lastEventId: string | undefined;
  retryMs: number;
  /** Number of failed or lost connections since the last event. */
  failures: number;
  hasConnected: boolean;
}

/**
 * Yields the events of a stream. A lost connection is reopened at the position of the last event, so that each change
 * is yielded once. Throws an error that is not temporary, because another attempt would fail in the same way. Throws
 * `ConnectionError` if the service cannot be reached before the stream has opened for the first time.
 */
export async function* streamed(
  settings: Settings,
  url: URL,
  params: AnyParams,
  options: StreamOptions,
): AsyncGenerator<StreamEvent<unknown>, void, undefined> {
  const { platform } = settings;
  const { signal, lastEventId } = options;
  const progress: Progress = {
    lastEventId: lastEventId === undefined ? undefined : String(lastEventId),
    retryMs: RETRY_MS,
    failures: 0,
    hasConnected: false,
  };
  for (;;) {
    signal?.throwIfAborted();
    const loss = yield* connection(settings, url, params, options, progress);
    const waitMs = waitAfter(progress, loss, platform);
    progress.failures += 1;
    options.onReconnect?.({ waitMs, error: loss });
    await platform.sleep(waitMs, signal);
  }
}

function waitAfter({ retryMs, failures }: Progress, loss: VigilError | undefined, { random }: Platform): number {
  const backOffMs = Math.min(retryMs * 2 ** Math.min(failures, 10), RETRY_MS_MAX) * (1 + random() / 2);
  const askedMs = loss instanceof ApiError ? loss.retryAfterMs : undefined;
  return Math.round(Math.max(backOffMs, askedMs === undefined ? 0 : askedMs + random() * SPREAD_MS));
}

/** Yields the events of one connection, and returns the reason for its end. */
async function* connection(
  settings: Settings,
  url: URL,
  params: AnyParams,
  { signal, headers }: StreamOptions,
  progress: Progress,
): AsyncGenerator<StreamEvent<unknown>, VigilError | undefined, undefined> {
  const { platform } = settings;
  const closed = new AbortController();
  const close = (): void => closed.abort(signal?.reason);
  signal?.addEventListener("abort", close, { once: true });
  try {
    const request = requestOf(settings, url, params, progress.lastEventId, headers);
    const body = await withoutSilence(openStream(settings, request, closed.signal), platform);
    progress.hasConnected = true;
    const chunks = body.getReader();
    const reader = streamReader();
    for (;;) {
      const read = await withoutSilence(chunks.read(), platform);
      if (read.done) return undefined;
      for (const event of reader.push(read.value)) {
        progress.failures = 0;
        progress.lastEventId = String(event.position);
        yield event;
        signal?.throwIfAborted();
      }
      progress.retryMs = retryMsOf(reader, progress);
    }
  } catch (error) {
    signal?.throwIfAborted();
    return lossOf(error, url, progress);
  } finally {
    signal?.removeEventListener("abort", close);
    closed.abort();
  }
}

function requestOf(
  settings: Settings,
  url: URL,
  params: AnyParams,
  lastEventId: string | undefined,
  headers: StreamOptions["headers"],
): SentRequest {
  const target = new URL(url);
  // The position of the last event replaces the initial position from the caller.
  target.search = String(queryOf(lastEventId === undefined ? params : { ...params, cursor: undefined }));
  return {
    method: "GET",
    url: target,
    headers: {
      Accept: "text/event-stream, application/problem+json",
      ...(lastEventId !== undefined && { "Last-Event-ID": lastEventId }),
      ...headers,
    },
    isRepeatable: true,
    timeoutMs: settings.timeoutMs,
    signal: undefined,
  };
}

async function openStream(
  settings: Settings,
  request: SentRequest,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const { status, headers, body } = await opened(settings, request, signal);
  const isStream = /^text\/event-stream(?:;|$)/i.test(headers.get("content-type") ?? "");
  if (status === 200 && isStream && body !== null) return body;
  await body?.cancel();
  const { origin, pathname } = request.url;
  throw new MalformedAnswerError(`${origin}${pathname} is not a stream; is ${origin} a Vigil service?`);
}

function retryMsOf({ retryMs }: StreamReader, progress: Progress): number {
  return retryMs === undefined ? progress.retryMs : Math.min(Math.max(retryMs, RETRY_MS_MIN), RETRY_MS_MAX);
}

/** Returns the error if the stream can be reopened after it. Throws every other error. */
function lossOf(error: unknown, { origin }: URL, { hasConnected }: Progress): VigilError {
  // Reading from an open connection fails with an error of the platform, not with a `VigilError`.
  const failure =
    error instanceof VigilError ? error : new ConnectionError(`the connection to ${origin} broke`, { cause: error });
  if (!isTemporary(failure)) throw failure;
  if (failure instanceof ConnectionError && !hasConnected) throw failure;
  return failure;
}

/** Awaits the work. Throws `TimeoutError` if the work takes longer than the maximum silence. */
async function withoutSilence<T>(work: Promise<T>, { sleep }: Platform): Promise<T> {
  const ended = new AbortController();
  const silence = sleep(SILENCE_MS_MAX, ended.signal).then(() => {
    throw new TimeoutError(`nothing came for ${SILENCE_MS_MAX / 1_000} s`);
  });
  try {
    return await Promise.race([work, silence]);
  } finally {
    ended.abort();
  }
}
