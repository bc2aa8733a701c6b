import { DAY_MS } from "../../../kit/clock.js";
import { type AllowedUse, type ClaimType, claimTypes, type TrustState } from "../records.js";
import { ALIAS_BYTES_MAX, CUSTOMER_REFERENCE_BYTES_MAX, IDENTIFIER_BYTES_MAX, LOCATION_BYTES_MAX } from "./limits.js";
import { normalDomain } from "./normal/normal-domain.js";
import { normalHandle } from "./normal/normal-handle.js";
import { type Normal, normalText } from "./normal/normal-text.js";

/** The record of a public register that confirms a claim. */
export interface ClaimEvidence {
  readonly register: "GLEIF" | "SEC";
  /** Id of the record: an LEI or a CIK. */
  readonly recordId: string;
  /** Name in the record. */
  readonly recordName: string;
  /** Time of the lookup, epoch ms. */
  readonly checkedAt: number;
  /** Time at which the confirmation becomes too old, epoch ms. */
  readonly validUntil: number;
}

/** A stored claim. Whether it has expired is determined when it is served. */
export interface Claim {
  readonly claimId: string;
  readonly type: ClaimType;
  readonly value: string;
  readonly provenance: string;
  readonly trustState: Exclude<TrustState, "COMPANY_CLAIM_TRUST_STATE_EXPIRED">;
  /** End of the customer's declaration, epoch ms; null for a claim without an end. */
  readonly expiresAt: number | null;
  /** Only for a verified claim. */
  readonly evidence?: ClaimEvidence;
}

/** The identity of a claim within its company. */
export type ClaimKey = Pick<Claim, "type" | "value">;

const VALID_MS = 365 * DAY_MS;
/** A claim that is declared again is renewed if it ends within this time or has ended. */
const RENEWABLE_MS = 30 * DAY_MS;

/** Returns the normal form of a claim's value. */
export function normalClaimValue(type: ClaimType, value: string): Normal<string> {
  switch (type) {
    case "COMPANY_CLAIM_TYPE_DOMAIN":
      return normalDomain(value);
    case "COMPANY_CLAIM_TYPE_SOCIAL_HANDLE":
      return normalHandle(value);
    case "COMPANY_CLAIM_TYPE_ALIAS":
      return normalText(value, ALIAS_BYTES_MAX);
    case "COMPANY_CLAIM_TYPE_LOCATION":
      return normalText(value, LOCATION_BYTES_MAX);
    case "COMPANY_CLAIM_TYPE_CUSTOMER_REFERENCE":
      return normalText(value, CUSTOMER_REFERENCE_BYTES_MAX);
    case "COMPANY_CLAIM_TYPE_LEGAL_IDENTIFIER":
    case "COMPANY_CLAIM_TYPE_SOCIAL_ACCOUNT_ID":
      return normalText(value, IDENTIFIER_BYTES_MAX);
  }
}

/** Creates a claim that the customer declares now. */
export function declaredClaim({ type, value }: ClaimKey, claimId: string, now: number): Claim {
  return {
    claimId,
    type,
    value,
    provenance: "customer",
    trustState: "COMPANY_CLAIM_TRUST_STATE_DECLARED",
    expiresAt: now + VALID_MS,
  };
}

/**
 * Returns a claim as it is after the customer has declared it again. A claim that is neither verified nor rejected is
 * renewed if it is near or past its end. Every other claim is unchanged.
 */
export function declaredAgain(claim: Claim, now: number): Claim {
  const isDeclared = claim.trustState === "COMPANY_CLAIM_TRUST_STATE_DECLARED";
  if (!isDeclared || claim.expiresAt === null || claim.expiresAt - now > RENEWABLE_MS) return claim;
  return { ...claim, expiresAt: now + VALID_MS };
}

const DISCOVERY: AllowedUse = "COMPANY_CLAIM_ALLOWED_USE_DISCOVERY";
const ATTRIBUTION: AllowedUse = "COMPANY_CLAIM_ALLOWED_USE_ATTRIBUTION";

/** Returns the uses of a customer's claim. A customer's claim is never primary evidence. */
export function allowedUsesOf(type: ClaimType): readonly AllowedUse[] {
  const isIdentity = type !== "COMPANY_CLAIM_TYPE_LOCATION" && type !== "COMPANY_CLAIM_TYPE_CUSTOMER_REFERENCE";
  return isIdentity ? [ATTRIBUTION, DISCOVERY] : [DISCOVERY];
}

/** Compares claims by type in the contract's order, then by value. */
export function byTypeAndValue(a: ClaimKey, b: ClaimKey): number {
  const types = claimTypes.indexOf(a.type) - claimTypes.indexOf(b.type);
  return types !== 0 ? types : compareTexts(a.value, b.value);
}

/** Compares by code units, the same on every machine. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns a string that is equal for claims with the same type and value. */
export function claimKeyText({ type, value }: ClaimKey): string {
  return `${type} ${value}`;
}
