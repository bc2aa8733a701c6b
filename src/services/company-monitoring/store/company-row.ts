import type { Insertable } from "kysely";
import type { Company } from "../portfolio/company.js";
import type { CoverageState, ObservationState } from "../records.js";
import type { Claim } from "../rules/claims.js";
import type { CompanyLifecycle } from "../rules/lifecycle.js";
import { shortName } from "../rules/short-name.js";
import type { CompanyTables, CompanyVersionRow } from "./tables.js";

/** Returns the company of a stored version. */
export function companyOf(row: CompanyVersionRow): Company {
  // The casts are safe, because only `versionOf` writes these columns.
  return {
    companyId: row.company_id,
    name: row.name,
    domicileCountry: row.domicile_country,
    customerReference: row.customer_reference ?? undefined,
    lifecycle: row.lifecycle as CompanyLifecycle,
    coverage: fullName("COMPANY_COVERAGE_STATE_", row.coverage) as CoverageState,
    observation: fullName("COMPANY_OBSERVATION_STATE_", row.observation) as ObservationState,
    coverageChangedAt: row.coverage_changed_at,
    claims: JSON.parse(row.claims) as readonly Claim[],
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Returns the row of a company's current version. */
export function versionOf(
  company: Company,
  accountId: string,
  position: number,
): Insertable<CompanyTables["company_version"]> {
  return {
    account_id: accountId,
    company_id: company.companyId,
    visible_from: position,
    visible_to: null,
    name: company.name,
    customer_reference: company.customerReference ?? null,
    domicile_country: company.domicileCountry,
    lifecycle: company.lifecycle,
    coverage: shortName(company.coverage, "COMPANY_COVERAGE_STATE_"),
    observation: shortName(company.observation, "COMPANY_OBSERVATION_STATE_"),
    coverage_changed_at: company.coverageChangedAt,
    claims: JSON.stringify(company.claims),
    created_at: company.createdAt,
    updated_at: company.updatedAt,
    superseded_at: null,
  };
}

/** Returns the full name of an enum member: `COMPANY_COVERAGE_STATE_ADEQUATE` for `adequate`. */
function fullName(prefix: string, short: string): string {
  return `${prefix}${short.toUpperCase()}`;
}
