import type { MonitoredCompanyPatch } from "../../records.js";
import { type ClaimKey, claimKeyText, normalClaimValue } from "../claims.js";
import { domicileCode } from "../domicile-country.js";
import { NAME_BYTES_MAX } from "../limits.js";
import { type Normal, normalText } from "./normal-text.js";
import type { Refusals } from "./refusals.js";

/** A patch in normal form. An absent member changes nothing. */
export interface NormalPatch {
  readonly name: string | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly domicileCountry: string | undefined;
  /** Null removes the reference. */
  readonly customerReference: string | null | undefined;
  /** Without duplicates and without customer references. */
  readonly addClaims: readonly ClaimKey[];
  /** Without duplicates. */
  readonly removeClaimIds: readonly string[];
}

const REFERENCE = "COMPANY_CLAIM_TYPE_CUSTOMER_REFERENCE";

/** Returns the normal form of a patch. A claim of type CUSTOMER_REFERENCE sets the reference. */
export function normalPatch(input: MonitoredCompanyPatch, { take, refuse }: Refusals): NormalPatch {
  const { name, domicileCountry, customerReference } = input;
  const claims = (input.addClaims ?? []).map(({ type, value }, at) => ({
    type,
    value: take(`patch.addClaims[${at}].value`, normalClaimValue(type, value), ""),
  }));
  const references = new Set<string | null>(claims.filter(({ type }) => type === REFERENCE).map(({ value }) => value));
  if (customerReference !== undefined) {
    references.add(take("patch.customerReference", normalReference(customerReference), null));
  }
  if (references.size > 1) refuse("patch.addClaims", "must not set more than one customer reference");
  const [newReference] = references;
  return {
    name: name === undefined ? undefined : take("patch.name", normalText(name, NAME_BYTES_MAX), ""),
    domicileCountry:
      domicileCountry === undefined
        ? undefined
        : take("patch.domicileCountry", domicileCode(domicileCountry), undefined),
    customerReference: newReference,
    addClaims: unique(claims.filter(({ type }) => type !== REFERENCE)),
    removeClaimIds: [...new Set(input.removeClaimIds)],
  };
}

/** Returns a reference, or null for the empty string, which removes the reference. */
function normalReference(text: string): Normal<string | null> {
  return text === "" ? { value: null } : normalClaimValue(REFERENCE, text);
}

function unique(claims: readonly ClaimKey[]): readonly ClaimKey[] {
  return [...new Map(claims.map((claim) => [claimKeyText(claim), claim])).values()];
}
