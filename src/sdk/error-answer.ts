import {
  ApiError,
  ConflictError,
  type ErrorAnswer,
  ForbiddenError,
  GoneError,
  NotFoundError,
  ProjectionError,
  RateLimitError,
  ServerError,
  UnauthorizedError,
  UnavailableError,
  ValidationError,
} from "./errors.js";
import { retryAfterMs } from "./retry-after.js";

/** Number of bytes after which the reading of an error's body stops. */
const BODY_BYTES_MAX = 65_536;
const PROBLEM = "urn:vigil:problem:";

type ErrorClass = new (answer: ErrorAnswer) => ApiError;

const families: Readonly<Record<number, ErrorClass>> = {
  400: ValidationError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  405: NotFoundError,
  409: ConflictError,
  410: GoneError,
  422: ConflictError,
  429: RateLimitError,
  503: UnavailableError,
};

/** Builds the error for an answer with an error status. `now` is epoch ms. */
export async function apiError(method: string, url: URL, answer: Response, now: number): Promise<ApiError> {
  const { status, headers } = answer;
  // If the connection breaks before the reason arrives, the error has only the status.
  const body = bodyIn(await beginningOf(answer.body).catch(() => ""));
  const members = membersOf(body);
  const facts: ErrorAnswer = {
    method,
    url: `${url.origin}${url.pathname}`,
    status,
    code: codeIn(members),
    reasons: reasonsIn(members),
    retryAfterMs: retryAfterMs(headers.get("retry-after"), now),
    requestId: headers.get("x-request-id") ?? undefined,
    body,
    headers,
  };
  if ("_jmespath_error" in members) return new ProjectionError(facts);
  const Family = families[status] ?? (status >= 500 ? ServerError : ApiError);
  return new Family(facts);
}

/** Reads the beginning of a body, because the body may be endless. */
async function beginningOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (body === null) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = 0; bytes < BODY_BYTES_MAX; ) {
    const { done, value } = await reader.read();
    if (done) return text;
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text;
}

function bodyIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON, for example the page of a proxy.
    return text;
  }
}

type Members = Readonly<Record<string, unknown>>;

function membersOf(body: unknown): Members {
  return typeof body === "object" && body !== null ? (body as Members) : {};
}

/** Returns the `code` of the body, or else the name of the failure in problem details. */
function codeIn({ code, type }: Members): string | undefined {
  if (typeof code === "string") return code;
  return typeof type === "string" && type.startsWith(PROBLEM) ? type.slice(PROBLEM.length) : undefined;
}

function reasonsIn({ violations, _jmespath_error: projection, message, error }: Members): readonly string[] {
  if (Array.isArray(violations)) {
    return violations.map(membersOf).map(({ field, description }) => `${field} ${description}`);
  }
  return [projection, message, error].filter((sentence) => typeof sentence === "string").slice(0, 1);
}
