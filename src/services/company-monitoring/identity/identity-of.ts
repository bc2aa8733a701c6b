import type { Claim } from "../rules/claims.js";
import type { IdentityState } from "../scan/coverage.js";

/** The identity of a company by its claims: verified while a claim is, because only a match with a register verifies one. */
export function identityOf(claims: readonly Claim[], now: number): IdentityState {
  const isVerified = claims.some(
    ({ trustState, expiresAt }) =>
      trustState === "COMPANY_CLAIM_TRUST_STATE_VERIFIED" && (expiresAt === null || expiresAt > now),
  );
  return isVerified ? "verified" : "unresolved";
}
