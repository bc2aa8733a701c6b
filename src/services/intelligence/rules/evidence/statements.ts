import { newsEvidence } from "../stored-news.js";
import { alphaEvidence, betaEvidence } from "./conflict.js";
import type { EvidenceAge, EvidenceDraft, Subject } from "./draft.js";
import { pricesEvidence, yieldsEvidence } from "./economy.js";
import { airEvidence, climateEvidence, disasterEvidence } from "./hazards.js";
import type { EvidenceIngredients, EvidenceRead } from "./ingredients.js";
import { aviationEvidence, internetEvidence } from "./networks.js";
import { displacementEvidence, humanitarianEvidence } from "./people.js";
import { sanctionsEvidence } from "./sanctions.js";

/** One kind of data: the rule that states facts from it, and the datasets that the rule reads. */
export interface Statement {
  /** The facts become stale with the dataset `reads[0]`. The other datasets provide normal values for comparison. */
  readonly reads: readonly [EvidenceRead, ...EvidenceRead[]];
  /** Returns the facts about a country, regardless of their age. Unusable ingredients yield none. */
  state(subject: Subject, ingredients: EvidenceIngredients): readonly EvidenceDraft[];
}

/** The kinds of data, in the order of their evidence ids. */
export const statements: Readonly<Record<EvidenceAge, Statement>> = {
  alphaEvents: { reads: ["alpha"], state: alphaEvidence },
  betaEvents: { reads: ["beta"], state: betaEvidence },
  humanitarian: { reads: ["humanitarian"], state: humanitarianEvidence },
  displacement: { reads: ["displaced"], state: displacementEvidence },
  disaster: { reads: ["disasters"], state: disasterEvidence },
  climate: { reads: ["weather", "normals"], state: climateEvidence },
  airQuality: { reads: ["air"], state: airEvidence },
  internet: { reads: ["internet"], state: internetEvidence },
  aviation: { reads: ["airports"], state: aviationEvidence },
  consumerPrices: { reads: ["prices"], state: pricesEvidence },
  yields: { reads: ["yields"], state: yieldsEvidence },
  sanctions: { reads: ["sanctions"], state: sanctionsEvidence },
  headline: { reads: ["digest"], state: newsEvidence },
};

// The cast is needed because `Object.keys` returns string[].
export const statementNames = Object.keys(statements) as readonly EvidenceAge[];

/** Collects all facts about a country, regardless of their age. */
export function draftsOf(subject: Subject, ingredients: EvidenceIngredients): readonly EvidenceDraft[] {
  return statementNames.flatMap((name) => statements[name].state(subject, ingredients));
}
