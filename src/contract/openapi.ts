import type { TSchema } from "typebox";
import type { AnyAction } from "./action.js";
import { errorSchemas } from "./failures.js";
import type { AnyOperation, RegisteredOperation } from "./operation.js";
import type { QueryField } from "./query-field.js";

type Json = Readonly<Record<string, unknown>>;

/** What the document says of a path that is not an operation of the contract. */
export interface PlatformPath {
  readonly path: string;
  readonly summary: string;
  readonly isOpen: boolean;
  readonly contentType: string;
}

export interface OpenApiInput {
  readonly operations: readonly RegisteredOperation[];
  readonly actions: readonly AnyAction<never>[];
  readonly platform: readonly PlatformPath[];
  readonly version: string;
  readonly wireName: (field: string) => string;
}

const errorOf: Readonly<Record<string, { readonly schemas: readonly string[]; readonly description: string }>> = {
  "400": {
    schemas: ["ValidationError", "JmespathProjectionError"],
    description: "A parameter or the projection is wrong",
  },
  "401": { schemas: ["UnauthorizedError"], description: "No valid credential" },
  "403": { schemas: ["ForbiddenError"], description: "The credential does not open this" },
  "404": { schemas: ["GatewayError"], description: "No such path" },
  "405": { schemas: ["GatewayError"], description: "Wrong method; `Allow` lists the right ones" },
  "429": { schemas: ["RateLimitError"], description: "A limit is used up; `Retry-After` says until when" },
  "500": { schemas: ["Error"], description: "A fault of the service" },
  "503": { schemas: ["RateLimitError"], description: "The service cannot answer now" },
  default: { schemas: ["Error"], description: "Any other failure" },
};

const keySchemes: readonly Json[] = [{ ServiceKey: [] }, { ApiKeyHeader: [] }, { Session: [] }];

/** Failures that only a POST can meet. */
const actionErrorOf: typeof errorOf = {
  "400": {
    schemas: ["ValidationError", "Error", "GatewayError"],
    description: "The body or its Idempotency-Key is wrong",
  },
  "409": { schemas: ["GatewayError", "Error"], description: "It is under way, or contradicts what is there" },
  "413": { schemas: ["GatewayError"], description: "The body is too large" },
  "422": { schemas: ["GatewayError"], description: "The Idempotency-Key was used with another body" },
};

const jmespathParameter: Json = {
  name: "jmespath",
  in: "query",
  required: false,
  description:
    "JMESPath expression applied to the answer; at most 1,024 UTF-8 bytes, its result at most 256 KB of JSON. See https://jmespath.org",
  schema: { type: "string" },
};

/** The OpenAPI 3.1 document of everything that is served. */
export function openApiDocument({ operations, actions, platform, version, wireName }: OpenApiInput): Json {
  const components: Record<string, unknown> = { ...errorSchemas };
  const paths: Record<string, unknown> = {};
  for (const registered of operations) {
    paths[registered.path] = { get: operationObject(registered, wireName, components) };
  }
  for (const action of actions) paths[action.path] = { post: actionObject(action, components) };
  for (const path of platform) paths[path.path] = { get: platformObject(path) };
  const services = [...new Set(operations.map(({ service }) => service))];
  return {
    openapi: "3.1.0",
    info: {
      title: "Vigil",
      version,
      description:
        "Public monitoring data as versioned snapshots with provenance. An outage is never an empty success: `X-Vigil-State` on every data answer says whether the data is ok, partial, stale, absent or unreadable.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "This service" }],
    security: keySchemes,
    tags: [
      ...services.map((name) => ({ name, description: `Operations of the service group ${name}` })),
      { name: "batch", description: "Several reads in one call" },
      { name: "account", description: "Accounts, keys, sessions and tokens" },
      { name: "platform", description: "Health, metadata and documents of this service" },
    ],
    paths,
    components: {
      securitySchemes: {
        ServiceKey: { type: "apiKey", in: "header", name: "X-Service-Key" },
        ApiKeyHeader: { type: "apiKey", in: "header", name: "X-Api-Key" },
        Session: {
          type: "apiKey",
          in: "cookie",
          name: "vigil_session",
          description: "A browser session, opened at `/api/account/v1/sign-in`",
        },
        BearerAuth: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "A token of `/oauth/token` or of the configured OpenID provider; opens the Pro operations",
        },
      },
      schemas: components,
    },
  };
}

function operationObject(
  { service, operation }: RegisteredOperation,
  wireName: (field: string) => string,
  components: Record<string, unknown>,
): Json {
  return {
    operationId: operation.rpc,
    tags: [service],
    summary: operation.summary,
    description: operation.description,
    ...(operation.deprecation && {
      deprecated: true,
      "x-sunset": new Date(operation.deprecation.sunset).toISOString(),
    }),
    ...(operation.tier !== undefined && {
      security: [...keySchemes, { BearerAuth: [] }],
      "x-required-tier": operation.tier,
    }),
    parameters: [...queryParameters(operation, wireName), jmespathParameter],
    responses: {
      "200": {
        description: "The answer, or its projection when `jmespath` is given",
        headers: dataHeaders,
        content: { "application/json": { schema: hoisted(operation.response, components) } },
      },
      "304": { description: "The content that `If-None-Match` names is still current", headers: dataHeaders },
      ...Object.fromEntries(Object.entries(errorOf).map(([status, error]) => [status, errorResponse(error)])),
    },
  };
}

function queryParameters(operation: AnyOperation, wireName: (field: string) => string): Json[] {
  // Every member of a query is a QueryField by its declaration.
  return Object.entries(operation.query as Readonly<Record<string, QueryField<unknown>>>).map(([name, field]) => ({
    name: wireName(name),
    in: "query",
    required: field.required,
    description: field.description,
    schema: plain(field.schema),
  }));
}

function actionObject(action: AnyAction<never>, components: Record<string, unknown>): Json {
  const [service = "account", rpc = action.path] = /^\/api\/([^/]+)\/v\d+\/(.+)$/.exec(action.path)?.slice(1) ?? [];
  const contentType = action.isForm ? "application/x-www-form-urlencoded" : "application/json";
  const isReplayed = action.repeats === "replayed";
  return {
    operationId: rpc.replace(/\W+/g, "-").replace(/^-/, ""),
    tags: [service],
    summary: action.summary,
    description: action.description,
    security: action.access === "open" ? [] : keySchemes,
    ...(isReplayed && { parameters: [idempotencyParameter] }),
    requestBody: { required: true, content: { [contentType]: { schema: hoisted(action.request, components) } } },
    responses: {
      "200": {
        description: "Done",
        headers: { ...limitHeaders, ...(isReplayed && replayHeaders) },
        content: { "application/json": { schema: hoisted(action.response, components) } },
      },
      ...Object.fromEntries(
        Object.entries({ ...errorOf, ...actionErrorOf }).map(([status, error]) => [status, errorResponse(error)]),
      ),
    },
  };
}

const idempotencyParameter: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "A repeat with the same key and body gets the first answer, for 24 hours",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7E]{1,255}$" },
};

const text = (description: string): Json => ({ description, schema: { type: "string" } });

const limitHeaders: Json = {
  "RateLimit-Policy": text("The limits that this call counts against: name, units (q), window in seconds (w)"),
  RateLimit: text("What is left of each (r) and in how many seconds the next unit is free (t)"),
};

const replayHeaders: Json = {
  "Idempotency-Key": text("The key that was sent"),
  "Idempotent-Replayed": text("`true` when this is the answer to an earlier call"),
};

const dataHeaders: Json = {
  ...limitHeaders,
  ETag: text("Strong validator of these bytes"),
  "X-Vigil-State": {
    description: "State of the data behind the answer",
    schema: { type: "string", enum: ["ok", "partial", "stale", "absent", "unreadable"] },
  },
  "X-Vigil-Generation": text("Structured dictionary: the generation of each dataset read, 0 for none"),
  "Last-Modified": text("When the content was produced"),
  Deprecation: text("Since when the operation is deprecated (RFC 9745); absent while it is not"),
  Sunset: text("When a deprecated operation ends (RFC 8594)"),
  "X-Vigil-Data": text("`simulated` on a demo instance, else absent"),
  "X-Vigil-Notice": text(
    "Structured list of what the query asks for in vain: an unknown parameter, a country that does not exist, a time that ends before it begins; absent without any",
  ),
  "X-Request-Id": text("Finds this call in the service's log"),
};

function errorResponse({
  schemas,
  description,
}: {
  readonly schemas: readonly string[];
  readonly description: string;
}): Json {
  const refs = schemas.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  return { description, content: { "application/json": { schema: refs.length === 1 ? refs[0] : { oneOf: refs } } } };
}

function platformObject({ path, summary, isOpen, contentType }: PlatformPath): Json {
  return {
    operationId: `platform-${path.replace(/\W+/g, "-").replace(/^-|-$/g, "")}`,
    tags: ["platform"],
    summary,
    security: isOpen ? [] : keySchemes,
    responses: {
      "200": { description: summary, content: { [contentType]: { schema: {} } } },
      "401": errorResponse({ schemas: ["UnauthorizedError"], description: "No valid credential" }),
      default: errorResponse({ schemas: ["Error"], description: "Any failure" }),
    },
  };
}

/** A schema with every titled part moved to the components and referred to. */
function hoisted(schema: TSchema, components: Record<string, unknown>): unknown {
  return walk(plain(schema));

  function walk(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== "object" || node === null) return node;
    const walked = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, walk(value)]));
    const { title } = walked;
    if (typeof title !== "string") return walked;
    components[title] = walked;
    return { $ref: `#/components/schemas/${title}` };
  }
}

/** The JSON Schema alone, without what TypeBox keeps beside it. */
function plain(schema: TSchema): Json {
  return JSON.parse(JSON.stringify(schema));
}
