import type { StoreCall } from "../../../database/service-store.js";

/** Returns the account of a call, which is always the account of the call's credential. */
export function accountOf({ principal }: StoreCall): string {
  const accountId = principal?.accountId;
  if (accountId === undefined) throw new Error("company monitoring was reached without an account");
  return accountId;
}
