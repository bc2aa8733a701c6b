/**
 * Reasons for the outcome of a scan, as codes that do not change between versions. docs/company-monitoring.md explains
 * the codes in use.
 */
export const reasonCodes = [
  "complete",
  "capped",
  "partial",
  "malformed",
  "invalid_empty",
  "provider_error",
  "timeout",
  "rate_limited",
  "authentication_failed",
  "provider_unavailable",
  "request_rejected",
  "provider_retention",
  "pagination_cap",
  "provider_partial",
  "compliance_unavailable",
] as const;
export type ReasonCode = (typeof reasonCodes)[number];
