import type { NewCompany, PortfolioTurn, RequestKey } from "../ports.js";
import { declaredClaim } from "../rules/claims.js";
import { COMPANIES_MAX } from "../rules/limits.js";
import { fingerprintOf, type NormalCompany } from "../rules/normal/normal-company.js";
import type { Company } from "./company.js";

/** The outcome of creating one company. */
export type Creation =
  | { readonly outcome: "created" | "replayed" | "no-op"; readonly company: Company }
  /** The request was made before for another company, which was created then. */
  | { readonly outcome: "conflict"; readonly companyId: string }
  | { readonly outcome: "limit" };

/**
 * Creates a company. A request with a known id is a replay if it means the same company, else a conflict; a company whose
 * customer reference exists is left as it is, and leaves the request id unused.
 */
export async function createCompany(
  turn: PortfolioTurn,
  input: NormalCompany,
  request: RequestKey | undefined,
): Promise<Creation> {
  const fingerprint = fingerprintOf(input);
  const earlier = request && (await turn.findRequest(request));
  if (earlier) {
    if (earlier.fingerprint !== fingerprint) return { outcome: "conflict", companyId: earlier.companyId };
    const company = await turn.find(earlier.companyId);
    if (!company) throw new Error(`the company ${earlier.companyId} of an earlier request is missing`);
    return { outcome: "replayed", company };
  }
  const { customerReference } = input;
  const existing = customerReference === undefined ? undefined : await turn.findByReference(customerReference);
  if (existing) return { outcome: "no-op", company: existing };
  if (turn.companyCount() >= COMPANIES_MAX) return { outcome: "limit" };
  const company = newCompany(turn, input);
  const added: NewCompany = { company, request: request && { ...request, fingerprint } };
  await turn.add(added);
  return { outcome: "created", company };
}

function newCompany(turn: PortfolioTurn, input: NormalCompany): Company {
  const { now } = turn;
  return {
    companyId: turn.newCompanyId(),
    name: input.name,
    domicileCountry: input.domicileCountry,
    customerReference: input.customerReference,
    lifecycle: "active",
    coverage: "COMPANY_COVERAGE_STATE_AWAITING_FIRST_SCAN",
    observation: "COMPANY_OBSERVATION_STATE_UNKNOWN",
    claims: input.claims.map((claim) => declaredClaim(claim, turn.newClaimId(), now)),
    createdAt: now,
    updatedAt: now,
  };
}
