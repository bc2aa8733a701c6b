import type { SearchedCompany } from "../../matching/company-index.js";
import type { ClaimType } from "../../records.js";
import type { ScannedCompany } from "../provider.js";

/** Returns a company in the form that the text matcher takes. */
export function searchedCompany({ companyKey, name, domicileCountry, claims }: ScannedCompany): SearchedCompany {
  const valuesOf = (type: ClaimType) => claims.flatMap((claim) => (claim.type === type ? [claim.value] : []));
  return {
    key: companyKey,
    name,
    aliases: valuesOf("COMPANY_CLAIM_TYPE_ALIAS").filter((alias) => alias !== name),
    domains: valuesOf("COMPANY_CLAIM_TYPE_DOMAIN"),
    identifiers: valuesOf("COMPANY_CLAIM_TYPE_LEGAL_IDENTIFIER"),
    domicileCountry,
  };
}
