import type { CoverageInput, IdentityState } from "../../scan/coverage.js";
import type { CompanyDatabase } from "../tables.js";
import type { CompanyWindowRow } from "./scan-tables.js";
import { providerOf, windowsOf } from "./window-row.js";

/**
 * The stored facts from which a company's coverage is computed. The claims, which show whether the identity is
 * verified, are not included.
 */
export type CoverageFacts = Pick<CoverageInput, "windows" | "required" | "hasCurrentImpacts" | "assessmentReady"> & {
  /** The state of the company's identity if no verification is valid. */
  readonly unverified: Exclude<IdentityState, "verified">;
};

/**
 * Reads the facts of an account's companies, and returns a function that finds the facts of a company by its id. The
 * number of SQL statements does not depend on the number of companies.
 */
export async function coverageFacts(
  db: CompanyDatabase,
  accountId: string,
  companyIds: readonly string[],
): Promise<(companyId: string) => CoverageFacts> {
  if (companyIds.length === 0)
    return () => factsOf([], { hasCurrentImpacts: false, assessmentReady: true, isAmbiguous: false });
  const windows = await db
    .selectFrom("company_window")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("company_id", "in", companyIds)
    .orderBy("provider")
    .execute();
  const impacts = await db
    .selectFrom("company_impact")
    .select("company_id")
    .distinct()
    .where("account_id", "=", accountId)
    .where("company_id", "in", companyIds)
    .where("visible_to", "is", null)
    .where("lifecycle", "!=", "retracted")
    .execute();
  const waiting = await db
    .selectFrom("company_finding")
    .select("company_id")
    .distinct()
    .where("account_id", "=", accountId)
    .where("company_id", "in", companyIds)
    .where("judged", "=", 0)
    .execute();
  const rowsOf = new Map<string, CompanyWindowRow[]>();
  for (const row of windows) rowsOf.set(row.company_id, [...(rowsOf.get(row.company_id) ?? []), row]);
  const identities = await db
    .selectFrom("company_identity")
    .select("company_id")
    .where("account_id", "=", accountId)
    .where("company_id", "in", companyIds)
    .where("state", "=", "ambiguous")
    .execute();
  const ambiguous = new Set(identities.map(({ company_id }) => company_id));
  const withImpacts = new Set(impacts.map(({ company_id }) => company_id));
  const withWaiting = new Set(waiting.map(({ company_id }) => company_id));
  return (companyId) =>
    factsOf(rowsOf.get(companyId) ?? [], {
      hasCurrentImpacts: withImpacts.has(companyId),
      assessmentReady: !withWaiting.has(companyId),
      isAmbiguous: ambiguous.has(companyId),
    });
}

interface CompanyFlags {
  readonly hasCurrentImpacts: boolean;
  readonly assessmentReady: boolean;
  readonly isAmbiguous: boolean;
}

function factsOf(
  rows: readonly CompanyWindowRow[],
  { hasCurrentImpacts, assessmentReady, isAmbiguous }: CompanyFlags,
): CoverageFacts {
  return {
    windows: windowsOf(rows),
    // Registers are omitted, because they only confirm the identity. Registers are published daily. If they were
    // required, the period in which silence can be trusted (`trusted` in scan/coverage.ts) could end as much as a
    // day earlier.
    required: rows.map(providerOf).filter((provider) => provider !== "MONITORING_PROVIDER_REGISTER"),
    hasCurrentImpacts,
    assessmentReady,
    unverified: isAmbiguous ? "ambiguous" : "unresolved",
  };
}
