import type { CompanyEvidenceReference, CompanyMaterialImpact, MaterialEvent } from "../event-records.js";
import { EVIDENCE_MAX } from "../rules/limits.js";
import { cleanText } from "./clean-text.js";
import type { Decision } from "./decision.js";
import type { Evidence } from "./evidence.js";
import type { Occurrence } from "./occurrence.js";

const RATIONALE_CHARACTERS_MAX = 1_500;

/** The ids, number, lifecycle and time of a revision. */
export interface Revision {
  readonly impactId: string;
  readonly eventId: string;
  readonly companyId: string;
  readonly number: number;
  readonly lifecycle: CompanyMaterialImpact["lifecycle"];
  /** Epoch ms. */
  readonly now: number;
}

/** Returns the reasons of a decision as one string. */
export function rationaleOf({ outcome, reasons }: Pick<Decision, "outcome" | "reasons">): string {
  const texts = reasons.map(({ isMet, text }) => (isMet ? text : `not met: ${text}`));
  return cleanText(`${outcome}: ${texts.join("; ")}`, RATIONALE_CHARACTERS_MAX);
}

/** Returns the event of a published occurrence. Its main source is the most authoritative one. */
export function servedEvent({ assessment }: Decision, { eventId, number, lifecycle }: Revision): MaterialEvent {
  const main = mainOf(assessment.evidence);
  return {
    eventId,
    revision: number,
    title: main.finding.title,
    summary: main.finding.excerpt === "" ? main.finding.title : main.finding.excerpt,
    category: assessment.category,
    canonicalUrl: main.finding.canonicalUrl,
    lifecycle,
    occurredAt: instant(occurredAtOf(assessment.evidence)),
  };
}

/** Returns the impact of a published occurrence. */
export function servedImpact(decision: Decision, revision: Revision): CompanyMaterialImpact {
  const { assessment } = decision;
  const { impactId, eventId, companyId, number, lifecycle, now } = revision;
  const count = assessment.evidence.length;
  return {
    impactId,
    impactRevision: number,
    companyId,
    eventId,
    eventRevision: number,
    canonicalUrl: mainOf(assessment.evidence).finding.canonicalUrl,
    direction: `MATERIAL_IMPACT_DIRECTION_${directionNames[assessment.direction]}`,
    magnitude: `MATERIAL_IMPACT_MAGNITUDE_${assessment.magnitude}`,
    channels: assessment.channels.map((channel) => `MATERIAL_IMPACT_CHANNEL_${channel}` as const),
    lifecycle,
    confidence: assessment.confidence,
    rationale: rationaleOf(decision),
    occurredAt: instant(occurredAtOf(assessment.evidence)),
    changedAt: instant(now),
    isCurrent: true,
    evidenceReferenceCount: Math.min(count, EVIDENCE_MAX),
    evidenceTotalCount: count,
    evidenceTruncated: count > EVIDENCE_MAX,
  };
}

const directionNames = { positive: "POSITIVE", negative: "NEGATIVE", mixed: "MIXED" } as const;

/**
 * Returns the last revision of a retracted impact: the content of the previous revision, with the reason for the
 * retraction.
 */
export function retractedImpact(
  before: CompanyMaterialImpact,
  { number, lifecycle, now }: Revision,
  rationale: string,
): CompanyMaterialImpact {
  return { ...before, impactRevision: number, eventRevision: number, lifecycle, rationale, changedAt: instant(now) };
}

export function servedEvidence({ finding }: Evidence, evidenceId: string): CompanyEvidenceReference {
  const { canonicalUrl, provider, publisher, sourceId, authorityTier, excerpt, title, publishedAt } = finding;
  return {
    evidenceId,
    canonicalUrl,
    provider,
    publisher,
    sourceId,
    authorityTier,
    excerpt: excerpt === "" ? title : excerpt,
    publishedAt: instant(publishedAt),
  };
}

/** Returns the main evidence: the first, because evidence is sorted by authority. */
function mainOf(evidence: readonly Evidence[]): Evidence {
  const [main] = evidence;
  if (!main) throw new Error("an occurrence without evidence cannot be published");
  return main;
}

function occurredAtOf(evidence: Occurrence): number {
  return Math.min(...evidence.map(({ finding }) => finding.publishedAt));
}

function instant(at: number): string {
  return new Date(at).toISOString();
}
