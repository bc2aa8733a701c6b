import type { CompanyMaterialImpact } from "../event-records.js";
import { type Decision, decide } from "./decision.js";
import type { Evidence } from "./evidence.js";
import { type Occurrence, occurrencesOf } from "./occurrence.js";
import { nextLifecycle, type PublishedState } from "./revision.js";

/** An earlier judgement of an occurrence. An occurrence is the evidence of one event of a company. */
export interface JudgedOccurrence {
  readonly occurrenceId: string;
  /** Keys of its evidence. */
  readonly members: readonly string[];
  readonly published: PublishedState | undefined;
}

/** The judgement of an occurrence, with the earlier occurrence that it continues. */
export interface PlannedOccurrence {
  /** Undefined for a new occurrence. */
  readonly occurrenceId: string | undefined;
  readonly occurrence: Occurrence;
  readonly decision: Decision;
  /** The lifecycle of the revision to publish; undefined if none is due. */
  readonly lifecycle: CompanyMaterialImpact["lifecycle"] | undefined;
}

/** The judgements of a company, and the earlier occurrences that turned out to be part of another occurrence. */
export interface AdmissionPlan {
  readonly judged: readonly PlannedOccurrence[];
  /** The earlier occurrences that became part of others, each with the occurrence that contains it. */
  readonly merged: readonly { readonly occurrenceId: string; readonly into: PlannedOccurrence }[];
}

/**
 * Judges each occurrence in a company's evidence, the oldest first. An occurrence continues an earlier occurrence of
 * the company if the two share a piece of evidence and the earlier one was not retracted. Except for retracted
 * occurrences, the decisions depend only on the evidence and the time.
 */
export function planAdmission(
  evidence: readonly Evidence[],
  earlier: readonly JudgedOccurrence[],
  { companyWords, now }: { readonly companyWords: ReadonlySet<string>; readonly now: number },
): AdmissionPlan {
  const byMember = new Map<string, JudgedOccurrence[]>();
  for (const occurrence of earlier) {
    for (const member of occurrence.members) byMember.set(member, [...(byMember.get(member) ?? []), occurrence]);
  }
  const judged: PlannedOccurrence[] = [];
  const merged: AdmissionPlan["merged"][number][] = [];
  const claimed = new Set<string>();
  for (const occurrence of occurrencesOf(evidence, companyWords)) {
    const decision = decide(occurrence, now);
    const related = [...new Set(occurrence.flatMap(({ key }) => byMember.get(key) ?? []))];
    const open = related.filter(({ occurrenceId, published }) => !isRetracted(published) && !claimed.has(occurrenceId));
    // After a retraction, the evidence begins a new occurrence only if it suffices for publication.
    if (open.length === 0 && related.some(({ published }) => isRetracted(published)) && decision.outcome !== "publish")
      continue;
    const [kept, ...others] = [...open].sort(byStanding);
    const planned: PlannedOccurrence = {
      occurrenceId: kept?.occurrenceId,
      occurrence,
      decision,
      lifecycle: nextLifecycle(kept?.published, decision),
    };
    judged.push(planned);
    for (const { occurrenceId } of open) claimed.add(occurrenceId);
    for (const { occurrenceId } of others) merged.push({ occurrenceId, into: planned });
  }
  return { judged, merged };
}

function isRetracted(published: PublishedState | undefined): boolean {
  return published?.lifecycle === "MATERIAL_IMPACT_LIFECYCLE_RETRACTED";
}

/** Sorts published occurrences before others, and then the oldest first. Ids sort by time. */
function byStanding(a: JudgedOccurrence, b: JudgedOccurrence): number {
  const standing = Number(b.published !== undefined) - Number(a.published !== undefined);
  return standing || (a.occurrenceId < b.occurrenceId ? -1 : 1);
}
