import type { Dispatcher } from "undici";
import type { Clock } from "../kit/clock.js";
import { AddressRefused } from "./address-policy.js";
import { BodyTooLarge, EncodingUnknown, readBody } from "./body.js";
import { describeError } from "./redact.js";
import { retryAtFrom } from "./retry-after.js";
import { hostTrouble, unavailable } from "./unavailable.js";

/** One request on the wire, to one address. The request that follows a redirect is another hop. */
export interface HopRequest {
  /** The address to request, after any rewriting. */
  readonly wire: URL;
  /** Path and query of `wire`, with secrets added; must not appear in a message. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent with POST; without a body, the request is a GET. */
  readonly body: string | undefined;
  /** Host and path of the hop's address before any rewriting, for messages. */
  readonly place: string;
  readonly bytesMax: number;
  readonly acceptSimulated: boolean;
}

export type HopAnswer =
  | { readonly kind: "redirect"; readonly location: string }
  | {
      readonly kind: "answer";
      readonly status: 200 | 206 | 304;
      readonly bytes: Buffer;
      readonly header: (name: string) => string | undefined;
      readonly simulated: boolean;
    };

type Response = Dispatcher.ResponseData;

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** The redirect statuses that keep method and body. A body is resent only for these. */
const repeatingStatuses: ReadonlySet<number> = new Set([307, 308]);

/** Error codes of a connection that broke before the answer began, for example a kept-alive socket that was closed. */
const resetCodes: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/** Sends one hop and returns its answer or redirect. Throws "unavailable" for everything else. */
export async function sendHop(
  dispatcher: Dispatcher,
  clock: Clock,
  ask: HopRequest,
  signal: AbortSignal,
): Promise<HopAnswer> {
  const response = await send(dispatcher, ask, signal);
  const simulated = headerOf(response, "x-vigil-simulated") !== undefined;
  if (simulated && !ask.acceptSimulated) {
    discard(response);
    throw unavailable(ask.place, "the answer is simulated; simulated data never enters a store of real data");
  }
  const followed = ask.body === undefined ? redirectStatuses : repeatingStatuses;
  if (followed.has(response.statusCode)) return await redirect(response, ask);
  const status = acceptedStatus(response.statusCode, ask);
  if (status === undefined) throw refusedStatus(response, clock, ask);
  return { kind: "answer", status, bytes: await bytesOf(response, ask, signal), ...heads(response), simulated };
}

/**
 * Sends the request, and waits for the headers of the answer. If the connection breaks first, tries once more
 * immediately, which is safe because requests are read-only.
 */
async function send(dispatcher: Dispatcher, ask: HopRequest, signal: AbortSignal): Promise<Response> {
  const { wire, path, headers, body } = ask;
  const question = body === undefined ? { method: "GET" as const } : { method: "POST" as const, body };
  // One time limit covers the whole hop, so undici's own limits are off.
  const options = { origin: wire.origin, path, ...question, headers, headersTimeout: 0, bodyTimeout: 0 };
  try {
    return await dispatcher.request({ ...options, signal }).catch((error: unknown) => {
      if (signal.aborted || !isReset(error)) throw error;
      return dispatcher.request({ ...options, signal });
    });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof AddressRefused) throw unavailable(ask.place, error.message);
    throw hostTrouble(ask.place, `no connection (${describeError(error)}); expected an answer`, { cause: error });
  }
}

async function bytesOf(response: Response, { place, bytesMax }: HopRequest, signal: AbortSignal): Promise<Buffer> {
  const tooLarge = `the body is larger than ${bytesMax} bytes; expected at most that`;
  try {
    if (Number(headerOf(response, "content-length")) > bytesMax) throw new BodyTooLarge();
    return await readBody(response.body, headerOf(response, "content-encoding"), bytesMax);
  } catch (error) {
    discard(response);
    if (signal.aborted) throw signal.reason;
    if (error instanceof BodyTooLarge) throw unavailable(place, tooLarge, { status: response.statusCode });
    if (error instanceof EncodingUnknown) {
      throw unavailable(place, `${error.message}; expected gzip, br or deflate`, { status: response.statusCode });
    }
    throw hostTrouble(place, `the body broke off (${describeError(error)}); expected all of it`, { cause: error });
  }
}

/**
 * Maximum number of bytes of a redirect's body that are read so that the connection can be reused. If the body is
 * longer, the connection is closed.
 */
const DRAIN_BYTES_MAX = 64 * 1024;

async function redirect(response: Response, { place }: HopRequest): Promise<HopAnswer> {
  await response.body.dump({ limit: DRAIN_BYTES_MAX });
  const location = headerOf(response, "location");
  const { statusCode: status } = response;
  if (location === undefined) throw unavailable(place, `answered ${status} without Location; expected one`, { status });
  return { kind: "redirect", location };
}

/**
 * Returns the status to report for an answer; undefined if the answer is refused. A 201 is the answer to a POST that
 * stores its result upstream, such as a search, and is treated as 200. A 206 is accepted only for a range request, and
 * a 304 only for a conditional request.
 */
function acceptedStatus(status: number, { headers, body }: HopRequest): 200 | 206 | 304 | undefined {
  if (status === 200 || (status === 201 && body !== undefined)) return 200;
  if (status === 206 && headers["range"] !== undefined) return 206;
  const isConditional = headers["if-none-match"] !== undefined || headers["if-modified-since"] !== undefined;
  return status === 304 && isConditional ? 304 : undefined;
}

function refusedStatus(response: Response, clock: Clock, { place }: HopRequest): Error {
  discard(response);
  const { statusCode: status } = response;
  const mayAskToWait = status === 429 || status === 503;
  const retryAt = mayAskToWait ? retryAtFrom(headerOf(response, "retry-after"), clock.now()) : undefined;
  const problem = `answered ${status}; expected 200`;
  return (status >= 500 ? hostTrouble : unavailable)(place, problem, { status, retryAt });
}

function heads(response: Response): { readonly header: (name: string) => string | undefined } {
  return { header: (name) => headerOf(response, name) };
}

function headerOf({ headers }: Response, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : value?.[0];
}

/** Gives up on the body and its connection: draining could wait for a body that never ends. */
function discard({ body }: Response): void {
  body.on("error", () => undefined).destroy();
}

function isReset(error: unknown): boolean {
  return error instanceof Error && "code" in error && resetCodes.has(String(error.code));
}
