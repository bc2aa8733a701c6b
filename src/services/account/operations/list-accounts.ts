import { Type } from "typebox";
import { accountBook } from "../../../contract/access/accounts.js";
import { accountRead } from "../../../contract/account-read.js";
import { Account } from "../records.js";
import { firstText, listLimit } from "../rules/fields.js";

export const listAccounts = accountRead({
  rpc: "list-accounts",
  summary: "All accounts (operator)",
  description: "Accounts in the order of their ids.",
  access: "operator",
  failures: ["validation"],
  uses: { accounts: accountBook },
  query: { after: firstText("Only accounts after this id"), limit: listLimit() },
  response: Type.Object(
    { accounts: Type.Array(Account, { description: "The accounts, sorted by id" }) },
    { title: "ListAccountsResponse" },
  ),
  examples: [{}, { after: "acc_", limit: "10" }],
  async run({ after, limit }, { ports }) {
    return { accounts: [...(await ports.accounts.list({ limit, ...(after !== undefined && { after }) }))] };
  },
});
