import type { Claim } from "../rules/claims.js";
import type { IdentityState } from "../scan/coverage.js";

/**
 * The identity of a company: verified while the evidence for one of its claims is valid, because only a match with a
 * register verifies a claim. Otherwise the identity is `unverified`: the outcome of the newest lookup, as passed in.
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
