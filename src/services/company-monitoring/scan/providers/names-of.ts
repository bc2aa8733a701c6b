import type { ScannedCompany } from "../provider.js";

/** Returns the names of a company, its main name first. */
export function namesOf({ name, claims }: Pick<ScannedCompany, "name" | "claims">): readonly string[] {
  const aliases = claims.flatMap(({ type, value }) => (type === "COMPANY_CLAIM_TYPE_ALIAS" ? [value] : []));
  return [...new Set([name, ...aliases])];
}
