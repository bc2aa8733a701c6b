import { failure } from "../contract/failures.js";
import type { Exchange } from "./exchange.js";

const ALLOWED_HEADERS = [
  "Content-Type",
  "Authorization",
  "X-Service-Key",
  "X-Api-Key",
  "Idempotency-Key",
  "If-None-Match",
  "If-Modified-Since",
  "X-Request-Id",
  "Accept-Signature",
  "X-Vigil-Min-Generation",
  "Last-Event-ID",
  "MCP-Protocol-Version",
  "Mcp-Method",
  "Mcp-Name",
].join(", ");

const EXPOSED_HEADERS = [
  "ETag",
  "RateLimit",
  "RateLimit-Policy",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-RateLimit-Mode",
  "X-Vigil-State",
  "X-Vigil-Generation",
  "X-Vigil-Rows",
  "X-Vigil-History",
  "X-Vigil-Data",
  "X-Vigil-Notice",
  "X-Request-Id",
  "Memento-Datetime",
  "Content-Digest",
  "Content-Disposition",
  "Content-Location",
  "Signature-Input",
  "Signature",
  "Retry-After",
  "Idempotency-Key",
  "Idempotent-Replayed",
  "Location",
  "WWW-Authenticate",
  "X-Billing-Verification",
  "Deprecation",
  "Sunset",
  "Link",
].join(", ");

/** The browser origins from which calls are accepted. */
export interface OriginPolicy {
  /** The service's own origin, sent to callers without an origin. */
  readonly own: string;
  readonly allowed: ReadonlySet<string>;
}

/**
 * Returns the CORS headers of a call and, in a demo, the header that marks the data as simulated. Throws the 403 of the
 * contract for an origin that is not allowed.
 */
export type CorsHeaders = (exchange: Exchange) => Readonly<Record<string, string>>;

const preflightHeaders = {
  "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
  "Access-Control-Allow-Headers": ALLOWED_HEADERS,
  "Access-Control-Max-Age": "3600",
};

/** Builds the headers once per allowed origin. `label`, the header of a demo, is added for every origin. */
export function corsHeaders(policy: OriginPolicy, label: Readonly<Record<string, string>>): CorsHeaders {
  const headersOf = new Map(
    [policy.own, ...policy.allowed].map((origin) => [origin, { ...label, ...headersFor(origin) }]),
  );
  // A call without an origin gets no list of readable headers, because only cross-origin calls of browsers need it.
  const { "Access-Control-Expose-Headers": _exposed, ...own } = headersFor(policy.own);
  const plain = { ...label, ...own };
  return ({ call }) => {
    const origin = call.header("origin");
    const headers = origin === undefined ? plain : headersOf.get(origin);
    if (!headers) throw failure("originRefused", null);
    return call.method === "OPTIONS" ? { ...headers, ...preflightHeaders } : headers;
  };
}

function headersFor(origin: string): Readonly<Record<string, string>> {
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Allow-Credentials": "true",
    "Access-Control-Expose-Headers": EXPOSED_HEADERS,
    Vary: "Origin",
  };
}
