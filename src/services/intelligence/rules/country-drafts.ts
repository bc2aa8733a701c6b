import { countryEvidence, type News } from "./evidence/country-evidence.js";
import type { EvidenceDraft, Subject } from "./evidence/draft.js";
import type { BriefSnapshots } from "./evidence/snapshots.js";

/** The headlines that there are, and how to tell which countries they name. */
export type NewsOf = (subject: Subject, snapshots: BriefSnapshots) => News;

/** What was made of the newest snapshots. Those of before are not kept alive by it. */
interface Made {
  readonly from: readonly WeakRef<object>[];
  readonly byCountry: Map<string, readonly EvidenceDraft[]>;
}

const made = new WeakMap<NewsOf, Made>();

/** What the snapshots say of the country; made once while they stay the same, as every call asks for it several times. */
export function draftsOf(subject: Subject, snapshots: BriefSnapshots, newsOf: NewsOf): readonly EvidenceDraft[] {
  const news = newsOf(subject, snapshots);
  const from = [news.headlines, ...Object.values(snapshots)];
  let current = made.get(newsOf);
  if (!current || !isMadeFrom(current, from)) {
    current = { from: from.map((one) => new WeakRef(one)), byCountry: new Map() };
    made.set(newsOf, current);
  }
  const drafts = current.byCountry.get(subject.code) ?? countryEvidence(subject, snapshots, news);
  current.byCountry.set(subject.code, drafts);
  return drafts;
}

function isMadeFrom({ from }: Made, given: readonly object[]): boolean {
  return from.length === given.length && from.every((one, index) => one.deref() === given[index]);
}
