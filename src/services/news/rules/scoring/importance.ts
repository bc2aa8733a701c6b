import type { FeedTier, ScoreTerm, ThreatLevel } from "../../digest-records.js";
import { corroborationPoints } from "./corroboration.js";
import { bonus, rounded, share } from "./score-terms.js";
import { tierPoints } from "./tier-points.js";

/** Shares of the score in percent; they make a hundred. */
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

export interface ImportanceGiven {
  readonly level: ThreatLevel;
  readonly tier: FeedTier;
  /** Families that report the story. */
  readonly storySources: number;
  /** Publishers that write of the same names; 0 where the item is in no bucket. */
  readonly entitySources: number;
  readonly publishedAt: number;
  readonly now: number;
  readonly isDiplomacy: boolean;
}

/** What makes up the importance of an item; 0 to 138 in all. */
export function importanceTerms(given: ImportanceGiven): readonly ScoreTerm[] {
  const sources = Math.max(given.storySources, given.entitySources);
  return [
    ...rounded([
      share("severity", severityPoints[given.level], importanceWeights.severity),
      share("tier", tierPoints[given.tier], importanceWeights.tier),
      share("corroboration", corroborationPoints(sources), importanceWeights.corroboration),
      share("recency", recencyPoints(given.publishedAt, given.now), importanceWeights.recency),
    ]),
    bonus("diplomacy", given.isDiplomacy ? 1 : 0, DIPLOMACY_BONUS),
    bonus("entities", Math.min(given.entitySources, ENTITY_SOURCES_MAX), ENTITY_BONUS),
  ];
}

/** 100 for an item of this moment, falling evenly to 0 at a day; to two decimals. */
export function recencyPoints(publishedAt: number, now: number): number {
  const points = 100 * (1 - (now - publishedAt) / RECENCY_MS);
  return Math.round(Math.min(100, Math.max(0, points)) * 100) / 100;
}
