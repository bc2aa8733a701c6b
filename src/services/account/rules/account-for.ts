import { OPERATOR_ACCOUNT, type Principal } from "../../../contract/access/principal.js";
import { failure } from "../../../contract/failures.js";

/**
 * Returns the id of the account that a call concerns. The operator may name any account; any other caller gets a 404
 * for an account that is not their own.
 */
export function accountFor(principal: Principal, named: string | undefined): string {
  const own = principal.accountId ?? OPERATOR_ACCOUNT;
  if (named === undefined || named === own) return own;
  if (!principal.isOperator) throw failure("itemNotFound", { what: "account" });
  return named;
}
