import type { FeedRisk, FeedTier, ScoreTerm } from "../../digest-records.js";
import { corroborationPoints } from "./corroboration.js";
import { capped, rounded, share } from "./score-terms.js";
import { tierPoints } from "./tier-points.js";

/** Shares of the score in percent. They add up to 100. */
export const credibilityWeights = { tier: 30, risk: 50, corroboration: 20 } as const;

export const riskPoints: Readonly<Record<FeedRisk, number>> = { low: 100, medium: 50, unknown: 35, high: 12 };

/** The highest credibility of a high-risk publisher, regardless of corroboration. */
const HIGH_RISK_CAP = 40;

/**
 * Returns the terms of an item's credibility, 0 to 100 in total. Only publisher families that report the same story
 * corroborate the item.
 */
export function credibilityTerms(inputs: {
  readonly tier: FeedTier;
  readonly risk: FeedRisk;
  readonly storySources: number;
}): readonly ScoreTerm[] {
  const terms = rounded([
    share("tier", tierPoints[inputs.tier], credibilityWeights.tier),
    share("risk", riskPoints[inputs.risk], credibilityWeights.risk),
    share("corroboration", corroborationPoints(inputs.storySources), credibilityWeights.corroboration),
  ]);
  return inputs.risk === "high" ? capped(terms, HIGH_RISK_CAP) : terms;
}
