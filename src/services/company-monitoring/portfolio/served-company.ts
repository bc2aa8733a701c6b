import type { CompanyClaim, MonitoredCompany } from "../records.js";
import { allowedUsesOf, type Claim } from "../rules/claims.js";
import { domicileName } from "../rules/domicile-country.js";
import { lifecycleName } from "../rules/lifecycle.js";
import type { Company } from "./company.js";

/** Returns a company as served at an instant, epoch ms. The instant matters because claims expire. */
export function servedCompany(company: Company, at: number): MonitoredCompany {
  const site = company.claims.find(({ type }) => type === "COMPANY_CLAIM_TYPE_DOMAIN")?.value;
  return {
    companyId: company.companyId,
    name: company.name,
    ...(site !== undefined && { canonicalUrl: `https://${site}/` }),
    domicileCountry: domicileName(company.domicileCountry),
    lifecycle: lifecycleName(company.lifecycle),
    coverage: company.coverage,
    observation: company.observation,
    claims: company.claims.map((claim) => servedClaim(claim, at)),
    createdAt: new Date(company.createdAt).toISOString(),
    updatedAt: new Date(company.updatedAt).toISOString(),
  };
}

function servedClaim(claim: Claim, at: number): CompanyClaim {
  const { claimId, type, value, provenance, trustState, evidence } = claim;
  const expiresAt = evidence ? evidence.validUntil : claim.expiresAt;
  const isExpired = expiresAt !== null && expiresAt <= at && trustState !== "COMPANY_CLAIM_TRUST_STATE_REJECTED";
  return {
    claimId,
    type,
    value,
    provenance,
    trustState: isExpired ? "COMPANY_CLAIM_TRUST_STATE_EXPIRED" : trustState,
    allowedUses: [...allowedUsesOf(type)],
    ...(expiresAt !== null && { expiresAt: new Date(expiresAt).toISOString() }),
    ...(evidence && {
      verifiedBy: `${evidence.register} ${evidence.recordId}`,
      verifiedAt: new Date(evidence.checkedAt).toISOString(),
    }),
  };
}
