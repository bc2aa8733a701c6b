import type { StoreCall } from "../../../database/service-store.js";

/** Returns the account of a call: always that of its credential. */
export function accountOf({ principal }: StoreCall): string {
  const accountId = principal?.accountId;
  if (accountId === undefined) throw new Error("the watch store was called without an account");
  return accountId;
}
