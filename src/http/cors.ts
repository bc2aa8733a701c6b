import { failure } from "../contract/failures.js";
import type { Exchange } from "./exchange.js";

const ALLOWED_HEADERS = [
  "Content-Type",
  "Authorization",
  "X-Service-Key",
  "X-Api-Key",
  "Idempotency-Key",
  "If-None-Match",
  "X-Request-Id",
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
  "X-Vigil-State",
  "X-Vigil-Generation",
  "X-Vigil-Data",
  "X-Request-Id",
  "Retry-After",
  "Idempotency-Key",
  "Idempotent-Replayed",
  "Location",
  "WWW-Authenticate",
  "X-Billing-Verification",
].join(", ");

/** Which browser origins may call. */
export interface OriginPolicy {
  /** The service's own address, named to callers that send no origin. */
  readonly own: string;
  readonly allowed: ReadonlySet<string>;
}

const preflightHeaders = {
  "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
  "Access-Control-Allow-Headers": ALLOWED_HEADERS,
  "Access-Control-Max-Age": "3600",
};

/** The CORS headers of an exchange; throws the 403 of the contract for an origin that is not allowed. */
export function corsHeaders(exchange: Exchange, policy: OriginPolicy): Readonly<Record<string, string>> {
  const origin = exchange.call.header("origin");
  if (origin !== undefined && !policy.allowed.has(origin)) throw failure("originRefused", null);
  return {
    "Access-Control-Allow-Origin": origin ?? policy.own,
    "Access-Control-Allow-Credentials": "true",
    "Access-Control-Expose-Headers": EXPOSED_HEADERS,
    Vary: "Origin",
    ...(exchange.call.method === "OPTIONS" && preflightHeaders),
  };
}
