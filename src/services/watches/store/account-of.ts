import type { StoreCall } from "../../../database/service-store.js";

/** Returns the id of the account that the credential of a call belongs to. */
export function accountOf({ principal }: StoreCall): string {
  const accountId = principal?.accountId;
  if (accountId === undefined) throw new Error("the watch store was called without an account");
  return accountId;
}
