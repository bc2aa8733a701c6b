import { type Static, Type } from "typebox";
import { CompanyId, Instant, names, providers } from "./records.js";
import { idPattern } from "./rules/ids.js";
import { EVIDENCE_MAX } from "./rules/limits.js";

/** The records of events and their impacts as served. */

export const impactDirections = names("MATERIAL_IMPACT_DIRECTION_", ["POSITIVE", "NEGATIVE", "MIXED"] as const);
export const impactLifecycles = names("MATERIAL_IMPACT_LIFECYCLE_", ["ADMITTED", "CORRECTED", "RETRACTED"] as const);
const impactChannels = names("MATERIAL_IMPACT_CHANNEL_", ["REPUTATION", "FINANCES"] as const);
const impactMagnitudes = names("MATERIAL_IMPACT_MAGNITUDE_", ["LOW", "MEDIUM", "HIGH"] as const);
const authorityTiers = names("EVIDENCE_AUTHORITY_TIER_", [
  "PRIMARY_VERIFIED",
  "INDEPENDENT_AUTHORITATIVE",
  "ORDINARY",
] as const);
export const pollStates = names("COMPANY_EVENT_POLL_STATE_", ["CURRENT", "SNAPSHOT_REQUIRED"] as const);
export type PollState = (typeof pollStates)[number];

const EventId = Type.String({ pattern: idPattern("event"), description: "Id of the event" });
const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const Count = (description: string) => Type.Integer({ format: "int32", minimum: 0, description });
const Revision = (description: string) => Type.Integer({ format: "int32", minimum: 1, description });

const ConfidenceAxes = Type.Object(
  {
    attribution: Share("Confidence that the event concerns this company"),
    occurrenceTruth: Share("Confidence that the event happened"),
    materialImpact: Share("Confidence that the impact is material"),
    overall: Share("The lowest of the other three"),
  },
  { title: "ConfidenceAxes", description: "Confidence in an impact, 0 to 1." },
);

export const CompanyMaterialImpact = Type.Object(
  {
    impactId: Type.String({ pattern: idPattern("impact"), description: "Id of the impact" }),
    impactRevision: Revision("Revision number of the impact"),
    companyId: CompanyId,
    eventId: EventId,
    eventRevision: Revision("Revision number of the assessed event"),
    canonicalUrl: Type.String({ description: "Address of the main source" }),
    direction: Type.Enum([...impactDirections], {
      description: "Whether the event is good, bad or mixed for the company",
    }),
    magnitude: Type.Enum([...impactMagnitudes], { description: "Size of the impact" }),
    channels: Type.Array(Type.Enum([...impactChannels]), { maxItems: 2, description: "Areas that the impact affects" }),
    lifecycle: Type.Enum([...impactLifecycles], { description: "Admitted, corrected or retracted" }),
    confidence: ConfidenceAxes,
    rationale: Type.String({ description: "Reasons for this revision" }),
    occurredAt: Instant("Time of the event: when the earliest of its evidence was published"),
    changedAt: Instant("Time of this revision"),
    isCurrent: Type.Boolean({ description: "True if no later revision exists" }),
    evidenceReferenceCount: Type.Integer({
      format: "int32",
      minimum: 0,
      maximum: EVIDENCE_MAX,
      description: "Number of references that are served",
    }),
    evidenceTotalCount: Count("Number of references that exist"),
    evidenceTruncated: Type.Boolean({ description: "True if there are more references than are served" }),
  },
  { title: "CompanyMaterialImpact", description: "The material impact of an event on a company." },
);
export type CompanyMaterialImpact = Static<typeof CompanyMaterialImpact>;

export const MaterialEvent = Type.Object(
  {
    eventId: EventId,
    revision: Revision("Revision number of the event"),
    title: Type.String({ description: "Title" }),
    summary: Type.String({ description: "Summary" }),
    category: Type.String({ description: "Category" }),
    canonicalUrl: Type.String({ description: "Address of the main source" }),
    lifecycle: Type.Enum([...impactLifecycles], { description: "Admitted, corrected or retracted" }),
    occurredAt: Instant("Time of the event: when the earliest of its evidence was published"),
  },
  { title: "MaterialEvent", description: "An event that concerns a company." },
);
export type MaterialEvent = Static<typeof MaterialEvent>;

export const CompanyEvidenceReference = Type.Object(
  {
    evidenceId: Type.String({ pattern: idPattern("evidence"), description: "Id of the evidence" }),
    canonicalUrl: Type.String({ description: "Address of the source" }),
    provider: Type.Enum([...providers], { description: "Provider that found the source" }),
    publisher: Type.String({ description: "Publisher" }),
    sourceId: Type.String({ description: "Id of the source at its provider" }),
    authorityTier: Type.Enum([...authorityTiers], { description: "Authority of the source" }),
    excerpt: Type.String({ description: "Excerpt" }),
    publishedAt: Instant("Time of publication"),
  },
  { title: "CompanyEvidenceReference", description: "A source of an event." },
);
export type CompanyEvidenceReference = Static<typeof CompanyEvidenceReference>;

export const SnapshotBoundary = Type.Object(
  {
    snapshotAsOf: Instant("Time of this state"),
    snapshotGeneration: Type.String({ pattern: "^\\d+$", description: "Generation of the portfolio, int64" }),
    pollCursor: Type.String({ description: "Cursor of list-company-event-changes for the changes after this state" }),
  },
  {
    title: "SnapshotBoundary",
    description: "One state of the account's companies and impacts. All pages of a list show this state.",
  },
);
