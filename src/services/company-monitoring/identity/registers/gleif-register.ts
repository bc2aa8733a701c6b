import type { Observation } from "../../../../contract/on-demand.js";
import { companyIdentifier } from "../../matching/company-identifiers.js";
import type { ScannedCompany } from "../../scan/provider.js";
import type { LeiQuery, LeiRecord } from "../../sources/gleif.js";
import type { CompanyRegister } from "../register.js";
import type { RegisterRecord } from "../resolve-identity.js";
import { answerOf } from "./answer-of.js";

/**
 * The GLEIF register of the world's legal entities. A company is looked up by its declared LEIs or, if it has declared
 * no LEI, by its name.
 */
export function gleifRegister(
  observe: (query: LeiQuery) => Promise<Observation<readonly LeiRecord[]>>,
): CompanyRegister {
  return {
    name: "GLEIF",
    appliesTo: () => true,
    async lookUp(company) {
      const leis = leisOf(company);
      return answerOf(await observe(leis.length > 0 ? { leis } : { legalName: company.name }), recordOf);
    },
  };
}

function leisOf({ claims }: ScannedCompany): readonly string[] {
  return claims.flatMap(({ type, value }) => {
    const identifier = type === "COMPANY_CLAIM_TYPE_LEGAL_IDENTIFIER" ? companyIdentifier(value) : undefined;
    return identifier?.kind === "lei" ? [identifier.value] : [];
  });
}

function recordOf(record: LeiRecord): RegisterRecord {
  const { lei, legalName, otherNames, legalAddressCountry, headquartersCountry, entityStatus } = record;
  const country = legalAddressCountry ?? headquartersCountry;
  return {
    register: "GLEIF",
    recordId: lei,
    legalName,
    // The register does not distinguish former names from trading names.
    formerNames: otherNames,
    ...(country !== undefined && { country }),
    isActive: entityStatus === undefined || entityStatus === "ACTIVE",
  };
}
