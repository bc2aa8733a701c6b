import { cutText } from "../../kit/cut-text.js";
import { OperatorError } from "../../kit/operator-error.js";
import { retryAtFrom } from "../../upstream/retry-after.js";
import { type ApiAddress, keyRefused, serviceUrl } from "../shared/api-client.js";

/** The place after which a stream begins. Without both, it begins with the next change. */
export interface StreamPlace {
  readonly cursor?: string;
  readonly lastEventId?: string;
}

/** A stream of a running service. */
export interface StreamTarget extends ApiAddress {
  readonly path: string;
  /** Its filters, by their names in a query string. */
  readonly query: Readonly<Record<string, string>>;
}

/** The reason why a stream cannot be opened now. A later attempt may succeed. */
export class StreamUnavailable extends Error {
  override readonly name = "StreamUnavailable";
  /** The time that the service asked to wait for, epoch ms. */
  readonly retryAt: number | undefined;
  /** True if nothing answers at the address. */
  readonly isUnreachable: boolean;

  constructor(
    message: string,
    {
      retryAt,
      isUnreachable = false,
      cause,
    }: { retryAt?: number | undefined; isUnreachable?: boolean; cause?: unknown },
  ) {
    super(message, { cause });
    this.retryAt = retryAt;
    this.isUnreachable = isUnreachable;
  }
}

/** The exit code of a command whose place is not in the log. */
const PLACE_GONE_EXIT_CODE = 3;

const REASON_BYTES_MAX = 4_096;
const REASON_CHARACTERS_MAX = 500;
/** Statuses besides those of the server's own errors that later attempts may not meet. */
const TEMPORARY: readonly number[] = [408, 425, 429];

/**
 * Opens a stream and returns its bytes. Throws `StreamUnavailable` if another attempt may succeed, else `OperatorError`.
 * `now` is epoch ms.
 */
export async function openStream(
  target: StreamTarget,
  place: StreamPlace,
  signal: AbortSignal,
  now: number,
): Promise<AsyncIterable<Uint8Array>> {
  const url = serviceUrl(target, target.path);
  for (const [name, value] of Object.entries({ ...target.query, cursor: place.cursor ?? "" })) {
    if (value !== "") url.searchParams.set(name, value);
  }
  const { lastEventId } = place;
  const headers = {
    "X-Service-Key": target.key,
    Accept: "text/event-stream",
    ...(lastEventId !== undefined && { "Last-Event-ID": lastEventId }),
  };
  // A redirect could carry the key to another host.
  const answer = await fetch(url, { headers, signal, redirect: "manual" }).catch((error: unknown) => {
    const message = `no service answers at ${url.origin}`;
    throw new StreamUnavailable(message, { isUnreachable: true, cause: error });
  });
  const { status, body } = answer;
  if (status === 200 && isEventStream(answer) && body !== null) return body;
  if (status === 200 || status === 204) {
    await body?.cancel();
    throw new OperatorError(`${url.href} is not a stream; is VIGIL_URL the address of a Vigil service?`);
  }
  // The status says enough if the connection breaks before the reason.
  const reason = body === null ? "" : reasonIn(await firstText(body).catch(() => ""));
  if (status >= 500 || TEMPORARY.includes(status)) {
    const retryAt = retryAtFrom(answer.headers.get("retry-after") ?? undefined, now);
    throw new StreamUnavailable(`the service answered ${status}${reason}`, { retryAt });
  }
  throw refusal(status, url, target.key, reason);
}

function isEventStream({ headers }: Response): boolean {
  return /^text\/event-stream(?:;|$)/i.test(headers.get("content-type") ?? "");
}

/** The sentence for an answer that another attempt would meet again. */
function refusal(status: number, url: URL, key: string, reason: string): OperatorError {
  if (status === 401) return keyRefused(url.origin, key);
  const sentence = `${url.origin}${url.pathname} answered ${status}${reason}`;
  if (status === 410) {
    const gone = "the log does not reach back to this place, or ends before it";
    const remedy = "list again and continue from the pollCursor of the list, or leave out --from";
    return new OperatorError(`${gone}; ${remedy}`, { exitCode: PLACE_GONE_EXIT_CODE });
  }
  if (status === 404)
    return new OperatorError(`${sentence}; the service is of another version, or has it switched off`);
  return new OperatorError(sentence);
}

/** The beginning of a body. */
async function firstText(body: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    // Leaving the loop cancels the rest.
    if (text.length >= REASON_BYTES_MAX) break;
  }
  return text;
}

/** The sentence of an error body after a colon; empty if it has none. */
function reasonIn(text: string): string {
  const sentence = sentenceIn(text).replace(/\p{C}+/gu, " ");
  return sentence === "" ? "" : `: ${cutText(sentence, REASON_CHARACTERS_MAX)}`;
}

interface ErrorBody {
  readonly violations?: readonly { readonly field?: unknown; readonly description?: unknown }[];
  readonly message?: unknown;
  readonly error?: unknown;
}

function sentenceIn(text: string): string {
  let body: ErrorBody | null;
  try {
    // Members are checked where they are read.
    body = JSON.parse(text) as ErrorBody | null;
  } catch {
    // The error page of a proxy.
    return "";
  }
  const violations = body?.violations;
  if (Array.isArray(violations))
    return violations.map(({ field, description }) => `${field} ${description}`).join("; ");
  return [body?.message, body?.error].find((sentence) => typeof sentence === "string") ?? "";
}
