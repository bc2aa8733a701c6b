import type { Principal } from "../../src/contract/access/principal.js";
import { everyScope } from "../../src/contract/access/scopes.js";

/** A caller with a read key of the account `acc_1` on the starter plan. */
export const keyHolder: Principal = {
  kind: "key",
  actor: "key_1",
  accountId: "acc_1",
  scopes: new Set(["read"]),
  plan: "starter",
  planState: "active",
  isOperator: false,
};

/** A caller with every right on the account of the operator. */
export const operatorCaller: Principal = {
  ...keyHolder,
  accountId: "operator",
  scopes: everyScope,
  plan: "enterprise",
  isOperator: true,
};
