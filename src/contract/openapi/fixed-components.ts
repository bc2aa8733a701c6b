import { headerRefs } from "./response-headers.js";

type Json = Readonly<Record<string, unknown>>;

export const securitySchemes: Json = {
  ServiceKey: { type: "apiKey", in: "header", name: "X-Service-Key", description: "A key of an account" },
  ApiKeyHeader: { type: "apiKey", in: "header", name: "X-Api-Key", description: "The same key in another header" },
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
    description: "A token of `/oauth/token` or of the configured OpenID provider; only the Pro operations accept it",
  },
};

export const jmespathParameter: Json = {
  name: "jmespath",
  in: "query",
  description:
    "JMESPath expression (https://jmespath.org) applied to the answer; at most 1,024 bytes, result at most 256 KB",
  schema: { type: "string" },
};

export const idempotencyParameter: Json = {
  name: "Idempotency-Key",
  in: "header",
  description: "For 24 hours, a repeat with the same key gets the first answer",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7E]{1,255}$" },
};

export const minGenerationParameter: Json = {
  name: "X-Vigil-Min-Generation",
  in: "header",
  description:
    "`X-Vigil-Generation` of earlier answers: the answer is made of these generations or newer ones, on every node. A node that has not loaded them after 2 s answers 503",
  schema: { type: "string", maxLength: 8192, examples: ["co2=12, ice=4"] },
};

export const Projected: Json = {
  description: "Result of `jmespath`: a JSON value, `null` for no match",
  type: ["object", "array", "string", "number", "boolean", "null"],
  items: {},
};

export const lastEventIdParameter: Json = {
  name: "Last-Event-ID",
  in: "header",
  description: "Id of the last event that was received: the stream continues after it. Takes precedence over `cursor`",
  schema: { type: "string", pattern: "^\\d{1,15}$" },
};

/**
 * Headers that the 200 response of each operation lists. Headers that occur in the answers of all operations, such as
 * the ETag, the limits and the request id, are listed only once: in the 304 response that all operations share.
 */
export const dataHeaderNames = ["X-Vigil-State", "X-Vigil-Generation"] as const;
const commonHeaderNames = [
  "ETag",
  "Last-Modified",
  "RateLimit-Policy",
  "RateLimit",
  "X-Vigil-Data",
  "X-Vigil-Notice",
  "Memento-Datetime",
  "X-Vigil-History",
  "X-Request-Id",
  "Content-Digest",
  "Content-Location",
  "Signature-Input",
  "Signature",
] as const;
/** Additional headers of operations that can answer in row formats or feed formats. */
export const rowHeaderNames = ["X-Vigil-Rows", "Link"] as const;
export const deprecatedNames = ["Deprecation", "Sunset"] as const;

export const notModified: Json = {
  description: "The content that `If-None-Match` names is still current.",
  headers: headerRefs([...dataHeaderNames, ...commonHeaderNames, ...deprecatedNames]),
};
