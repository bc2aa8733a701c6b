import { randomBytes } from "node:crypto";
import type { Random } from "../../../src/kit/random.js";
import type { CompanyMaterialImpact } from "../../../src/services/company-monitoring/event-records.js";
import { newId } from "../../../src/services/company-monitoring/rules/ids.js";

/** An impact for tests, with the members in `changes` replaced. */
export function impactOf(at: number, changes: Partial<CompanyMaterialImpact> = {}): CompanyMaterialImpact {
  const instant = new Date(at).toISOString();
  return {
    impactId: newId("impact", at, randomBytes),
    impactRevision: 1,
    companyId: newId("company", at, randomBytes),
    eventId: newId("event", at, randomBytes),
    eventRevision: 1,
    canonicalUrl: "https://news.example/story",
    direction: "MATERIAL_IMPACT_DIRECTION_NEGATIVE",
    magnitude: "MATERIAL_IMPACT_MAGNITUDE_MEDIUM",
    channels: ["MATERIAL_IMPACT_CHANNEL_REPUTATION"],
    lifecycle: "MATERIAL_IMPACT_LIFECYCLE_ADMITTED",
    confidence: { attribution: 0.95, occurrenceTruth: 0.9, materialImpact: 0.8, overall: 0.8 },
    rationale: "Two independent publishers report the recall.",
    occurredAt: instant,
    changedAt: instant,
    isCurrent: true,
    evidenceReferenceCount: 2,
    evidenceTotalCount: 2,
    evidenceTruncated: false,
    ...changes,
  };
}

/** The next revision of an impact. */
export function revised(impact: CompanyMaterialImpact, at: number): CompanyMaterialImpact {
  return {
    ...impact,
    impactRevision: impact.impactRevision + 1,
    lifecycle: "MATERIAL_IMPACT_LIFECYCLE_CORRECTED",
    changedAt: new Date(at).toISOString(),
  };
}

/** Makes a new impact, or revises one of the current impacts. Stores the result among the current impacts. */
export function nextImpact(current: CompanyMaterialImpact[], now: number, random: Random): CompanyMaterialImpact {
  const at = Math.floor(random() * current.length * 2);
  const earlier = current[at];
  const impact = earlier ? revised(earlier, now) : impactOf(now);
  current[earlier ? at : current.length] = impact;
  return impact;
}

/** The impact id and revision number as one string. */
export const nameOf = ({ impactId, impactRevision }: CompanyMaterialImpact): string => `${impactId} ${impactRevision}`;
