import { type TSchema, Type } from "typebox";

/**
 * A rejected input. `field` is the path of the parameter or body member, in camelCase. Parameters of the token endpoint
 * keep the snake_case names of RFC 6749.
 */
export interface Violation {
  readonly field: string;
  readonly description: string;
}

interface FailureRow<Detail> {
  readonly status: number;
  /** Name of the schema of its body, for the OpenAPI document. */
  readonly schema: ErrorSchemaName;
  /** The condition that causes it, for the OpenAPI document and the docs. */
  readonly meaning: string;
  readonly body: (detail: Detail) => Readonly<Record<string, unknown>>;
  readonly headers?: (detail: Detail) => Readonly<Record<string, string>>;
}

function row<Detail>(definition: FailureRow<Detail>): FailureRow<Detail> {
  return definition;
}

/**
 * The `WWW-Authenticate` challenge lists every way to send a credential: `Authorization: Bearer` takes a token or a key
 * (RFC 6750); `X-Service-Key` and `X-Api-Key` take a key.
 */
const KEY_HEADERS = 'ApiKey realm="vigil", headers="X-Service-Key X-Api-Key"';
const challenge = { "WWW-Authenticate": `Bearer realm="vigil", ${KEY_HEADERS}` };
const refusedChallenge = { "WWW-Authenticate": `Bearer realm="vigil", error="invalid_token", ${KEY_HEADERS}` };

const Sentence = Type.String({ description: "The failure, in one sentence" });

/** Body schemas of the failures, for the OpenAPI document. */
export const errorSchemas = {
  ValidationError: Type.Object({
    violations: Type.Array(
      Type.Object({
        field: Type.String({ description: "The parameter or body member, in camelCase" }),
        description: Type.String({ description: "The problem and the expected value" }),
      }),
      { description: "One entry for each rejected input" },
    ),
  }),
  JmespathProjectionError: Type.Object({
    _jmespath_error: Type.String({ description: "Reason, then its detail: `invalid_expression: …`" }),
    original_keys: Type.Array(Type.String(), { description: "Top-level keys of the answer without projection" }),
  }),
  UnauthorizedError: Type.Object({
    error: Type.String({ description: "The failure, in one sentence; the token endpoint sends `invalid_client`" }),
  }),
  ForbiddenError: Type.Object({
    error: Sentence,
    code: Type.Optional(Type.String({ description: "`subscription_lapsed` or `renewal_verification_pending`" })),
    requiredTier: Type.Optional(Type.Integer({ description: "Tier that the operation needs" })),
    currentTier: Type.Optional(Type.Integer({ description: "Tier of the caller's plan" })),
    planKey: Type.Optional(Type.String({ description: "The caller's plan" })),
  }),
  GatewayError: Type.Object({
    error: Type.String({ description: "The failure, in one sentence, or `payload_too_large`" }),
    code: Type.Optional(Type.String({ description: "Stable name of the failure, if it has one" })),
    keptFrom: Type.Optional(Type.String({ format: "date-time", description: "Start of the kept history, ISO 8601" })),
  }),
  ConflictError: Type.Object({
    message: Sentence,
    error: Type.String({
      description: "`idempotency_conflict`, `idempotency_key_reused`, or the same sentence as `message`",
    }),
    code: Type.Optional(Type.String({ description: "Stable name of the conflict or the limit" })),
  }),
  RateLimitError: Type.Object({
    message: Sentence,
    error: Sentence,
    plan: Type.Optional(Type.String({ description: "Plan whose allowance is used up" })),
    limit: Type.Optional(Type.Integer({ description: "Maximum number of calls, or of open streams" })),
    limit_type: Type.Optional(Type.String({ description: "`per_minute` or `daily`" })),
    reset: Type.Optional(Type.String({ description: "Time at which calls are accepted again, ISO 8601" })),
    resetsAt: Type.Optional(Type.String({ description: "Time at which the quota is renewed, ISO 8601" })),
  }),
  UnavailableError: Type.Object({
    message: Sentence,
    error: Sentence,
    code: Type.Optional(
      Type.String({
        description: "`entitlement_verification_unavailable` if keys or plans cannot be read, or `overloaded`",
      }),
    ),
    status: Type.Optional(Type.Literal("not ready", { description: "Present if the service or a feed is not ready" })),
    reason: Type.Optional(Type.String({ description: "Same sentence as `message`; present with `status`" })),
  }),
  TokenError: Type.Object({
    error: Type.String({ description: "Error code of RFC 6749: `invalid_request` or `unsupported_grant_type`" }),
    message: Sentence,
  }),
  Error: Type.Object({
    message: Sentence,
    error: Type.Optional(Type.String({ description: "Name of the failure, if it has one" })),
  }),
} as const satisfies Readonly<Record<string, TSchema>>;
export type ErrorSchemaName = keyof typeof errorSchemas;

/**
 * Problem details (RFC 9457), for callers whose `Accept` requests them. The members of the plain body are included.
 */
export const ProblemDetails = Type.Object({
  type: Type.String({ description: "URN of the failure" }),
  title: Type.String({ description: "Cause of the failure" }),
  status: Type.Integer({ description: "HTTP status" }),
  detail: Type.Optional(Sentence),
  instance: Type.String({ description: "URN of this call, with its request id" }),
});

const NO_FORM = "The body must be a form in UTF-8 with Content-Type: application/x-www-form-urlencoded";

const both = (sentence: string): Readonly<Record<string, string>> => ({ message: sentence, error: sentence });

/** Every failure that a caller can receive, with its exact status and plain JSON body. */
export const failureTable = {
  validation: row<{ readonly violations: readonly Violation[] }>({
    status: 400,
    schema: "ValidationError",
    meaning: "A parameter or a member of the body is missing or invalid.",
    body: ({ violations }) => ({ violations }),
  }),
  projection: row<{ readonly error: string; readonly originalKeys: readonly string[] }>({
    status: 400,
    schema: "JmespathProjectionError",
    meaning:
      "The jmespath expression is invalid, too long or too costly, its result is too large, or its result for a row format is not an array.",
    body: ({ error, originalKeys }) => ({ _jmespath_error: error, original_keys: originalKeys }),
    headers: () => ({ "X-Content-Type-Options": "nosniff" }),
  }),
  keyRequired: row<null>({
    status: 401,
    schema: "UnauthorizedError",
    meaning: "No credential was sent. A key goes into X-Service-Key, X-Api-Key or Authorization: Bearer.",
    body: () => ({ error: "API key required" }),
    headers: () => challenge,
  }),
  keyInvalid: row<null>({
    status: 401,
    schema: "UnauthorizedError",
    meaning: "The key is malformed, unknown, expired or revoked.",
    body: () => ({ error: "Invalid API key" }),
    headers: () => refusedChallenge,
  }),
  sessionInvalid: row<null>({
    status: 401,
    schema: "UnauthorizedError",
    meaning: "The session has ended or does not exist.",
    body: () => ({ error: "Invalid session token" }),
    headers: () => refusedChallenge,
  }),
  bearerInvalid: row<null>({
    status: 401,
    schema: "UnauthorizedError",
    meaning: "The bearer token is malformed, expired, or not for this service.",
    body: () => ({ error: "Invalid or expired session" }),
    headers: () => refusedChallenge,
  }),
  proRequired: row<null>({
    status: 401,
    schema: "UnauthorizedError",
    meaning: "A session of an account without a Pro plan called a Pro operation.",
    body: () => ({ error: "Pro authentication required" }),
    headers: () => challenge,
  }),
  signatureInvalid: row<null>({
    status: 401,
    schema: "UnauthorizedError",
    meaning: "The signature of a plan event is missing, wrong or too old.",
    body: () => ({ error: "Invalid signature" }),
    headers: () => ({ "WWW-Authenticate": 'HMAC-SHA256 header="X-Vigil-Signature"' }),
  }),
  clientInvalid: row<null>({
    status: 401,
    schema: "UnauthorizedError",
    meaning: "The request to the token endpoint has no valid key.",
    body: () => ({ error: "invalid_client" }),
    headers: () => ({ "WWW-Authenticate": 'Basic realm="vigil"' }),
  }),
  grantUnsupported: row<null>({
    status: 400,
    schema: "TokenError",
    meaning: "The grant type of the token request is not client_credentials.",
    body: () => ({
      error: "unsupported_grant_type",
      message: "The token endpoint accepts only the grant type client_credentials",
    }),
  }),
  tokenRequestInvalid: row<{ readonly violations: readonly Violation[] }>({
    status: 400,
    schema: "TokenError",
    meaning: "The token request is not a form, or one of its parameters is missing, repeated or invalid.",
    body: ({ violations }) => ({
      error: "invalid_request",
      message: violations.map(({ field, description }) => `${field} ${description}`).join("; ") || NO_FORM,
    }),
  }),
  originRefused: row<null>({
    status: 403,
    schema: "ForbiddenError",
    meaning: "The browser origin is not on the allow list.",
    body: () => ({ error: "Origin not allowed" }),
  }),
  scopeMissing: row<{ readonly scope: string }>({
    status: 403,
    schema: "ForbiddenError",
    meaning: "The key does not have the scope that this operation needs.",
    body: ({ scope }) => ({ error: `This key lacks the scope ${scope}` }),
  }),
  operatorOnly: row<null>({
    status: 403,
    schema: "ForbiddenError",
    meaning: "Only the operator may do this.",
    body: () => ({ error: "Only the operator may do this" }),
  }),
  planWithoutKeys: row<null>({
    status: 403,
    schema: "ForbiddenError",
    meaning: "The plan of the key's account has no API access.",
    body: () => ({ error: "The plan of this key's account does not include API access" }),
  }),
  tierTooLow: row<{ readonly requiredTier: number; readonly currentTier: number; readonly planKey: string }>({
    status: 403,
    schema: "ForbiddenError",
    meaning: "The operation needs a higher plan.",
    body: (detail) => ({ error: "A higher plan is required", ...detail }),
  }),
  subscriptionLapsed: row<{ readonly requiredTier: number; readonly currentTier: number; readonly planKey: string }>({
    status: 403,
    schema: "ForbiddenError",
    meaning: "The account's plan has lapsed.",
    body: (detail) => ({ error: "The subscription has lapsed", code: "subscription_lapsed", ...detail }),
    headers: () => ({ "X-Billing-Verification": "subscription_lapsed" }),
  }),
  renewalPending: row<{ readonly requiredTier: number }>({
    status: 403,
    schema: "ForbiddenError",
    meaning: "The renewal of the account's plan is being verified.",
    body: ({ requiredTier }) => ({
      error: "The renewal of the subscription is being verified",
      code: "renewal_verification_pending",
      requiredTier,
    }),
  }),
  notFound: row<null>({
    status: 404,
    schema: "GatewayError",
    meaning: "No such path.",
    body: () => ({ error: "Not found" }),
  }),
  itemNotFound: row<{ readonly what: string; readonly code?: string }>({
    status: 404,
    schema: "GatewayError",
    meaning: "The resource does not exist, or belongs to another account.",
    body: ({ what, code }) => ({ error: `No such ${what}`, ...(code !== undefined && { code }) }),
  }),
  methodNotAllowed: row<{ readonly allow: string }>({
    status: 405,
    schema: "GatewayError",
    meaning: "The path does not accept this method.",
    body: () => ({ error: "Method not allowed" }),
    headers: ({ allow }) => ({ Allow: allow }),
  }),
  bodyInvalid: row<null>({
    status: 400,
    schema: "Error",
    meaning: "The body is missing, is not a JSON object, or has a Content-Type that the operation does not accept.",
    body: () => ({ message: "Invalid request body" }),
  }),
  idempotencyKeyInvalid: row<null>({
    status: 400,
    schema: "Error",
    meaning: "The Idempotency-Key is empty, too long, or contains characters other than visible ASCII.",
    body: () => ({
      error: "invalid_idempotency_key",
      message: "Idempotency-Key must be 1 to 255 visible ASCII characters without spaces",
    }),
  }),
  idempotencyConflict: row<null>({
    status: 409,
    schema: "ConflictError",
    meaning: "The first call with this Idempotency-Key is still running.",
    body: () => ({
      error: "idempotency_conflict",
      message: "The first request with this Idempotency-Key is still running; repeat this one later",
    }),
    headers: () => ({ "Retry-After": "2" }),
  }),
  conflict: row<{ readonly sentence: string; readonly code?: string }>({
    status: 409,
    schema: "ConflictError",
    meaning: "The request conflicts with the current state.",
    body: ({ sentence, code }) => ({ ...both(sentence), ...(code !== undefined && { code }) }),
  }),
  limitReached: row<{ readonly sentence: string; readonly code: string }>({
    status: 422,
    schema: "ConflictError",
    meaning: "The account already has the maximum number of objects of this kind.",
    body: ({ sentence, code }) => ({ ...both(sentence), code }),
  }),
  positionGone: row<null>({
    status: 410,
    schema: "GatewayError",
    meaning:
      "The log no longer reaches back to the position, or ends before it. Read the list again and continue from its cursor.",
    body: () => ({ error: "The log does not have this position; fetch the list again", code: "SNAPSHOT_REQUIRED" }),
  }),
  historyGone: row<{ readonly dataset: string; readonly keptFrom: number }>({
    status: 410,
    schema: "GatewayError",
    meaning: "The history of a dataset does not reach back to the instant of `as_of`.",
    body: ({ dataset, keptFrom }) => ({
      error: `The history of ${dataset} begins at ${new Date(keptFrom).toISOString()}`,
      code: "HISTORY_GONE",
      keptFrom: new Date(keptFrom).toISOString(),
    }),
  }),
  generationGone: row<{ readonly dataset: string; readonly generation: number }>({
    status: 410,
    schema: "GatewayError",
    meaning:
      "A generation named in `since_generation` is no longer kept. Read the whole list and continue from its generation.",
    body: ({ dataset, generation }) => ({
      error: `Generation ${generation} of ${dataset} is no longer kept; read the list without since_generation and continue from its X-Vigil-Generation`,
      code: "SNAPSHOT_REQUIRED",
    }),
  }),
  payloadTooLarge: row<null>({
    status: 413,
    schema: "GatewayError",
    meaning: "The body is larger than this operation accepts.",
    body: () => ({ error: "payload_too_large" }),
    headers: () => ({ Connection: "close" }),
  }),
  idempotencyKeyReused: row<null>({
    status: 422,
    schema: "ConflictError",
    meaning: "The Idempotency-Key was used with another body.",
    body: () => ({
      error: "idempotency_key_reused",
      message: "This Idempotency-Key was used before with another request body; use a new key",
    }),
  }),
  accountLimit: row<{
    readonly plan: string;
    readonly limit: number;
    readonly limitType: "per_minute" | "daily";
    readonly resetAt: number;
    readonly headers: Readonly<Record<string, string>>;
  }>({
    status: 429,
    schema: "RateLimitError",
    meaning: "The allowance of the account's plan is used up.",
    body: ({ plan, limit, limitType, resetAt }) => ({
      ...both(limitType === "daily" ? "Daily limit reached" : "Rate limit reached"),
      plan,
      limit,
      limit_type: limitType,
      reset: new Date(resetAt).toISOString(),
    }),
    headers: ({ headers }) => headers,
  }),
  tooManyRequests: row<{ readonly headers: Readonly<Record<string, string>> }>({
    status: 429,
    schema: "RateLimitError",
    meaning: "A limit other than the allowance of the plan is used up.",
    body: () => both("Too many requests"),
    headers: ({ headers }) => headers,
  }),
  tooManyStreams: row<{ readonly max: number }>({
    status: 429,
    schema: "RateLimitError",
    meaning: "The account already has the maximum number of open streams.",
    body: ({ max }) => ({ ...both("Too many open streams"), limit: max }),
    headers: () => ({ "Retry-After": "30" }),
  }),
  quotaUsedUp: row<{
    readonly limit: number;
    readonly resetAt: number;
    readonly headers: Readonly<Record<string, string>>;
  }>({
    status: 429,
    schema: "RateLimitError",
    meaning: "The daily quota of this operation is used up.",
    body: ({ limit, resetAt }) => ({
      ...both("Daily quota reached"),
      limit,
      resetsAt: new Date(resetAt).toISOString(),
    }),
    headers: ({ headers }) => headers,
  }),
  internal: row<null>({
    status: 500,
    schema: "Error",
    meaning: "An error in the service. The request id identifies it in the log.",
    body: () => ({ message: "Internal server error" }),
  }),
  entitlementUnavailable: row<null>({
    status: 503,
    schema: "UnavailableError",
    meaning: "Keys or plans cannot be looked up now.",
    body: () => ({
      ...both("Access cannot be verified now; repeat the request later"),
      code: "entitlement_verification_unavailable",
    }),
    headers: () => ({ "Retry-After": "5" }),
  }),
  limiterUnavailable: row<null>({
    status: 503,
    schema: "UnavailableError",
    meaning: "The limits of this operation cannot be checked now.",
    body: () => both("Limits cannot be checked now; repeat the request later"),
    headers: () => ({ "Retry-After": "5", "X-RateLimit-Mode": "degraded" }),
  }),
  notReady: row<{ readonly reason: string }>({
    status: 503,
    schema: "UnavailableError",
    meaning: "The service is temporarily unavailable.",
    body: ({ reason }) => ({ status: "not ready", reason, ...both(reason) }),
    headers: () => ({ "Retry-After": "5" }),
  }),
  generationNotLoaded: row<{ readonly dataset: string; readonly generation: number }>({
    status: 503,
    schema: "UnavailableError",
    meaning: "This node has not yet loaded a generation named in `since_generation` or `X-Vigil-Min-Generation`.",
    body: ({ dataset, generation }) =>
      both(`Generation ${generation} of ${dataset} is not loaded here yet; repeat the request later`),
    headers: () => ({ "Retry-After": "2" }),
  }),
  overloaded: row<null>({
    status: 503,
    schema: "UnavailableError",
    meaning: "The service cannot answer more calls in time, or the caller already has its full share of running calls.",
    body: () => ({ ...both("The service is overloaded; repeat the request later"), code: "overloaded" }),
    headers: () => ({ "Retry-After": "1" }),
  }),
  quotaUnavailable: row<null>({
    status: 503,
    schema: "UnavailableError",
    meaning: "The daily quota of this operation cannot be checked now.",
    body: () => both("The daily quota cannot be checked now; repeat the request later"),
    headers: () => ({ "Retry-After": "30" }),
  }),
};

export type FailureName = keyof typeof failureTable;
type DetailOf<N extends FailureName> = Parameters<(typeof failureTable)[N]["body"]>[0];

/**
 * A failure that the contract defines. Throwing it answers the call with its status, headers and body. `cause` is only
 * logged; callers never see it.
 */
export class Failure extends Error {
  readonly failure: FailureName;
  /** The condition that causes this failure, as a sentence. */
  readonly meaning: string;
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
    this.meaning = failureTable[failure].meaning;
    this.status = answer.status;
    this.body = answer.body;
    this.headers = answer.headers;
  }

  /** Returns the same failure with additional headers. */
  withHeaders(headers: Readonly<Record<string, string>>): Failure {
    const answer = { status: this.status, body: this.body, headers: { ...this.headers, ...headers } };
    return new Failure(this.failure, answer, this.cause);
  }
}

/**
 * A failure that is created once and thrown for many calls. Capturing a stack trace for every call would cost more than
 * all other work on a small response.
 */
export class SharedFailure extends Failure {}

/** Creates the named failure; `detail` fills in its body and headers. */
export function failure<N extends FailureName>(name: N, detail: DetailOf<N>, cause?: unknown): Failure {
  return new Failure(name, answerOf(name, detail), cause);
}

/** Creates the named failure once, to be thrown for many calls. */
export function sharedFailure<N extends FailureName>(name: N, detail: DetailOf<N>): SharedFailure {
  return new SharedFailure(name, answerOf(name, detail));
}

function answerOf<N extends FailureName>(name: N, detail: DetailOf<N>): ConstructorParameters<typeof Failure>[1] {
  // The cast is safe: `name` selects both the row and the type of `detail`, but for a union of names the compiler does
  // not relate the two.
  const row = failureTable[name] as FailureRow<DetailOf<N>>;
  return { status: row.status, body: row.body(detail), headers: row.headers?.(detail) ?? {} };
}
