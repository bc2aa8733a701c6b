import type { StoreCall } from "../../../database/service-store.js";

/** Returns the id of the account to which the call's credential belongs. Throws if the credential has no account. */
export function accountOf({ principal }: StoreCall): string {
  const accountId = principal?.accountId;
  if (accountId === undefined) throw new Error("company monitoring was reached without an account");
  return accountId;
}
