import type { CompanyMaterialImpact } from "../event-records.js";
import type { Decision } from "./decision.js";

type Lifecycle = CompanyMaterialImpact["lifecycle"];

/** The lifecycles that may follow one; an impact begins as admitted. */
export const nextLifecycles: Readonly<Record<Lifecycle, readonly Lifecycle[]>> = {
  MATERIAL_IMPACT_LIFECYCLE_ADMITTED: ["MATERIAL_IMPACT_LIFECYCLE_CORRECTED", "MATERIAL_IMPACT_LIFECYCLE_RETRACTED"],
  MATERIAL_IMPACT_LIFECYCLE_CORRECTED: ["MATERIAL_IMPACT_LIFECYCLE_CORRECTED", "MATERIAL_IMPACT_LIFECYCLE_RETRACTED"],
  MATERIAL_IMPACT_LIFECYCLE_RETRACTED: [],
};

/** What was published of an occurrence. */
export interface PublishedState {
  readonly lifecycle: Lifecycle;
  /** Equal for revisions that say the same. */
  readonly statement: string;
}

/** What an impact says, as a text that is equal if nothing served changes. */
export function statementOf({ assessment }: Decision): string {
  const { category, direction, magnitude, channels, confidence, evidence, correctionCount } = assessment;
  const sources = evidence.map(({ key }) => key);
  return JSON.stringify([category, direction, magnitude, channels, confidence, sources, correctionCount]);
}

/**
 * The lifecycle of the next revision; undefined if there is none. Evidence that changes what was published corrects it.
 * An impact that falls below the floors is retracted, and a retraction is final: if other evidence reaches the floors
 * later, a new impact begins.
 */
export function nextLifecycle(published: PublishedState | undefined, decision: Decision): Lifecycle | undefined {
  const isHolding = decision.outcome === "publish";
  if (published === undefined) return isHolding ? "MATERIAL_IMPACT_LIFECYCLE_ADMITTED" : undefined;
  if (published.lifecycle === "MATERIAL_IMPACT_LIFECYCLE_RETRACTED") return undefined;
  if (isHolding) {
    return published.statement === statementOf(decision) ? undefined : "MATERIAL_IMPACT_LIFECYCLE_CORRECTED";
  }
  // The passing of time does not make a published event untrue.
  const fails = decision.reasons.some(({ rule, isMet }) => !isMet && rule !== "age");
  return fails ? "MATERIAL_IMPACT_LIFECYCLE_RETRACTED" : undefined;
}
