import { table } from "../../../kit/text-table.js";
import { floors } from "../admission/decision.js";
import type { CompanyEvidenceReference, CompanyMaterialImpact, MaterialEvent } from "../event-records.js";
import { readableName } from "../rules/short-name.js";

/** The parts of the service's answer that the text shows. */
export interface ExplainedImpact {
  readonly event: MaterialEvent;
  readonly impact: CompanyMaterialImpact;
  readonly evidence: readonly CompanyEvidenceReference[];
  readonly evidenceTotalCount: number;
}

/**
 * Returns an impact as text: its event and state, its confidence on each axis next to the floor of the axis, the
 * reasons for its newest decision, and the evidence.
 */
export function impactText({ event, impact, evidence, evidenceTotalCount }: ExplainedImpact): string {
  const { confidence } = impact;
  const axes = (["attribution", "occurrenceTruth", "materialImpact"] as const).map((axis) => [
    axis,
    confidence[axis].toFixed(3),
    floors[axis].toFixed(1),
    confidence[axis] >= floors[axis] ? "yes" : "no",
  ]);
  const sources = evidence.map(({ publishedAt, publisher, provider, authorityTier, canonicalUrl }) => [
    publishedAt,
    publisher,
    readableName(provider, "MONITORING_PROVIDER_"),
    readableName(authorityTier, "EVIDENCE_AUTHORITY_TIER_"),
    canonicalUrl,
  ]);
  const [outcome = "", ...reasons] = parts(impact.rationale);
  return [
    event.title,
    "",
    table(
      ["impact", impact.impactId],
      [
        ["event", `${event.eventId}, ${event.category}, ${event.occurredAt}`],
        [
          "state",
          `${readableName(impact.lifecycle, "MATERIAL_IMPACT_LIFECYCLE_")}, revision ${impact.impactRevision}, ${impact.changedAt}`,
        ],
        [
          "impact",
          `${readableName(impact.direction, "MATERIAL_IMPACT_DIRECTION_")}, ${readableName(impact.magnitude, "MATERIAL_IMPACT_MAGNITUDE_")}, ${impact.channels.map((channel) => readableName(channel, "MATERIAL_IMPACT_CHANNEL_")).join(" and ")}`,
        ],
        ["confidence", `${confidence.overall.toFixed(3)}, the lowest of the three axes`],
      ],
    ),
    "",
    table(["axis", "confidence", "floor", "met"], axes),
    "",
    `Newest decision: ${outcome}`,
    ...reasons.map((reason) => `- ${reason}`),
    "",
    table(["published", "publisher", "provider", "authority", "source"], sources),
    ...(evidenceTotalCount > evidence.length ? [`and ${evidenceTotalCount - evidence.length} more`] : []),
  ].join("\n");
}

/** Splits a rationale into its outcome and its reasons. */
function parts(rationale: string): readonly string[] {
  const at = rationale.indexOf(": ");
  return at < 0 ? [rationale] : [rationale.slice(0, at), ...rationale.slice(at + 2).split("; ")];
}
