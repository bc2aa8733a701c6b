import { conflictEvidence } from "./conflict.js";
import type { EvidenceDraft, Subject } from "./draft.js";
import { economicEvidence } from "./economy.js";
import { airEvidence, climateEvidence, disasterEvidence } from "./hazards.js";
import { type CountriesIn, type Headline, headlineEvidence } from "./headlines.js";
import { aviationEvidence, internetEvidence } from "./networks.js";
import { displacementEvidence, humanitarianEvidence } from "./people.js";
import type { BriefSnapshots } from "./snapshots.js";

/** The order in which evidence is numbered. */
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

/** Everything that the snapshots say of a country, whatever its age. A snapshot that cannot be used says nothing. */
export function countryEvidence(subject: Subject, snapshots: BriefSnapshots, news: News): readonly EvidenceDraft[] {
  const stated = order.flatMap((of) => of(subject, snapshots));
  return [...stated, ...headlineEvidence(subject.code, news.headlines, news.countriesIn)];
}
