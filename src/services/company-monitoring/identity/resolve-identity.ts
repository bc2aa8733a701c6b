import { DAY_MS } from "../../../kit/clock.js";
import { companyIdentifier } from "../matching/company-identifiers.js";
import type { Claim, ClaimEvidence } from "../rules/claims.js";
import type { IdentityState } from "../scan/coverage.js";
import { nameKey } from "./name-key.js";

/** A company in a public register. */
export interface RegisterRecord {
  readonly register: ClaimEvidence["register"];
  /** An LEI, or a CIK without leading zeros. */
  readonly recordId: string;
  readonly legalName: string;
  /** Former names, and other names that the register does not distinguish from former names. */
  readonly formerNames: readonly string[];
  /** Country of the company's seat, alpha-2; undefined if the register does not state the country. */
  readonly country?: string;
  /** Upper case. */
  readonly tickers?: readonly string[];
  /** False for a company that was dissolved, merged or struck off. */
  readonly isActive: boolean;
}

/** The declared identity of a company. */
export interface DeclaredIdentity {
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly domicileCountry: string;
  readonly claims: readonly Claim[];
}

export interface Resolution {
  readonly state: IdentityState;
  /** The claims with the evidence of this lookup. */
  readonly claims: readonly Claim[];
}

/** Validity of a confirmation. Confirmations are renewed well before they expire. */
export const VERIFIED_MS = 90 * DAY_MS;
/** Minimum length of the key of a name. A name with a shorter key is too common to identify a company on its own. */
const KEY_CHARACTERS_MIN = 4;

/**
 * Resolves a company against the register records found under its numbers and names; `checkedAt` is the time of the
 * lookup, epoch ms. A declared number verifies the company if the record under that number has one of the company's
 * names. The number of another company, or of a company that no longer exists, makes the identity ambiguous.
 *
 * If no record has a declared number, the company's names decide. Records of inactive companies are ignored, and so are
 * records that state a country other than the country of domicile. A record matches if its legal name is one of the
 * company's names. If at least one record matches, but at most one in each register, the company is verified. If
 * several records of the same register match, or if only former names match, the identity is ambiguous. If no name
 * matches, the identity is unresolved.
 */
export function resolveIdentity(
  company: DeclaredIdentity,
  records: readonly RegisterRecord[],
  checkedAt: number,
): Resolution {
  const own = ownKeys(company);
  const numbered = records.filter((record) => company.claims.some((claim) => isNumberOf(claim, record)));
  const named = records.filter((record) => isAt(record, company) && hasCurrentName(record, own));
  if (numbered.length > 0) {
    const isContradicted = numbered.some((record) => !record.isActive || !hasName(record, own));
    const others = named.filter((record) => !numbered.some(({ register }) => register === record.register));
    return isContradicted
      ? unverified(company, "ambiguous")
      : verified(company, [...numbered, ...(isUnique(others) ? others : [])], checkedAt);
  }
  if (named.length === 0) {
    const isFormer = records.some((record) => isAt(record, company) && hasName(record, own));
    return unverified(company, isFormer ? "ambiguous" : "unresolved");
  }
  return isUnique(named) ? verified(company, named, checkedAt) : unverified(company, "ambiguous");
}

/** True if each register contributes at most one of the records. */
function isUnique(records: readonly RegisterRecord[]): boolean {
  return new Set(records.map(({ register }) => register)).size === records.length;
}

/** Returns the keys of the company's names, except those too short to identify a company on their own. */
function ownKeys({ name, claims }: DeclaredIdentity): ReadonlySet<string> {
  const aliases = claims.flatMap(({ type, value }) => (type === "COMPANY_CLAIM_TYPE_ALIAS" ? [value] : []));
  return new Set([name, ...aliases].map(nameKey).filter((key) => key.length >= KEY_CHARACTERS_MIN));
}

function isAt({ isActive, country }: RegisterRecord, { domicileCountry }: DeclaredIdentity): boolean {
  return isActive && (country === undefined || country === domicileCountry);
}

function hasCurrentName({ legalName }: RegisterRecord, keys: ReadonlySet<string>): boolean {
  return keys.has(nameKey(legalName));
}

function hasName(record: RegisterRecord, keys: ReadonlySet<string>): boolean {
  return hasCurrentName(record, keys) || record.formerNames.some((name) => keys.has(nameKey(name)));
}

function isNumberOf({ type, value }: Claim, { register, recordId, tickers = [] }: RegisterRecord): boolean {
  if (type !== "COMPANY_CLAIM_TYPE_LEGAL_IDENTIFIER") return false;
  const identifier = companyIdentifier(value);
  if (register === "GLEIF") return identifier?.kind === "lei" && identifier.value === recordId;
  if (identifier?.kind === "ticker") return tickers.includes(identifier.value);
  return identifier?.kind === "cik" && identifier.value === recordId;
}

function verified(company: DeclaredIdentity, records: readonly RegisterRecord[], checkedAt: number): Resolution {
  // If both registers confirm a claim, the record of the SEC is its evidence, because an SEC number gives access to the
  // company's filings.
  const sorted = [...records].sort((a, b) => (a.register < b.register ? 1 : a.register > b.register ? -1 : 0));
  const claims = company.claims.map((claim) => {
    const record = sorted.find((candidate) => confirms(candidate, claim));
    return record ? withEvidence(claim, record, checkedAt) : withoutEvidence(claim);
  });
  return { state: "verified", claims };
}

function confirms(record: RegisterRecord, claim: Claim): boolean {
  if (claim.type === "COMPANY_CLAIM_TYPE_ALIAS") return hasName(record, new Set([nameKey(claim.value)]));
  return isNumberOf(claim, record);
}

function withEvidence(claim: Claim, { register, recordId, legalName }: RegisterRecord, checkedAt: number): Claim {
  return {
    ...claim,
    trustState: "COMPANY_CLAIM_TRUST_STATE_VERIFIED",
    evidence: { register, recordId, recordName: legalName, checkedAt, validUntil: checkedAt + VERIFIED_MS },
  };
}

function unverified(company: DeclaredIdentity, state: IdentityState): Resolution {
  return { state, claims: company.claims.map(withoutEvidence) };
}

function withoutEvidence({ evidence, ...claim }: Claim): Claim {
  return evidence ? { ...claim, trustState: "COMPANY_CLAIM_TRUST_STATE_DECLARED" } : claim;
}
