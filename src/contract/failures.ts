import { type TSchema, Type } from "typebox";

/** One refused input; `field` is the camelCase path of the parameter or body member. */
export interface Violation {
  readonly field: string;
  readonly description: string;
}

interface FailureRow<Detail> {
  readonly status: number;
  /** When it happens, for the documents. */
  readonly meaning: string;
  readonly body: (detail: Detail) => Readonly<Record<string, unknown>>;
  readonly headers?: (detail: Detail) => Readonly<Record<string, string>>;
}

function row<Detail>(definition: FailureRow<Detail>): FailureRow<Detail> {
  return definition;
}

const both = (sentence: string): Readonly<Record<string, string>> => ({ message: sentence, error: sentence });

/** Every failure a caller can meet, with its exact status and body. Nothing else builds an error body. */
export const failureTable = {
  validation: row<{ readonly violations: readonly Violation[] }>({
    status: 400,
    meaning: "A parameter is missing or malformed.",
    body: ({ violations }) => ({ violations }),
  }),
  projection: row<{ readonly error: string; readonly originalKeys: readonly string[] }>({
    status: 400,
    meaning: "The jmespath expression is too long, invalid, too costly, or its result is too large.",
    body: ({ error, originalKeys }) => ({ _jmespath_error: error, original_keys: originalKeys }),
    headers: () => ({ "X-Content-Type-Options": "nosniff" }),
  }),
  keyRequired: row<null>({
    status: 401,
    meaning: "No credential was sent.",
    body: () => ({ error: "API key required" }),
  }),
  keyInvalid: row<null>({
    status: 401,
    meaning: "The key is unknown, malformed or revoked.",
    body: () => ({ error: "Invalid API key" }),
  }),
  originRefused: row<null>({
    status: 403,
    meaning: "The browser origin is not on the allow list.",
    body: () => ({ error: "Origin not allowed" }),
  }),
  scopeMissing: row<{ readonly scope: string }>({
    status: 403,
    meaning: "The key does not carry the scope of this operation.",
    body: ({ scope }) => ({ error: `This key lacks the scope ${scope}` }),
  }),
  notFound: row<null>({ status: 404, meaning: "No such path.", body: () => ({ error: "Not found" }) }),
  methodNotAllowed: row<{ readonly allow: string }>({
    status: 405,
    meaning: "The path exists under another method.",
    body: () => ({ error: "Method not allowed" }),
    headers: ({ allow }) => ({ Allow: allow }),
  }),
  tooManyRequests: row<{ readonly retryAfterSeconds: number }>({
    status: 429,
    meaning: "A limit is used up.",
    body: () => both("Too many requests"),
    headers: ({ retryAfterSeconds }) => ({ "Retry-After": String(retryAfterSeconds) }),
  }),
  internal: row<null>({
    status: 500,
    meaning: "A fault of ours; the request id finds it in the log.",
    body: () => ({ message: "Internal server error" }),
  }),
  unavailable: row<{ readonly sentence: string; readonly retryAfterSeconds: number }>({
    status: 503,
    meaning: "The service cannot answer now.",
    body: ({ sentence }) => both(sentence),
    headers: ({ retryAfterSeconds }) => ({ "Retry-After": String(retryAfterSeconds) }),
  }),
};

export type FailureName = keyof typeof failureTable;
type DetailOf<N extends FailureName> = Parameters<(typeof failureTable)[N]["body"]>[0];

/** A failure of the contract on its way to the caller. `cause` is for the log and never leaves the process. */
export class Failure extends Error {
  readonly failure: FailureName;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    failure: FailureName,
    answer: { status: number; body: Readonly<Record<string, unknown>>; headers: Readonly<Record<string, string>> },
    cause?: unknown,
  ) {
    super(`${failure} (${answer.status})`, cause === undefined ? undefined : { cause });
    this.name = "Failure";
    this.failure = failure;
    this.status = answer.status;
    this.body = answer.body;
    this.headers = answer.headers;
  }
}

/** The named failure with its body and headers filled in from `detail`. */
export function failure<N extends FailureName>(name: N, detail: DetailOf<N>, cause?: unknown): Failure {
  // Each row's detail type is fixed by its name; the union hides that from the compiler.
  const found = failureTable[name] as FailureRow<DetailOf<N>>;
  const headers = found.headers?.(detail) ?? {};
  return new Failure(name, { status: found.status, body: found.body(detail), headers }, cause);
}

const Sentence = Type.String();

/** Body schema of each error status, for the documents. */
export const errorSchemas: Readonly<Record<string, TSchema>> = {
  ValidationError: Type.Object({
    violations: Type.Array(Type.Object({ field: Type.String(), description: Type.String() })),
  }),
  JmespathProjectionError: Type.Object({ _jmespath_error: Sentence, original_keys: Type.Array(Type.String()) }),
  UnauthorizedError: Type.Object({ error: Sentence }),
  ForbiddenError: Type.Object({
    error: Sentence,
    code: Type.Optional(Type.String()),
    requiredTier: Type.Optional(Type.Integer()),
    currentTier: Type.Optional(Type.Integer()),
    planKey: Type.Optional(Type.String()),
  }),
  GatewayError: Type.Object({ error: Sentence }),
  RateLimitError: Type.Object({ message: Sentence, error: Sentence }),
  Error: Type.Object({ message: Sentence }),
};
