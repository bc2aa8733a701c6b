import { countryEvidence, type News } from "./evidence/country-evidence.js";
import type { EvidenceDraft, Subject } from "./evidence/draft.js";
import type { BriefSnapshots } from "./evidence/snapshots.js";

/** The headlines that there are, and how to tell which countries they name. */
export type NewsOf = (subject: Subject, snapshots: BriefSnapshots) => News;

type ByCountry = Map<string, readonly EvidenceDraft[]>;
const made = new WeakMap<BriefSnapshots, WeakMap<NewsOf, ByCountry>>();

/** What the snapshots say of the country; made once for an answer, which asks several times. */
export function draftsOf(subject: Subject, snapshots: BriefSnapshots, newsOf: NewsOf): readonly EvidenceDraft[] {
  const byNews = made.get(snapshots) ?? new WeakMap<NewsOf, ByCountry>();
  made.set(snapshots, byNews);
  const byCountry: ByCountry = byNews.get(newsOf) ?? new Map();
  byNews.set(newsOf, byCountry);
  const drafts = byCountry.get(subject.code) ?? countryEvidence(subject, snapshots, newsOf(subject, snapshots));
  byCountry.set(subject.code, drafts);
  return drafts;
}
