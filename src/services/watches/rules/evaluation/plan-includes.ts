import { isPlanKey, plans } from "../../../../contract/access/plans.js";
import { OPERATOR_ACCOUNT } from "../../../../contract/access/principal.js";

/** An account with its stored plan. */
export interface PlannedAccount {
  readonly account_id: string;
  /** Null for an account of OpenID tokens, which has no row in `account`. */
  readonly plan: string | null;
}

/**
 * True if the plan of an account includes the operations of a tier. The operator's account includes every operation,
 * and so does an account whose plan the store does not know.
 */
export function planIncludes({ account_id, plan }: PlannedAccount, tier: number): boolean {
  if (plan === null || account_id === OPERATOR_ACCOUNT) return true;
  return isPlanKey(plan) && plans[plan].tier >= tier;
}
