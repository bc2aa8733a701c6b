import type { TSchema } from "typebox";
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

const jmespathParameter: Json = {
  name: "jmespath",
  in: "query",
  required: false,
  description:
    "JMESPath expression applied to the answer; at most 1,024 UTF-8 bytes, its result at most 256 KB of JSON. See https://jmespath.org",
  schema: { type: "string" },
};

/** The OpenAPI 3.1 document of everything that is served. */
export function openApiDocument({ operations, platform, version, wireName }: OpenApiInput): Json {
  const components: Record<string, unknown> = { ...errorSchemas };
  const paths: Record<string, unknown> = {};
  for (const registered of operations) {
    paths[registered.path] = { get: operationObject(registered, wireName, components) };
  }
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
    security: [{ ServiceKey: [] }, { ApiKeyHeader: [] }],
    tags: [
      ...services.map((name) => ({ name, description: `Operations of the service group ${name}` })),
      { name: "platform", description: "Health, metadata and documents of this service" },
    ],
    paths,
    components: {
      securitySchemes: {
        ServiceKey: { type: "apiKey", in: "header", name: "X-Service-Key" },
        ApiKeyHeader: { type: "apiKey", in: "header", name: "X-Api-Key" },
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

const text = (description: string): Json => ({ description, schema: { type: "string" } });

const dataHeaders: Json = {
  ETag: text("Strong validator of these bytes"),
  "X-Vigil-State": {
    description: "State of the data behind the answer",
    schema: { type: "string", enum: ["ok", "partial", "stale", "absent", "unreadable"] },
  },
  "X-Vigil-Generation": text("Structured dictionary: the generation of each dataset read, 0 for none"),
  "Last-Modified": text("When the content was produced"),
  "X-Vigil-Data": text("`simulated` on a demo instance, else absent"),
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
    security: isOpen ? [] : [{ ServiceKey: [] }, { ApiKeyHeader: [] }],
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
