import type { Principal } from "../../../src/contract/access/principal.js";
import { everyScope } from "../../../src/contract/access/scopes.js";

/** A caller whose key has every scope and belongs to an account on the business plan. */
export function principalOf(accountId: string): Principal {
  return {
    kind: "key",
    actor: `key of ${accountId}`,
    accountId,
    scopes: everyScope,
    plan: "business",
    planState: "active",
    isOperator: false,
  };
}
