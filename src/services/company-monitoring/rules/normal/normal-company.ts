import { createHash } from "node:crypto";
import type { ClaimType, MonitoredCompanyInput } from "../../records.js";
import { byTypeAndValue, type ClaimKey, claimKeyText, compareTexts, normalClaimValue } from "../claims.js";
import { domicileCode } from "../domicile-country.js";
import { NAME_BYTES_MAX } from "../limits.js";
import { type Normal, normalText } from "./normal-text.js";
import type { Refusals } from "./refusals.js";

/** A company in normal form: texts normalised, lists without duplicates and sorted. */
export interface NormalCompany {
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly domicileCountry: string;
  readonly customerReference: string | undefined;
  readonly claims: readonly ClaimKey[];
}

/** The lists of a company and the type of their claims. */
const lists = [
  ["aliases", "COMPANY_CLAIM_TYPE_ALIAS"],
  ["domains", "COMPANY_CLAIM_TYPE_DOMAIN"],
  ["identifiers", "COMPANY_CLAIM_TYPE_LEGAL_IDENTIFIER"],
  ["socialHandles", "COMPANY_CLAIM_TYPE_SOCIAL_HANDLE"],
  ["locations", "COMPANY_CLAIM_TYPE_LOCATION"],
] as const satisfies readonly (readonly [keyof MonitoredCompanyInput, ClaimType])[];

/**
 * Returns the normal form of a company. Refused members are reported under paths that begin with `field`, such as
 * `<field>.name`.
 */
export function normalCompany(input: MonitoredCompanyInput, field: string, { take }: Refusals): NormalCompany {
  const name = take(`${field}.name`, normalText(input.name, NAME_BYTES_MAX), "");
  const domicileCountry = take(`${field}.domicileCountry`, requiredCountry(input.domicileCountry), "");
  const listed = lists.flatMap(([member, type]) =>
    (input[member] ?? []).map((text, at) => ({
      type,
      value: take(`${field}.${member}[${at}]`, normalClaimValue(type, text), ""),
    })),
  );
  const customerReference = input.customerReference
    ? take(`${field}.customerReference`, normalClaimValue(REFERENCE, input.customerReference), "")
    : undefined;
  return { name, domicileCountry, customerReference, claims: claimsOf(name, customerReference, listed) };
}

const REFERENCE = "COMPANY_CLAIM_TYPE_CUSTOMER_REFERENCE";

function requiredCountry(name: string): Normal<string> {
  const code = domicileCode(name);
  if ("problem" in code) return code;
  return code.value === undefined ? { problem: "is required" } : { value: code.value };
}

/** Returns the claims of a company: its name as an alias, its lists and its reference. */
function claimsOf(name: string, reference: string | undefined, listed: readonly ClaimKey[]): readonly ClaimKey[] {
  const all: ClaimKey[] = [{ type: "COMPANY_CLAIM_TYPE_ALIAS", value: name }, ...listed];
  if (reference !== undefined) all.push({ type: REFERENCE, value: reference });
  return [...new Map(all.map((claim) => [claimKeyText(claim), claim])).values()].sort(byTypeAndValue);
}

/** Returns the SHA-256 of the normal form, hex: equal for requests whose normal forms have the same content. */
export function fingerprintOf({ name, domicileCountry, customerReference, claims }: NormalCompany): string {
  const content = [name, domicileCountry, customerReference ?? null, claims.map(claimKeyText).sort(compareTexts)];
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}
