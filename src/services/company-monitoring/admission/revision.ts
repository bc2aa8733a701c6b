import type { CompanyMaterialImpact } from "../event-records.js";
import type { Decision } from "./decision.js";

type Lifecycle = CompanyMaterialImpact["lifecycle"];

/** The lifecycles that may follow each lifecycle; an impact begins as admitted. */
export const nextLifecycles: Readonly<Record<Lifecycle, readonly Lifecycle[]>> = {
  MATERIAL_IMPACT_LIFECYCLE_ADMITTED: ["MATERIAL_IMPACT_LIFECYCLE_CORRECTED", "MATERIAL_IMPACT_LIFECYCLE_RETRACTED"],
  MATERIAL_IMPACT_LIFECYCLE_CORRECTED: ["MATERIAL_IMPACT_LIFECYCLE_CORRECTED", "MATERIAL_IMPACT_LIFECYCLE_RETRACTED"],
  MATERIAL_IMPACT_LIFECYCLE_RETRACTED: [],
};

/** The published state of an occurrence. An occurrence is the evidence of one event of a company. */
export interface PublishedState {
  readonly lifecycle: Lifecycle;
  /** Equal for revisions with the same content. */
  readonly statement: string;
}

/** Returns the served content of an impact as a string, for comparison. */
export function statementOf({ assessment }: Decision): string {
  const { category, direction, magnitude, channels, confidence, evidence, correctionCount } = assessment;
  const sources = evidence.map(({ key }) => key);
  return JSON.stringify([category, direction, magnitude, channels, confidence, sources, correctionCount]);
}

/**
 * Returns the lifecycle of the next revision; undefined if there is none. Evidence that changes published content leads
 * to a correction. An impact that fails any rule except the age rule is retracted. A retraction is final: if the
 * evidence meets the rules again later, a new impact begins.
 */
export function nextLifecycle(published: PublishedState | undefined, decision: Decision): Lifecycle | undefined {
  const isPublishable = decision.outcome === "publish";
  if (published === undefined) return isPublishable ? "MATERIAL_IMPACT_LIFECYCLE_ADMITTED" : undefined;
  if (published.lifecycle === "MATERIAL_IMPACT_LIFECYCLE_RETRACTED") return undefined;
  if (isPublishable) {
    return published.statement === statementOf(decision) ? undefined : "MATERIAL_IMPACT_LIFECYCLE_CORRECTED";
  }
  // The age of a published impact is no reason to retract it.
  const fails = decision.reasons.some(({ rule, isMet }) => !isMet && rule !== "age");
  return fails ? "MATERIAL_IMPACT_LIFECYCLE_RETRACTED" : undefined;
}
