import { conflictEvidence } from "./conflict.js";
import type { EvidenceDraft, Subject } from "./draft.js";
import { economicEvidence } from "./economy.js";
import { airEvidence, climateEvidence, disasterEvidence } from "./hazards.js";
import { type CountriesIn, type Headline, headlineEvidence } from "./headlines.js";
import { aviationEvidence, internetEvidence } from "./networks.js";
import { displacementEvidence, humanitarianEvidence } from "./people.js";
import type { BriefSnapshots } from "./snapshots.js";

/** The numbering order of evidence. */
const order = [
  conflictEvidence,
  humanitarianEvidence,
  displacementEvidence,
  disasterEvidence,
  climateEvidence,
  airEvidence,
  internetEvidence,
  aviationEvidence,
  economicEvidence,
] as const;

export interface News {
  readonly headlines: readonly Headline[];
  readonly countriesIn: CountriesIn;
}

/** Collects all evidence on a country from the snapshots, whatever its age. Unusable snapshots yield none. */
export function countryEvidence(subject: Subject, snapshots: BriefSnapshots, news: News): readonly EvidenceDraft[] {
  const stated = order.flatMap((of) => of(subject, snapshots));
  return [...stated, ...headlineEvidence(subject.code, news.headlines, news.countriesIn)];
}
