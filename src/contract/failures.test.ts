import { Compile } from "typebox/compile";
import { expect, test } from "vitest";
import { errorSchemas, type Failure, type FailureName, failure, failureTable } from "./failures.js";

type DetailOf<N extends FailureName> = Parameters<(typeof failureTable)[N]["body"]>[0];

/** A failure as callers receive it. */
interface Expected<N extends FailureName> {
  readonly detail: DetailOf<N>;
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const KEYS = 'ApiKey realm="vigil", headers="X-Service-Key X-Api-Key"';
const CHALLENGE = { "WWW-Authenticate": `Bearer realm="vigil", ${KEYS}` };
const REFUSED = { "WWW-Authenticate": `Bearer realm="vigil", error="invalid_token", ${KEYS}` };
const AT = Date.UTC(2026, 10, 25, 12);
const both = (sentence: string) => ({ message: sentence, error: sentence });
const limitHeaders = { "Retry-After": "7" };

/** Every failure in the contract. The compiler requires an entry for each. */
const contract: { readonly [N in FailureName]: Expected<N> } = {
  validation: {
    detail: { violations: [{ field: "year", description: "must be a whole number" }] },
    status: 400,
    body: { violations: [{ field: "year", description: "must be a whole number" }] },
  },
  projection: {
    detail: { error: "invalid_expression: a", originalKeys: ["months"] },
    status: 400,
    body: { _jmespath_error: "invalid_expression: a", original_keys: ["months"] },
    headers: { "X-Content-Type-Options": "nosniff" },
  },
  keyRequired: { detail: null, status: 401, body: { error: "API key required" }, headers: CHALLENGE },
  keyInvalid: { detail: null, status: 401, body: { error: "Invalid API key" }, headers: REFUSED },
  sessionInvalid: { detail: null, status: 401, body: { error: "Invalid session token" }, headers: REFUSED },
  bearerInvalid: { detail: null, status: 401, body: { error: "Invalid or expired session" }, headers: REFUSED },
  proRequired: { detail: null, status: 401, body: { error: "Pro authentication required" }, headers: CHALLENGE },
  signatureInvalid: {
    detail: null,
    status: 401,
    body: { error: "Invalid signature" },
    headers: { "WWW-Authenticate": 'HMAC-SHA256 header="X-Vigil-Signature"' },
  },
  clientInvalid: {
    detail: null,
    status: 401,
    body: { error: "invalid_client" },
    headers: { "WWW-Authenticate": 'Basic realm="vigil"' },
  },
  grantUnsupported: {
    detail: null,
    status: 400,
    body: {
      error: "unsupported_grant_type",
      message: "The token endpoint accepts only the grant type client_credentials",
    },
  },
  tokenRequestInvalid: {
    detail: { violations: [{ field: "grant_type", description: "is required" }] },
    status: 400,
    body: { error: "invalid_request", message: "grant_type is required" },
  },
  originRefused: { detail: null, status: 403, body: { error: "Origin not allowed" } },
  scopeMissing: { detail: { scope: "read" }, status: 403, body: { error: "This key lacks the scope read" } },
  operatorOnly: { detail: null, status: 403, body: { error: "Only the operator may do this" } },
  planWithoutKeys: {
    detail: null,
    status: 403,
    body: { error: "The plan of this key's account does not include API access" },
  },
  tierTooLow: {
    detail: { requiredTier: 1, currentTier: 0, planKey: "free" },
    status: 403,
    body: { error: "A higher plan is required", requiredTier: 1, currentTier: 0, planKey: "free" },
  },
  subscriptionLapsed: {
    detail: { requiredTier: 1, currentTier: 2, planKey: "business" },
    status: 403,
    body: {
      error: "The subscription has lapsed",
      code: "subscription_lapsed",
      requiredTier: 1,
      currentTier: 2,
      planKey: "business",
    },
    headers: { "X-Billing-Verification": "subscription_lapsed" },
  },
  renewalPending: {
    detail: { requiredTier: 1 },
    status: 403,
    body: {
      error: "The renewal of the subscription is being verified",
      code: "renewal_verification_pending",
      requiredTier: 1,
    },
  },
  notFound: { detail: null, status: 404, body: { error: "Not found" } },
  itemNotFound: {
    detail: { what: "watch", code: "NOT_FOUND" },
    status: 404,
    body: { error: "No such watch", code: "NOT_FOUND" },
  },
  methodNotAllowed: {
    detail: { allow: "GET, HEAD, OPTIONS" },
    status: 405,
    body: { error: "Method not allowed" },
    headers: { Allow: "GET, HEAD, OPTIONS" },
  },
  bodyInvalid: { detail: null, status: 400, body: { message: "Invalid request body" } },
  idempotencyKeyInvalid: {
    detail: null,
    status: 400,
    body: {
      error: "invalid_idempotency_key",
      message: "Idempotency-Key must be 1 to 255 visible ASCII characters without spaces",
    },
  },
  idempotencyConflict: {
    detail: null,
    status: 409,
    body: {
      error: "idempotency_conflict",
      message: "The first request with this Idempotency-Key is still running; repeat this one later",
    },
    headers: { "Retry-After": "2" },
  },
  conflict: {
    detail: { sentence: "The account a already exists", code: "TAKEN" },
    status: 409,
    body: { ...both("The account a already exists"), code: "TAKEN" },
  },
  limitReached: {
    detail: { sentence: "Too many", code: "LIMIT_REACHED" },
    status: 422,
    body: { ...both("Too many"), code: "LIMIT_REACHED" },
  },
  positionGone: {
    detail: null,
    status: 410,
    body: { error: "The log does not have this position; fetch the list again", code: "SNAPSHOT_REQUIRED" },
  },
  historyGone: {
    detail: { dataset: "us-cpi", keptFrom: AT },
    status: 410,
    body: {
      error: "The history of us-cpi begins at 2026-11-25T12:00:00.000Z",
      code: "HISTORY_GONE",
      keptFrom: "2026-11-25T12:00:00.000Z",
    },
  },
  generationGone: {
    detail: { dataset: "us-cpi", generation: 3 },
    status: 410,
    body: {
      error:
        "Generation 3 of us-cpi is no longer kept; read the list without since_generation and continue from its X-Vigil-Generation",
      code: "SNAPSHOT_REQUIRED",
    },
  },
  payloadTooLarge: {
    detail: null,
    status: 413,
    body: { error: "payload_too_large" },
    headers: { Connection: "close" },
  },
  idempotencyKeyReused: {
    detail: null,
    status: 422,
    body: {
      error: "idempotency_key_reused",
      message: "This Idempotency-Key was used before with another request body; use a new key",
    },
  },
  accountLimit: {
    detail: { plan: "starter", limit: 60, limitType: "per_minute", resetAt: AT, headers: limitHeaders },
    status: 429,
    body: {
      ...both("Rate limit reached"),
      plan: "starter",
      limit: 60,
      limit_type: "per_minute",
      reset: "2026-11-25T12:00:00.000Z",
    },
    headers: limitHeaders,
  },
  tooManyRequests: {
    detail: { headers: limitHeaders },
    status: 429,
    body: both("Too many requests"),
    headers: limitHeaders,
  },
  tooManyStreams: {
    detail: { max: 50 },
    status: 429,
    body: { ...both("Too many open streams"), limit: 50 },
    headers: { "Retry-After": "30" },
  },
  quotaUsedUp: {
    detail: { limit: 500, resetAt: AT, headers: limitHeaders },
    status: 429,
    body: { ...both("Daily quota reached"), limit: 500, resetsAt: "2026-11-25T12:00:00.000Z" },
    headers: limitHeaders,
  },
  internal: { detail: null, status: 500, body: { message: "Internal server error" } },
  entitlementUnavailable: {
    detail: null,
    status: 503,
    body: {
      ...both("Access cannot be verified now; repeat the request later"),
      code: "entitlement_verification_unavailable",
    },
    headers: { "Retry-After": "5" },
  },
  limiterUnavailable: {
    detail: null,
    status: 503,
    body: both("Limits cannot be checked now; repeat the request later"),
    headers: { "Retry-After": "5", "X-RateLimit-Mode": "degraded" },
  },
  notReady: {
    detail: { reason: "the disk of the store is full" },
    status: 503,
    body: {
      status: "not ready",
      reason: "the disk of the store is full",
      ...both("the disk of the store is full"),
    },
    headers: { "Retry-After": "5" },
  },
  generationNotLoaded: {
    detail: { dataset: "us-cpi", generation: 3 },
    status: 503,
    body: both("Generation 3 of us-cpi is not loaded here yet; repeat the request later"),
    headers: { "Retry-After": "2" },
  },
  overloaded: {
    detail: null,
    status: 503,
    body: { ...both("The service is overloaded; repeat the request later"), code: "overloaded" },
    headers: { "Retry-After": "1" },
  },
  quotaUnavailable: {
    detail: null,
    status: 503,
    body: both("The daily quota cannot be checked now; repeat the request later"),
    headers: { "Retry-After": "30" },
  },
};

const names = Object.keys(failureTable) as readonly FailureName[];

/** A failure with its detail from the table above. */
function madeFrom<N extends FailureName>(name: N, detail: DetailOf<N>): Failure {
  return failure(name, detail);
}

test.each(names)("the failure %s has the status, the body and the headers of the contract", (name) => {
  const { detail, status, body, headers = {} } = contract[name];
  // The table ties each name to its detail; the union of all names hides that from the compiler.
  const builtFailure = madeFrom(name, detail as never);
  expect([builtFailure.status, builtFailure.body, builtFailure.headers]).toEqual([status, body, headers]);
});

test.each(names)("the body of the failure %s matches the failure's schema in the OpenAPI document", (name) => {
  const { detail, body } = contract[name];
  const { schema, meaning } = failureTable[name];
  expect(madeFrom(name, detail as never).body).toEqual(body);
  expect(Compile(errorSchemas[schema]).Check(body)).toBe(true);
  expect(meaning).toMatch(/^[A-Z].*\.$/);
});

interface SchemaNode {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
}

/** Lists the members of an object schema by path, including those of the objects in its arrays. */
function membersOf({ properties = {} }: SchemaNode, path = ""): readonly (readonly [path: string, SchemaNode])[] {
  return Object.entries(properties).flatMap(([name, node]) => [
    [`${path}${name}`, node] as const,
    ...membersOf(node, `${path}${name}.`),
    ...membersOf(node.items ?? {}, `${path}${name}[].`),
  ]);
}

test.each(Object.entries(errorSchemas))("every member of the schema %s has a description", (_name, schema) => {
  for (const [path, { description }] of membersOf(schema as SchemaNode)) expect(description, path).toMatch(/\S/);
});

test.each(names)("the schema of the failure %s declares every member of its body", (name) => {
  const declared = Object.keys(errorSchemas[failureTable[name].schema].properties);
  expect(declared).toEqual(expect.arrayContaining(Object.keys(contract[name].body)));
});

test("the body for a missing item or a conflict has no code if none was given", () => {
  expect(failure("itemNotFound", { what: "key" }).body).toEqual({ error: "No such key" });
  expect(failure("conflict", { sentence: "Taken" }).body).toEqual(both("Taken"));
});

test("an exhausted daily limit has a different body from an exhausted per-minute limit", () => {
  const detail = { plan: "starter", limit: 1_000, limitType: "daily", resetAt: AT, headers: {} } as const;
  expect(failure("accountLimit", detail).body).toMatchObject({
    ...both("Daily limit reached"),
    limit_type: "daily",
  });
});

test("a failure is an error with its name, its meaning and a cause that only the log receives", () => {
  const cause = new Error("the store is lost");
  const failed = failure("entitlementUnavailable", null, cause);
  expect(failed).toBeInstanceOf(Error);
  expect([failed.name, failed.failure, failed.message, failed.cause]).toEqual([
    "Failure",
    "entitlementUnavailable",
    "entitlementUnavailable (503)",
    cause,
  ]);
  expect(failed.meaning).toBe(failureTable.entitlementUnavailable.meaning);
  expect(JSON.stringify([failed.body, failed.headers])).not.toContain("the store is lost");
  expect("cause" in failure("notFound", null)).toBe(false);
});

test("`withHeaders` adds or replaces headers of a failure, and keeps its status, body and cause", () => {
  const cause = new Error("lost");
  const failed = failure("limiterUnavailable", null, cause).withHeaders({ "X-More": "1", "Retry-After": "9" });
  expect([failed.failure, failed.status, failed.cause]).toEqual(["limiterUnavailable", 503, cause]);
  expect(failed.body).toEqual(contract.limiterUnavailable.body);
  expect(failed.headers).toEqual({ "Retry-After": "9", "X-RateLimit-Mode": "degraded", "X-More": "1" });
});
