import { countryEvidence, type News } from "./evidence/country-evidence.js";
import type { EvidenceDraft, Subject } from "./evidence/draft.js";
import type { BriefSnapshots } from "./evidence/snapshots.js";

/** A source of headlines and of the countries that they name. */
export type NewsOf = (subject: Subject, snapshots: BriefSnapshots) => News;

/** The drafts built from the newest snapshots. Weak references let older snapshots be collected. */
interface CachedDrafts {
  readonly from: readonly WeakRef<object>[];
  readonly byCountry: Map<string, readonly EvidenceDraft[]>;
}

const cache = new WeakMap<NewsOf, CachedDrafts>();

/** Returns the evidence drafts of a country. Cached by snapshots, since each call needs the drafts several times. */
export function draftsOf(subject: Subject, snapshots: BriefSnapshots, newsOf: NewsOf): readonly EvidenceDraft[] {
  const news = newsOf(subject, snapshots);
  const from = [news.headlines, ...Object.values(snapshots)];
  let current = cache.get(newsOf);
  if (!current || !isMadeFrom(current, from)) {
    current = { from: from.map((input) => new WeakRef(input)), byCountry: new Map() };
    cache.set(newsOf, current);
  }
  const drafts = current.byCountry.get(subject.code) ?? countryEvidence(subject, snapshots, news);
  current.byCountry.set(subject.code, drafts);
  return drafts;
}

function isMadeFrom({ from }: CachedDrafts, inputs: readonly object[]): boolean {
  return from.length === inputs.length && from.every((input, index) => input.deref() === inputs[index]);
}
