import type { FeedRisk, FeedTier, ScoreTerm } from "../../digest-records.js";
import { corroborationPoints } from "./corroboration.js";
import { capped, rounded, share } from "./score-terms.js";
import { tierPoints } from "./tier-points.js";

/** Shares of the score in percent; they make a hundred. */
export const credibilityWeights = { tier: 30, risk: 50, corroboration: 20 } as const;

export const riskPoints: Readonly<Record<FeedRisk, number>> = { low: 100, medium: 50, unknown: 35, high: 12 };

/** However many repeat what a publisher of high risk says, its own item is not believed more than this. */
const HIGH_RISK_CAP = 40;

/** What makes up the credibility of an item; 0 to 100. Only families that report the same story confirm it. */
export function credibilityTerms(given: {
  readonly tier: FeedTier;
  readonly risk: FeedRisk;
  readonly storySources: number;
}): readonly ScoreTerm[] {
  const terms = rounded([
    share("tier", tierPoints[given.tier], credibilityWeights.tier),
    share("risk", riskPoints[given.risk], credibilityWeights.risk),
    share("corroboration", corroborationPoints(given.storySources), credibilityWeights.corroboration),
  ]);
  return given.risk === "high" ? capped(terms, HIGH_RISK_CAP) : terms;
}
