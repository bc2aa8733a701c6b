import type { FeedTier, ScoreTerm, ThreatLevel } from "../../digest-records.js";
import { corroborationPoints } from "./corroboration.js";
import { bonus, rounded, share } from "./score-terms.js";
import { tierPoints } from "./tier-points.js";

/** Shares of the score in percent. They add up to 100. */
export const importanceWeights = { severity: 55, tier: 20, corroboration: 15, recency: 10 } as const;

export const severityPoints: Readonly<Record<ThreatLevel, number>> = {
  critical: 100,
  high: 75,
  medium: 50,
  low: 25,
  info: 0,
};

const DIPLOMACY_BONUS = 18;
const [ENTITY_BONUS, ENTITY_SOURCES_MAX] = [4, 5];
const RECENCY_MS = 24 * 3_600_000;

export interface ImportanceInputs {
  readonly level: ThreatLevel;
  readonly tier: FeedTier;
  /** Number of publisher families that report the story. */
  readonly storySources: number;
  /** Number of publishers in the item's entity bucket (`EntityBucket`); 0 if the item is in no bucket. */
  readonly entitySources: number;
  readonly publishedAt: number;
  readonly now: number;
  readonly isDiplomacy: boolean;
}

/** Returns the terms of an item's importance, 0 to 138 in total. */
export function importanceTerms(inputs: ImportanceInputs): readonly ScoreTerm[] {
  const sources = Math.max(inputs.storySources, inputs.entitySources);
  return [
    ...rounded([
      share("severity", severityPoints[inputs.level], importanceWeights.severity),
      share("tier", tierPoints[inputs.tier], importanceWeights.tier),
      share("corroboration", corroborationPoints(sources), importanceWeights.corroboration),
      share("recency", recencyPoints(inputs.publishedAt, inputs.now), importanceWeights.recency),
    ]),
    bonus("diplomacy", inputs.isDiplomacy ? 1 : 0, DIPLOMACY_BONUS),
    bonus("entities", Math.min(inputs.entitySources, ENTITY_SOURCES_MAX), ENTITY_BONUS),
  ];
}

/** Returns 100 for an item published now. The result falls linearly to 0 for an age of one day. It has two decimals. */
export function recencyPoints(publishedAt: number, now: number): number {
  const points = 100 * (1 - (now - publishedAt) / RECENCY_MS);
  return Math.round(Math.min(100, Math.max(0, points)) * 100) / 100;
}
