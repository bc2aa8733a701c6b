import { type ErrorSchemaName, type FailureName, failureTable } from "../failures.js";
import { type HeaderName, headerRefs } from "./response-headers.js";

type Json = Readonly<Record<string, unknown>>;

/** Names of the components. They are short, because every operation refers to several of them. */
const responseNames: Readonly<Record<string, string>> = {
  "400 ValidationError": "400-parameter",
  "400 ValidationError, JmespathProjectionError": "400",
  "400 ValidationError, Error": "400-body",
  "400 TokenError": "400-token",
  "401 UnauthorizedError": "401",
  "403 ForbiddenError": "403",
  "409 ConflictError": "409",
  "422 ConflictError": "422",
  "429 RateLimitError": "429",
  "503 UnavailableError": "503",
};

/** Headers in addition to `X-Request-Id`, by status. */
const headersByStatus: Readonly<Record<number, readonly HeaderName[]>> = {
  400: ["X-Vigil-History"],
  401: ["WWW-Authenticate"],
  403: ["X-Billing-Verification"],
  409: ["Retry-After"],
  429: ["Retry-After", "RateLimit-Policy", "RateLimit"],
  503: ["Retry-After", "X-RateLimit-Mode"],
};

/** Collects the error responses of all operations as components that they share. */
export interface ErrorResponses {
  /** Returns the responses of an operation with these failures: the named statuses and `default`. */
  of(failures: readonly FailureName[]): Json;
  /** The components in use. */
  readonly components: Json;
}

export function errorResponses(): ErrorResponses {
  const components: Record<string, Json> = { rest: otherError };
  const componentFor = (status: number, schemas: readonly ErrorSchemaName[]): string => {
    const key = `${status} ${schemas.join(", ")}`;
    const name = responseNames[key];
    if (name === undefined) throw new Error(`no response is named for ${key}`);
    components[name] ??= errorResponse(status, schemas);
    return name;
  };
  return {
    components,
    of(failures) {
      const byStatus = new Map<number, Set<ErrorSchemaName>>();
      for (const { status, schema } of rows(failures)) {
        if (!namedStatuses.has(status)) continue;
        const schemas = byStatus.get(status) ?? new Set();
        byStatus.set(status, schemas.add(schema));
      }
      const named = [...byStatus].map(([status, schemas]) => [status, ref(componentFor(status, [...schemas]))]);
      return { ...Object.fromEntries(named), default: ref("rest") };
    },
  };
}

/** The rows of these failures, in the order of the table. */
function rows(failures: readonly FailureName[]) {
  const names = new Set<string>(failures);
  return Object.entries(failureTable).flatMap(([name, row]) => (names.has(name) ? [row] : []));
}

function errorResponse(status: number, schemas: readonly ErrorSchemaName[]): Json {
  const meanings = Object.values(failureTable)
    .filter((row) => row.status === status && schemas.includes(row.schema))
    .map(({ meaning }) => meaning);
  const alternatives = schemas.map((schema) => ({ $ref: `#/components/schemas/${schema}` }));
  return {
    description: meanings.join(" "),
    headers: headerRefs([...(headersByStatus[status] ?? []), "X-Request-Id"]),
    content: errorContent(alternatives.length === 1 ? alternatives[0] : { oneOf: alternatives }),
  };
}

const otherError: Json = {
  description: "Any other failure.",
  headers: headerRefs(["Allow", "X-Request-Id"]),
  content: errorContent({
    anyOf: [{ $ref: "#/components/schemas/GatewayError" }, { $ref: "#/components/schemas/Error" }],
  }),
};

/** Statuses that callers handle separately from other errors. */
const namedStatuses: ReadonlySet<number> = new Set([400, 401, 403, 409, 422, 429, 503]);

/** Describes both forms of an error body: plain, and problem details for callers whose `Accept` requests them. */
function errorContent(schema: unknown): Json {
  return {
    "application/json": { schema },
    "application/problem+json": { schema: { $ref: "#/components/schemas/ProblemDetails" } },
  };
}

function ref(name: string): Json {
  return { $ref: `#/components/responses/${name}` };
}
