import { Type } from "typebox";
import { accountBook } from "../../../contract/access/accounts.js";
import { planKeys, planStates, plans } from "../../../contract/access/plans.js";
import { accountRead } from "../../../contract/account-read.js";
import { Account } from "../records.js";

export const getAccount = accountRead({
  rpc: "get-account",
  summary: "The caller's account",
  description: "The account, plan, tier and scopes of the caller's credential.",
  access: { scope: "read" },
  uses: { accounts: accountBook },
  query: {},
  response: Type.Object(
    {
      account: Type.Optional(Account),
      credential: Type.String({ description: "Kind of the credential" }),
      scopes: Type.Array(Type.String(), { description: "Scopes of the credential" }),
      plan: Type.Enum([...planKeys], { description: "Plan of the account" }),
      planState: Type.Enum([...planStates], { description: "State of the plan" }),
      tier: Type.Integer({ description: "Tier of the plan" }),
    },
    { title: "GetAccountResponse" },
  ),
  examples: [{}],
  async run(_query, { principal, ports }) {
    const { accountId, kind, scopes, plan, planState } = principal;
    const account = accountId === undefined ? undefined : await ports.accounts.find(accountId);
    return {
      ...(account && { account }),
      credential: kind,
      scopes: [...scopes],
      plan,
      planState,
      tier: plans[plan].tier,
    };
  },
});
