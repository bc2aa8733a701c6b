import { Type } from "typebox";
import { accountBook } from "../../../contract/access/accounts.js";
import { write } from "../../../contract/write.js";
import { AccountResponse, planChange } from "../records.js";
import { changedPlan } from "../rules/changed-plan.js";

export const setPlan = write({
  rpc: "set-plan",
  summary: "Change the plan of an account (operator)",
  description: "Takes effect within a second on this node, and within a minute on all nodes.",
  access: "operator",
  failures: ["itemNotFound"],
  repeats: "ignored",
  isTransaction: false,
  uses: { accounts: accountBook },
  request: Type.Object(planChange, { title: "SetPlanRequest" }),
  example: { accountId: "acc_desk", plan: "pro", state: "active" },
  response: AccountResponse,
  async run(change, { ports }) {
    return { body: { account: await changedPlan(ports.accounts, change) } };
  },
});
