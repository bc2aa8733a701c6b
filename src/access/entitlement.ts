import { KEY_TIER, plans } from "../contract/access/plans.js";
import type { Principal } from "../contract/access/principal.js";
import { type Failure, failure } from "../contract/failures.js";

/**
 * Returns the failure of a caller who is not entitled to `tier`, else undefined. Operator-issued keys and the
 * operator's own account are always entitled. Every call with a user key, even to an operation of tier 0, needs a plan
 * with API access.
 */
export function entitlementFailure(principal: Principal, tier: number): Failure | undefined {
  const { kind, plan, planState } = principal;
  if (principal.isOperator || kind === "enterprise") return undefined;
  if (kind === "anonymous") return tier > 0 ? failure("keyRequired", null) : undefined;
  const requiredTier = kind === "key" ? Math.max(KEY_TIER, tier) : tier;
  const own = plans[plan];
  if (requiredTier > 0 && own.tier > 0) {
    if (planState === "lapsed") return failure("subscriptionLapsed", { requiredTier, currentTier: 0, planKey: plan });
    if (planState === "renewal-pending") return failure("renewalPending", { requiredTier });
  }
  if (kind === "key" && !own.keys) return failure("planWithoutKeys", null);
  if (own.tier >= tier) return undefined;
  if (kind === "session") return failure("proRequired", null);
  return failure("tierTooLow", { requiredTier: tier, currentTier: own.tier, planKey: plan });
}
