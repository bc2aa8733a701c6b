import { type Plan, plans } from "../../../contract/access/plans.js";
import type { Principal } from "../../../contract/access/principal.js";
import type { MonitoringStatus } from "../records.js";

/**
 * Returns the caller's access to company monitoring: DISABLED while it is switched off, and ENTITLEMENT_LAPSED for a
 * paid plan that has lapsed. A key gets DENIED if its plan has no API access, or while the renewal of the plan is being
 * verified. The operator and the keys that the operator issues need no plan.
 */
export function accessStateOf(
  { isOperator, kind, plan, planState }: Pick<Principal, "isOperator" | "kind" | "plan" | "planState">,
  isEnabled: boolean,
): MonitoringStatus["accessState"] {
  if (!isEnabled) return "COMPANY_MONITORING_ACCESS_STATE_DISABLED";
  if (isOperator || kind === "enterprise") return "COMPANY_MONITORING_ACCESS_STATE_ENTITLED";
  const { keys, tier }: Plan = plans[plan];
  if (kind === "key" && (!keys || planState === "renewal-pending")) return "COMPANY_MONITORING_ACCESS_STATE_DENIED";
  if (tier > 0 && planState === "lapsed") return "COMPANY_MONITORING_ACCESS_STATE_ENTITLEMENT_LAPSED";
  return "COMPANY_MONITORING_ACCESS_STATE_ENTITLED";
}
