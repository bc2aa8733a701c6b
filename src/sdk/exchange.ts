import { connectionFailure } from "./connection-failure.js";
import { apiError } from "./error-answer.js";
import { ConnectionError, MalformedAnswerError, TimeoutError, VigilError } from "./errors.js";
import type { Settings } from "./options.js";
import { waitBefore } from "./retry.js";

/** A request of a call. */
export interface SentRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** True if the answer is text instead of JSON. */
  readonly isText?: boolean;
  /** True if repeating the request has no further effect. */
  readonly isRepeatable: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends a request and reads its answer. After a temporary failure, tries again if the request is repeatable. Throws
 * `ApiError` for an answer with an error status, another `VigilError` if no valid answer arrives, and the reason of the
 * signal after an abort.
 */
export async function exchange<T>(
  settings: Settings,
  request: SentRequest,
  read: (answer: Response) => Promise<T>,
): Promise<T> {
  const { random, sleep } = settings.platform;
  const retriesMax = request.isRepeatable ? settings.retriesMax : 0;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOf(settings, request, read);
    } catch (error) {
      request.signal?.throwIfAborted();
      if (!(error instanceof VigilError)) throw error;
      const waitMs = waitBefore(error, attempt, { retriesMax, waitMsMax: settings.waitMsMax }, random);
      if (waitMs === undefined) throw error;
      const { method, url } = request;
      settings.onRetry?.({ method, url: `${url.origin}${url.pathname}`, attempt, waitMs, error });
      await sleep(waitMs, request.signal);
    }
  }
}

async function attemptOf<T>(
  settings: Settings,
  request: SentRequest,
  read: (answer: Response) => Promise<T>,
): Promise<T> {
  const { method, url, signal, timeoutMs } = request;
  signal?.throwIfAborted();
  const attempt = new AbortController();
  const ended = new AbortController();
  const stop = (): void => attempt.abort(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  const expire = (): void => attempt.abort(new TimeoutError(`${method} ${url} did not answer within ${timeoutMs} ms`));
  settings.platform.sleep(timeoutMs, ended.signal).then(expire, () => undefined);
  try {
    const answer = await opened(settings, request, attempt.signal);
    return await read(answer).catch((error: unknown) => {
      throw error instanceof VigilError ? error : lostConnection(request, error);
    });
  } catch (error) {
    throw attempt.signal.aborted ? attempt.signal.reason : error;
  } finally {
    ended.abort();
    signal?.removeEventListener("abort", stop);
  }
}

/**
 * Sends a request once, and returns the answer with its body unread. Throws `ApiError` for an answer with an error
 * status, and another `VigilError` for a redirect or if no service answers.
 */
export async function opened(settings: Settings, request: SentRequest, signal: AbortSignal): Promise<Response> {
  const { method, url, headers, body } = request;
  const { platform, credentials } = settings;
  const answer = await platform
    .fetch(url, {
      method,
      headers: { ...(await credentialsOf(settings, signal)), ...headers },
      ...(body !== undefined && { body }),
      ...(credentials !== undefined && { credentials }),
      signal,
      // Redirects are not followed, because a redirect could carry the key to another host.
      redirect: "manual",
    })
    .catch((error: unknown) => {
      throw connectionFailure(url.origin, error);
    });
  if (answer.ok || answer.status === 304) return answer;
  if (answer.status >= 400) throw await apiError(method, url, answer, platform.now());
  await answer.body?.cancel();
  throw new MalformedAnswerError(`${url.origin} redirects to another address; use that address instead`);
}

function lostConnection({ url }: SentRequest, cause: unknown): ConnectionError {
  return new ConnectionError(`the connection to ${url.origin} broke before the end of the answer`, { cause });
}

async function credentialsOf({ key, token }: Settings, signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
  const bearer = typeof token === "function" ? await unlessAborted(signal, token()) : token;
  return {
    ...(key !== undefined && key !== "" && { "X-Service-Key": key }),
    ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
  };
}

/** Settles like `work`, or rejects with the signal's reason if the signal aborts first. */
function unlessAborted<T>(signal: AbortSignal, work: T | Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => reject(signal.reason);
    if (signal.aborted) aborted();
    signal.addEventListener("abort", aborted, { once: true });
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", aborted));
  });
}
