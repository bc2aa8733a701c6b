import { OPERATOR_ACCOUNT, type Principal } from "../../../contract/access/principal.js";
import { failure } from "../../../contract/failures.js";

/** The account that a call is about: one's own, or for the operator any. To others another account is not there. */
export function accountFor(principal: Principal, named: string | undefined): string {
  const own = principal.accountId ?? OPERATOR_ACCOUNT;
  if (named === undefined || named === own) return own;
  if (!principal.isOperator) throw failure("itemNotFound", { what: "account" });
  return named;
}
