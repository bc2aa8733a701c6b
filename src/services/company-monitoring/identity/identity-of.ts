import type { Claim } from "../rules/claims.js";
import type { IdentityState } from "../scan/coverage.js";

/**
 * Returns the state of a company's identity: `verified` while at least one of the company's claims has valid evidence
 * from a register, otherwise the outcome of the latest lookup, which the caller passes in as `unverified`.
 */
export function identityOf(
  claims: readonly Claim[],
  unverified: Exclude<IdentityState, "verified">,
  now: number,
): IdentityState {
  const isVerified = claims.some(
    ({ trustState, evidence }) =>
      trustState === "COMPANY_CLAIM_TRUST_STATE_VERIFIED" && evidence !== undefined && now < evidence.validUntil,
  );
  return isVerified ? "verified" : unverified;
}
