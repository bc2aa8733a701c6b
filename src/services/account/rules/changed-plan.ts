import type { Account, AccountBook } from "../../../contract/access/accounts.js";
import type { PlanKey, PlanState } from "../../../contract/access/plans.js";
import { failure } from "../../../contract/failures.js";

/** The new plan of an account. */
interface PlanChange {
  readonly accountId: string;
  readonly plan: PlanKey;
  readonly state: PlanState;
}

/** Sets the plan of an account and returns the account. Throws a 404 if the account does not exist. */
export async function changedPlan(accounts: AccountBook, { accountId, plan, state }: PlanChange): Promise<Account> {
  const account = await accounts.setPlan(accountId, plan, state);
  if (!account) throw failure("itemNotFound", { what: "account" });
  return account;
}
