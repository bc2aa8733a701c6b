import type { JudgedOccurrence, PlannedOccurrence } from "../../admission/plan.js";
import type { CompanyMaterialImpact } from "../../event-records.js";
import type { CompanyOccurrenceRow } from "./admission-tables.js";

const LIFECYCLE = "MATERIAL_IMPACT_LIFECYCLE_";

/** Reads an occurrence as it was assessed earlier. */
export function judgedOf({ occurrence_id, members, lifecycle, statement }: CompanyOccurrenceRow): JudgedOccurrence {
  return {
    occurrenceId: occurrence_id,
    // The cast is safe, because the column was written from an array of texts.
    members: JSON.parse(members) as readonly string[],
    published: lifecycle === null || statement === null ? undefined : { lifecycle: lifecycleOf(lifecycle), statement },
  };
}

/** Returns the stored name of a lifecycle, such as `admitted`. */
export function lifecycleColumn(lifecycle: CompanyMaterialImpact["lifecycle"]): string {
  return lifecycle.slice(LIFECYCLE.length).toLowerCase();
}

function lifecycleOf(column: string): CompanyMaterialImpact["lifecycle"] {
  // The cast is safe, because the column was written by `lifecycleColumn`.
  return `${LIFECYCLE}${column.toUpperCase()}` as CompanyMaterialImpact["lifecycle"];
}

/** Returns a decision as a stored string: equal strings mean equal decisions. */
export function decisionText({ decision, lifecycle }: Pick<PlannedOccurrence, "decision" | "lifecycle">): string {
  const { outcome, reasons, assessment } = decision;
  const { category, direction, magnitude, channels, confidence } = assessment;
  return JSON.stringify({
    outcome,
    ...(lifecycle !== undefined && { lifecycle }),
    reasons,
    category,
    direction,
    magnitude,
    channels,
    confidence,
  });
}
