import { type Static, type TSchema, Type } from "typebox";
import { idPattern } from "./rules/ids.js";
import {
  ALIAS_BYTES_MAX,
  ALIASES_MAX,
  CLAIMS_MAX,
  COMPANIES_MAX,
  CUSTOMER_REFERENCE_BYTES_MAX,
  DOMAIN_BYTES_MAX,
  DOMAINS_MAX,
  IDENTIFIER_BYTES_MAX,
  IDENTIFIERS_MAX,
  LOCATION_BYTES_MAX,
  LOCATIONS_MAX,
  NAME_BYTES_MAX,
  SOCIAL_HANDLE_BYTES_MAX,
  SOCIAL_HANDLES_MAX,
} from "./rules/limits.js";

/** The company records as served. Instants are ISO 8601 in UTC. A member whose value is unknown is absent. */

export const Instant = (description: string) =>
  Type.String({ format: "date-time", description: `${description}, ISO 8601` });
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);

/** Returns the member names of an enum of the contract: each name with the prefix of the enum. */
export function names<const P extends string, const N extends readonly string[]>(
  prefix: P,
  values: N,
): { readonly [I in keyof N]: `${P}${N[I] & string}` } {
  // The cast is safe, because the mapped tuple has the same length and order.
  return values.map((name) => `${prefix}${name}`) as { readonly [I in keyof N]: `${P}${N[I] & string}` };
}

export const lifecycles = names("MONITORED_COMPANY_LIFECYCLE_", ["ACTIVE", "PAUSED", "REMOVED"] as const);
export type Lifecycle = (typeof lifecycles)[number];

export const coverageStates = names("COMPANY_COVERAGE_STATE_", [
  "AWAITING_FIRST_SCAN",
  "IDENTITY_UNRESOLVED",
  "ADEQUATE",
  "PARTIAL",
  "STALE",
  "UNAVAILABLE",
  "NEEDS_CONFIRMATION",
] as const);
export type CoverageState = (typeof coverageStates)[number];

export const observationStates = names("COMPANY_OBSERVATION_STATE_", [
  "EVENTS_OBSERVED",
  "NO_EVENTS_OBSERVED",
  "UNKNOWN",
] as const);
export type ObservationState = (typeof observationStates)[number];

export const claimTypes = names("COMPANY_CLAIM_TYPE_", [
  "ALIAS",
  "DOMAIN",
  "LEGAL_IDENTIFIER",
  "SOCIAL_ACCOUNT_ID",
  "SOCIAL_HANDLE",
  "LOCATION",
  "CUSTOMER_REFERENCE",
] as const);
export type ClaimType = (typeof claimTypes)[number];

export const trustStates = names("COMPANY_CLAIM_TRUST_STATE_", [
  "DECLARED",
  "VERIFIED",
  "EXPIRED",
  "REJECTED",
] as const);
export type TrustState = (typeof trustStates)[number];

export const allowedUses = names("COMPANY_CLAIM_ALLOWED_USE_", [
  "DISCOVERY",
  "ATTRIBUTION",
  "PRIMARY_EVIDENCE",
] as const);
export type AllowedUse = (typeof allowedUses)[number];

export const importOutcomes = names("COMPANY_IMPORT_ROW_OUTCOME_", [
  "CREATED",
  "REPLAYED",
  "CONFLICT",
  "REJECTED",
  "NO_OP",
] as const);
export type ImportOutcome = (typeof importOutcomes)[number];

export const accessStates = names("COMPANY_MONITORING_ACCESS_STATE_", [
  "DISABLED",
  "ENTITLED",
  "ENTITLEMENT_LAPSED",
  "DENIED",
] as const);

export const providers = names("MONITORING_PROVIDER_", [
  "SEARCH",
  "SOCIAL",
  "FILINGS",
  "NEWS",
  "SANCTIONS",
  "REGISTER",
] as const);
export type MonitoringProvider = (typeof providers)[number];

export const providerStates = names("PROVIDER_COVERAGE_STATE_", ["COMPLETE", "PARTIAL", "FAILED"] as const);
export type ProviderState = (typeof providerStates)[number];

/** Maximum length of an id in a request. Every valid id is shorter. */
const ID_CHARACTERS_MAX = 48;

export const CompanyId = Type.String({
  pattern: idPattern("company"),
  maxLength: ID_CHARACTERS_MAX,
  description: "Id of the company",
});
export const ClaimId = Type.String({
  pattern: idPattern("claim"),
  maxLength: ID_CHARACTERS_MAX,
  description: "Id of the claim",
});
/** Such as `DOMICILE_COUNTRY_US`. `domicileCode` checks that the country exists. */
export const DomicileCountry = Type.String({
  pattern: "^(?:DOMICILE_COUNTRY_UNSPECIFIED|DOMICILE_COUNTRY_[A-Z]{2})$",
  maxLength: "DOMICILE_COUNTRY_UNSPECIFIED".length,
  description: "`DOMICILE_COUNTRY_` and the ISO 3166-1 alpha-2 code of the domicile",
});

export const CompanyClaim = Type.Object(
  {
    claimId: ClaimId,
    type: Type.Enum([...claimTypes], { description: "Kind of the claim" }),
    value: Type.String({ description: "The normalised value" }),
    provenance: Type.String({ description: "Origin of the claim: `customer` if the account declared it" }),
    trustState: Type.Enum([...trustStates], { description: "Declared by the account, verified, expired or rejected" }),
    allowedUses: Type.Array(Type.Enum([...allowedUses]), {
      maxItems: 3,
      description: "Permitted uses of the claim",
    }),
    expiresAt: optional(Instant("Time at which the claim expires; absent if it does not expire")),
    verifiedBy: optional(
      Type.String({
        description: "Register and record that confirm the claim, such as `SEC 320193`; absent if none does",
      }),
    ),
    verifiedAt: optional(
      Instant("Time at which the confirming register was read; absent if no register confirms the claim"),
    ),
  },
  { title: "CompanyClaim", description: "A statement about the identity of a company." },
);
export type CompanyClaim = Static<typeof CompanyClaim>;

export const MonitoredCompany = Type.Object(
  {
    companyId: CompanyId,
    name: Type.String({ description: "Name of the company" }),
    canonicalUrl: optional(
      Type.String({ description: "Address of the site at the company's first domain; absent without a domain" }),
    ),
    domicileCountry: DomicileCountry,
    lifecycle: Type.Enum([...lifecycles], { description: "Active, paused or removed" }),
    coverage: Type.Enum([...coverageStates], { description: "State of coverage" }),
    observation: Type.Enum([...observationStates], { description: "Whether events have been observed" }),
    claims: Type.Array(CompanyClaim, { maxItems: CLAIMS_MAX, description: "Claims, sorted by type and value" }),
    createdAt: Instant("Creation"),
    updatedAt: Instant("Newest change"),
  },
  { title: "MonitoredCompany", description: "A company that the account monitors." },
);
export type MonitoredCompany = Static<typeof MonitoredCompany>;

/**
 * Characters that a text in a request may have for each byte that its normal form may have. Unicode composition and
 * trimming shorten a text, so a longer text in a request can still have a normal form that fits.
 */
const RAW_CHARACTERS_PER_BYTE = 4;

/** Declares a string whose normal form is bounded in UTF-8 bytes. */
export const BoundedText = (bytesMax: number, description: string, minLength: 0 | 1 = 1) =>
  Type.String({
    ...(minLength === 1 && { minLength }),
    maxLength: RAW_CHARACTERS_PER_BYTE * bytesMax,
    description: `${description}; at most ${bytesMax} bytes in UTF-8`,
  });

const Texts = (maxItems: number, bytesMax: number, description: string) =>
  optional(Type.Array(BoundedText(bytesMax, description), { maxItems, description }));

export const MonitoredCompanyInput = Type.Object(
  {
    name: BoundedText(NAME_BYTES_MAX, "Name of the company"),
    domicileCountry: DomicileCountry,
    aliases: Texts(ALIASES_MAX, ALIAS_BYTES_MAX, "Other names"),
    domains: Texts(DOMAINS_MAX, DOMAIN_BYTES_MAX, "Host names of the company's sites"),
    identifiers: Texts(IDENTIFIERS_MAX, IDENTIFIER_BYTES_MAX, "Legal identifiers such as a register number"),
    locations: Texts(LOCATIONS_MAX, LOCATION_BYTES_MAX, "Places"),
    socialHandles: Texts(SOCIAL_HANDLES_MAX, SOCIAL_HANDLE_BYTES_MAX, "Handles, with or without `@`"),
    customerReference: optional(
      BoundedText(CUSTOMER_REFERENCE_BYTES_MAX, "The account's own id of the company, unique in the account", 0),
    ),
  },
  { title: "MonitoredCompanyInput", description: "A company to monitor." },
);
export type MonitoredCompanyInput = Static<typeof MonitoredCompanyInput>;

export const CompanyClaimInput = Type.Object(
  {
    type: Type.Enum([...claimTypes], { description: "Kind of the claim" }),
    value: BoundedText(
      IDENTIFIER_BYTES_MAX,
      "The value, within the length limit that `MonitoredCompanyInput` sets for its type",
    ),
  },
  { title: "CompanyClaimInput", description: "A claim to add." },
);

export const MonitoredCompanyPatch = Type.Object(
  {
    name: optional(BoundedText(NAME_BYTES_MAX, "New name, added as an alias")),
    customerReference: optional(
      BoundedText(CUSTOMER_REFERENCE_BYTES_MAX, "New reference; an empty string removes it", 0),
    ),
    domicileCountry: optional(DomicileCountry),
    addClaims: optional(Type.Array(CompanyClaimInput, { maxItems: CLAIMS_MAX, description: "Claims to add" })),
    removeClaimIds: optional(Type.Array(ClaimId, { maxItems: CLAIMS_MAX, description: "Claims to remove" })),
  },
  { title: "MonitoredCompanyPatch", description: "Changes of a company; an absent member changes nothing." },
);
export type MonitoredCompanyPatch = Static<typeof MonitoredCompanyPatch>;

export const ProviderCoverage = Type.Object(
  {
    provider: Type.Enum([...providers], { description: "The provider" }),
    state: Type.Enum([...providerStates], { description: "Outcome of the newest scan" }),
    capped: Type.Boolean({
      description: "The provider had more results than it returned, or there is a gap before the scanned period",
    }),
    fresh: Type.Boolean({
      description: "The newest complete scan is recent; if no scan was complete, the newest partial scan is recent",
    }),
    reasonCode: Type.String({ description: "Reason for the state, as a code that does not change between versions" }),
    returnedWindowStart: optional(Instant("Start of the scanned period")),
    returnedWindowEnd: optional(Instant("End of the scanned period")),
  },
  { title: "ProviderCoverage", description: "Coverage by one provider." },
);
export type ProviderCoverage = Static<typeof ProviderCoverage>;

export const CompanyCoverage = Type.Object(
  {
    state: Type.Enum([...coverageStates], { description: "State of coverage" }),
    observation: Type.Enum([...observationStates], { description: "Whether events have been observed" }),
    assessmentReady: Type.Boolean({ description: "The company has scans, and every finding has been assessed" }),
    changedAt: Instant("Newest change"),
    trustedSince: optional(
      Instant(
        "Start of the period in which an absence of events can be trusted; absent if there is no such period, or if it has no lower bound",
      ),
    ),
    trustedUntil: optional(
      Instant("End of the period in which an absence of events can be trusted; absent if there is no such period"),
    ),
    providers: Type.Array(ProviderCoverage, {
      description: "One entry for each provider that has been tried; none before the first scan",
    }),
  },
  { title: "CompanyCoverage", description: "Coverage of one company." },
);
export type CompanyCoverage = Static<typeof CompanyCoverage>;

export const MonitoringStatus = Type.Object(
  {
    accessState: Type.Enum([...accessStates], { description: "Access of the account to company monitoring" }),
    companyCount: Type.Integer({
      minimum: 0,
      maximum: COMPANIES_MAX,
      description: "Number of companies that are not removed",
    }),
    companyLimit: Type.Literal(COMPANIES_MAX, { description: "Maximum number of companies per account" }),
    snapshotGeneration: Type.String({ pattern: "^\\d+$", description: "Generation of the portfolio, int64" }),
    featureFlags: Type.Object(
      {
        restWrites: Type.Boolean({ description: "Companies can be written" }),
        publication: Type.Boolean({ description: "Impacts are published" }),
        searchProvider: Type.Boolean({ description: "Scans search the web" }),
        socialProvider: Type.Boolean({ description: "Scans search posts on X" }),
        alerts: Type.Boolean({ description: "Webhooks and streams report changes of impacts" }),
        ui: Type.Boolean({ description: "The console shows companies" }),
      },
      { title: "CompanyMonitoringFeatureFlags", description: "Features that are switched on." },
    ),
  },
  { title: "GetCompanyMonitoringStatusResponse" },
);
export type MonitoringStatus = Static<typeof MonitoringStatus>;
