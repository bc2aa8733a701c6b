import { KEY_TIER, plans } from "../contract/access/plans.js";
import type { Principal } from "../contract/access/principal.js";
import { type Failure, failure } from "../contract/failures.js";

/**
 * Why a caller may not use what needs `tier`, or undefined. Operator-issued keys and the operator's own account are never
 * asked. A user key needs a plan whose keys open the API, whatever it asks for.
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
