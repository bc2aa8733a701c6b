import type { Principal } from "../../../src/contract/access/principal.js";
import { everyScope } from "../../../src/contract/access/scopes.js";

/** A key of an account on the business plan with every scope. */
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
