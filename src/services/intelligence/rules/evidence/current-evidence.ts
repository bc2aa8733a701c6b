import type { AvailableSnapshot } from "../../../../contract/snapshot.js";
import type { BriefEvidence } from "../../records.js";
import { type CountryFacts, type EvidenceAge, type EvidenceDraft, evidenceAt, evidenceChangesAt } from "./draft.js";
import { evidenceReads } from "./ingredients.js";
import { statements } from "./statements.js";

type FactsSnapshot = Pick<AvailableSnapshot<CountryFacts>, "view" | "parts">;

/** Selects and numbers the facts about a country that may be stated at `now`. */
export function evidenceOn(code: string, facts: FactsSnapshot, now: number): readonly BriefEvidence[] {
  return evidenceAt(currentDrafts(code, facts, now), now);
}

/** Returns the next time, epoch ms, at which the result of `evidenceOn` changes without a new build. */
export function evidenceOnChangesAt(code: string, facts: FactsSnapshot, now: number): number {
  const drafts = currentDrafts(code, facts, now);
  return Math.min(evidenceChangesAt(drafts, now), ...drafts.map(({ age }) => staleFrom(age, facts)));
}

/** Returns the facts whose dataset has not become stale since the build. */
function currentDrafts(code: string, facts: FactsSnapshot, now: number): readonly EvidenceDraft[] {
  return (facts.view.get(code) ?? []).filter(({ age }) => now < staleFrom(age, facts));
}

/**
 * Returns the time at which a fact becomes stale with the main dataset of its statement (`reads[0]`), unless this
 * dataset is confirmed again before then.
 */
function staleFrom(age: EvidenceAge, { parts }: FactsSnapshot): number {
  return (parts[age]?.confirmedAt ?? 0) + evidenceReads[statements[age].reads[0]].staleAfterMs;
}
