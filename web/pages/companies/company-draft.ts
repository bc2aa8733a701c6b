import type {
  CompanyClaim,
  MonitoredCompany,
  MonitoredCompanyInput,
  MonitoredCompanyPatch,
} from "../../../src/sdk/index.js";
import { listed } from "./company-file.js";
import { domicileCode } from "./company-texts.js";

/** The members of a company that are lists: the type of the claims in each, and the label and hint of its input. */
export const LISTS = [
  {
    member: "identifiers",
    type: "COMPANY_CLAIM_TYPE_LEGAL_IDENTIFIER",
    label: "Register numbers",
    hint: "One per line, such as CIK 320193 or LEI 5493…. Registers confirm the company by these numbers.",
  },
  { member: "aliases", type: "COMPANY_CLAIM_TYPE_ALIAS", label: "Other names", hint: "One per line." },
  {
    member: "domains",
    type: "COMPANY_CLAIM_TYPE_DOMAIN",
    label: "Domains",
    hint: "One per line, such as acme.example.",
  },
  { member: "locations", type: "COMPANY_CLAIM_TYPE_LOCATION", label: "Places", hint: "One per line." },
  {
    member: "socialHandles",
    type: "COMPANY_CLAIM_TYPE_SOCIAL_HANDLE",
    label: "Social handles",
    hint: "One per line.",
  },
] as const;

type ListMember = (typeof LISTS)[number]["member"];

/** A company as the form holds it: each list is a string with one entry per line. */
export interface CompanyDraft {
  readonly name: string;
  /** Alpha-2 code of the country of domicile. */
  readonly country: string;
  readonly reference: string;
  readonly lists: Readonly<Record<ListMember, string>>;
}

export const EMPTY_DRAFT: CompanyDraft = {
  name: "",
  country: "",
  reference: "",
  lists: { identifiers: "", aliases: "", domains: "", locations: "", socialHandles: "" },
};

/** The draft of a monitored company. */
export function draftOf({ name, domicileCountry, claims }: MonitoredCompany): CompanyDraft {
  const lists = LISTS.map(({ member, type }) => [member, valuesOf(claims, type).join("\n")]);
  return {
    name,
    country: domicileCode(domicileCountry),
    reference: valuesOf(claims, "COMPANY_CLAIM_TYPE_CUSTOMER_REFERENCE")[0] ?? "",
    lists: Object.fromEntries(lists) as CompanyDraft["lists"],
  };
}

const valuesOf = (claims: readonly CompanyClaim[], type: CompanyClaim["type"]): readonly string[] =>
  claims.filter((claim) => claim.type === type).map(({ value }) => value);

const entriesOf = ({ lists }: CompanyDraft, member: ListMember): readonly string[] => listed(lists[member], "\n");

/** The request that creates a company from a draft. */
export function inputOf(draft: CompanyDraft): MonitoredCompanyInput {
  const lists = LISTS.map(({ member }) => [member, entriesOf(draft, member)]);
  return {
    name: draft.name,
    domicileCountry: `DOMICILE_COUNTRY_${draft.country}`,
    customerReference: draft.reference,
    ...Object.fromEntries(lists),
  };
}

/** The patch that turns a company into its draft. Unchanged members are left out. */
export function patchOf(company: MonitoredCompany, draft: CompanyDraft): MonitoredCompanyPatch {
  const before = draftOf(company);
  const addClaims = LISTS.flatMap(({ member, type }) => {
    const own = new Set(entriesOf(before, member));
    return entriesOf(draft, member).flatMap((value) => (own.has(value) ? [] : [{ type, value }]));
  });
  const removeClaimIds = LISTS.flatMap(({ member, type }) => {
    const kept = new Set(entriesOf(draft, member));
    return company.claims.flatMap((claim) => (claim.type === type && !kept.has(claim.value) ? [claim.claimId] : []));
  });
  return {
    ...(draft.name !== before.name && { name: draft.name }),
    ...(draft.reference !== before.reference && { customerReference: draft.reference }),
    ...(draft.country !== before.country && { domicileCountry: `DOMICILE_COUNTRY_${draft.country}` }),
    ...(addClaims.length > 0 && { addClaims }),
    ...(removeClaimIds.length > 0 && { removeClaimIds }),
  };
}

/**
 * Finds the input for the path of a rejected member. `company.domains[1]` belongs to `domains`, and
 * `patch.addClaims[0].value` to the list with the type of that claim.
 */
export function memberOf(path: string, { addClaims = [] }: MonitoredCompanyPatch = {}): string {
  const [, at] = /^patch\.addClaims\[(\d+)\]/.exec(path) ?? [];
  if (at === undefined) return (path.split("[", 1)[0] ?? path).replace(/^(?:company|patch)\./, "");
  const type = addClaims[Number(at)]?.type;
  return LISTS.find((list) => list.type === type)?.member ?? path;
}
