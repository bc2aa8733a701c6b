import { companyIdentifier } from "../matching/company-identifiers.js";
import type { Claim } from "../rules/claims.js";

const CIK_DIGITS = 10;

/**
 * Returns the numbers, ten digits each, under which a company reports to the SEC: those that were declared, and those
 * that a register confirmed.
 */
export function registrantNumbers(claims: readonly Claim[]): readonly string[] {
  const numbers = claims.flatMap(({ type, value, evidence }) => {
    const identifier = type === "COMPANY_CLAIM_TYPE_LEGAL_IDENTIFIER" ? companyIdentifier(value) : undefined;
    const declared = identifier?.kind === "cik" ? [identifier.value] : [];
    return evidence?.register === "SEC" ? [...declared, evidence.recordId] : declared;
  });
  return [...new Set(numbers.map((number) => number.padStart(CIK_DIGITS, "0")))];
}
