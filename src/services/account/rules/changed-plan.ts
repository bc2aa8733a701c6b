import type { Account, AccountBook } from "../../../contract/access/accounts.js";
import type { PlanKey, PlanState } from "../../../contract/access/plans.js";
import { failure } from "../../../contract/failures.js";

/** The plan that an account is to have. */
interface PlanChange {
  readonly accountId: string;
  readonly plan: PlanKey;
  readonly state: PlanState;
}

/** The account with its new plan. Throws the 404 where there is none. */
export async function changedPlan(accounts: AccountBook, { accountId, plan, state }: PlanChange): Promise<Account> {
  const account = await accounts.setPlan(accountId, plan, state);
  if (!account) throw failure("itemNotFound", { what: "account" });
  return account;
}
