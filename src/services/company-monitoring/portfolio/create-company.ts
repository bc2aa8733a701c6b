import type { EarlierRequest, NewCompany, PortfolioTurn, RequestKey } from "../ports.js";
import { declaredClaim } from "../rules/claims.js";
import { COMPANIES_MAX } from "../rules/limits.js";
import { fingerprintOf, type NormalCompany } from "../rules/normal/normal-company.js";
import type { Company } from "./company.js";

/** The outcome of creating one company. */
export type Creation =
  | { readonly outcome: "created" | "replayed" | "no-op"; readonly company: Company }
  /** An earlier request with the same id created a company with other content. */
  | { readonly outcome: "conflict"; readonly companyId: string }
  | { readonly outcome: "limit" };

/** Creates one company by the rules of `createCompanies`. */
export async function createCompany(
  turn: PortfolioTurn,
  input: NormalCompany,
  request: RequestKey | undefined,
): Promise<Creation> {
  const [creation] = await createCompanies(turn, [input], request);
  if (!creation) throw new Error("a company was created without an outcome");
  return creation;
}

/**
 * Creates companies in the order of `inputs`. The ordinal of an input is its position in the request. If an earlier
 * request with the same id has created a company for the ordinal, the outcome is `replayed` if the input has the same
 * content as in that request, and `conflict` otherwise. If the account has a company with the input's customer
 * reference, that company is left unchanged, the outcome is `no-op`, and nothing is stored for the ordinal. Once the
 * account has `COMPANIES_MAX` companies, the outcome is `limit`. The number of SQL statements does not depend on the
 * number of companies.
 */
export async function createCompanies(
  turn: PortfolioTurn,
  inputs: readonly NormalCompany[],
  request: RequestKey | undefined,
): Promise<readonly Creation[]> {
  const earlierRows: ReadonlyMap<number, EarlierRequest> = request ? await turn.findRequest(request) : new Map();
  const earlierCompanies = await turn.findAll([...earlierRows.values()].map(({ companyId }) => companyId));
  const references = inputs.flatMap(({ customerReference }) => customerReference ?? []);
  const byReference = new Map(await turn.findByReferences(references));
  const added: NewCompany[] = [];
  const creations: Creation[] = [];
  for (const [ordinal, input] of inputs.entries()) {
    const { customerReference } = input;
    const fingerprint = fingerprintOf(input);
    const earlier = earlierRows.get(ordinal);
    const existing = customerReference === undefined ? undefined : byReference.get(customerReference);
    if (earlier) creations.push(repeated(earlier, fingerprint, earlierCompanies));
    else if (existing) creations.push({ outcome: "no-op", company: existing });
    else if (turn.companyCount() + added.length >= COMPANIES_MAX) creations.push({ outcome: "limit" });
    else {
      const company = newCompany(turn, input);
      if (customerReference !== undefined) byReference.set(customerReference, company);
      added.push({ company, request: request && { ...request, ordinal, fingerprint } });
      creations.push({ outcome: "created", company });
    }
  }
  await turn.add(added);
  return creations;
}

/** Returns the outcome of an input whose company was already created by an earlier request with the same id. */
function repeated(
  { companyId, fingerprint }: EarlierRequest,
  fingerprintNow: string,
  companies: ReadonlyMap<string, Company>,
): Creation {
  if (fingerprint !== fingerprintNow) return { outcome: "conflict", companyId };
  const company = companies.get(companyId);
  if (!company) throw new Error(`the company ${companyId} of an earlier request is missing`);
  return { outcome: "replayed", company };
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
    coverageChangedAt: null,
    claims: input.claims.map((claim) => declaredClaim(claim, turn.newClaimId(), now)),
    createdAt: now,
    updatedAt: now,
  };
}
