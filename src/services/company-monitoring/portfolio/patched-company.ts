import {
  byTypeAndValue,
  type Claim,
  type ClaimKey,
  claimKeyText,
  declaredAgain,
  declaredClaim,
} from "../rules/claims.js";
import { CLAIMS_MAX } from "../rules/limits.js";
import type { NormalPatch } from "../rules/normal/normal-patch.js";
import type { Company } from "./company.js";
import { expiredCoverage } from "./expired-coverage.js";
import { isSearchedAlike } from "./searched-alike.js";

/** The company after a patch, `unchanged` if the patch makes no difference, or the reason for refusing it. */
export type Patched =
  | { readonly outcome: "changed"; readonly company: Company }
  | { readonly outcome: "unchanged" }
  | { readonly outcome: "claim not found" }
  | { readonly outcome: "too many claims" };

/**
 * Applies a patch: first removes claims, then sets name, country and reference, then declares claims. If the search
 * terms change (see `isSearchedAlike`), adequate or partial coverage becomes stale.
 */
export function patchedCompany(company: Company, patch: NormalPatch, newClaimId: () => string, now: number): Patched {
  const removed = new Set(patch.removeClaimIds);
  const own = new Set(company.claims.map(({ claimId }) => claimId));
  if (patch.removeClaimIds.some((claimId) => !own.has(claimId))) return { outcome: "claim not found" };
  const kept = company.claims.filter(({ claimId }) => !removed.has(claimId));
  const customerReference = referenceAfter(company, kept, patch);
  const declared: readonly ClaimKey[] = [
    ...(patch.name === undefined ? [] : [{ type: ALIAS, value: patch.name } as const]),
    ...(patch.customerReference ? [{ type: REFERENCE, value: patch.customerReference } as const] : []),
    ...patch.addClaims,
  ];
  const claims = withDeclared(
    kept.filter(({ type, value }) => type !== REFERENCE || value === customerReference),
    declared,
    newClaimId,
    now,
  );
  if (claims.length > CLAIMS_MAX) return { outcome: "too many claims" };
  const after: Company = {
    ...company,
    name: patch.name ?? company.name,
    domicileCountry: patch.domicileCountry ?? company.domicileCountry,
    customerReference,
    claims,
  };
  return JSON.stringify(after) === JSON.stringify(company)
    ? { outcome: "unchanged" }
    : {
        outcome: "changed",
        company: { ...after, ...(!isSearchedAlike(company, after) && expiredCoverage(company, now)), updatedAt: now },
      };
}

const ALIAS = "COMPANY_CLAIM_TYPE_ALIAS";
const REFERENCE = "COMPANY_CLAIM_TYPE_CUSTOMER_REFERENCE";

/** Returns the reference after a patch. A patch that removes the reference's claim also removes the reference. */
function referenceAfter(
  { customerReference }: Company,
  kept: readonly Claim[],
  patch: NormalPatch,
): string | undefined {
  if (patch.customerReference !== undefined) return patch.customerReference ?? undefined;
  return kept.some(({ type }) => type === REFERENCE) ? customerReference : undefined;
}

/**
 * Adds the newly declared claims to a company's claims, applies `declaredAgain` to those that it already has, and sorts
 * the result.
 */
function withDeclared(
  claims: readonly Claim[],
  declared: readonly ClaimKey[],
  newClaimId: () => string,
  now: number,
): readonly Claim[] {
  const byKey = new Map(claims.map((claim) => [claimKeyText(claim), claim]));
  for (const key of declared) {
    const claim = byKey.get(claimKeyText(key));
    byKey.set(claimKeyText(key), claim ? declaredAgain(claim, now) : declaredClaim(key, newClaimId(), now));
  }
  return [...byKey.values()].sort(byTypeAndValue);
}
