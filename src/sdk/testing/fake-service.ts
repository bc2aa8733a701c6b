import { createVigil } from "../create-vigil.js";
import type { VigilOptions } from "../options.js";
import type { Vigil } from "../vigil.js";

/** A request as the service receives it. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** The answer to a request, or the failure of the connection. */
export type FakeAnswer = Response | Error | ((request: ReceivedRequest) => Response | Promise<Response>);

export interface FakeService {
  readonly vigil: Vigil;
  readonly requests: readonly ReceivedRequest[];
  /** The waits of the client, in ms. */
  readonly waits: readonly number[];
}

/** Noon on 23 November 2026. */
export const NOW = Date.UTC(2026, 10, 23, 12);
/** Maximum wait in a test. A longer wait is treated as a time limit, which never expires in a test. */
const WAIT_MS_MAX = 50_000;

/**
 * Creates a client of a fake service that gives these answers one after another and then repeats the last. Waits end
 * immediately.
 */
export function fakeService(answers: readonly FakeAnswer[], options: Partial<VigilOptions> = {}): FakeService {
  const requests: ReceivedRequest[] = [];
  const waits: number[] = [];
  const vigil = createVigil({
    url: "http://vigil.example",
    key: "the-key",
    ...options,
    platform: {
      now: () => NOW,
      random: () => 0,
      uuid: () => `uuid-${requests.length}`,
      async sleep(ms, signal) {
        if (ms > WAIT_MS_MAX) return new Promise((_, reject) => onAbort(signal, reject));
        waits.push(ms);
        signal?.throwIfAborted();
      },
      async fetch(url, init) {
        const request = received(url, init);
        const answer = answers[Math.min(requests.length, answers.length - 1)];
        requests.push(request);
        if (answer instanceof Error) throw answer;
        return typeof answer === "function" ? answer(request) : (answer as Response).clone();
      },
      ...options.platform,
    },
  });
  return { vigil, requests, waits };
}

function received(url: URL, { method = "GET", headers, body, signal }: RequestInit): ReceivedRequest {
  return {
    method,
    target: `${url.pathname}${url.search}`,
    headers: Object.fromEntries(new Headers(headers)),
    body: typeof body === "string" ? body : "",
    signal: signal ?? new AbortController().signal,
  };
}

function onAbort(signal: AbortSignal | undefined, reject: (reason: unknown) => void): void {
  signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
}

/** Creates an answer with a JSON body. */
export function json(body: unknown, { status = 200, headers = {} }: ResponseInit = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });
}

/** Returns the values that an iteration yields, at most the first `max`. */
export async function gathered<T>(values: AsyncIterable<T>, max = Number.POSITIVE_INFINITY): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) {
    list.push(value);
    if (list.length >= max) break;
  }
  return list;
}
