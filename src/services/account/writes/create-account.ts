import { Type } from "typebox";
import { AccountName, NewAccountId } from "../../../contract/access/account-texts.js";
import { accountBook } from "../../../contract/access/accounts.js";
import { planKeys } from "../../../contract/access/plans.js";
import { failure } from "../../../contract/failures.js";
import { write } from "../../../contract/write.js";
import { AccountResponse } from "../records.js";

export const createAccount = write({
  rpc: "create-account",
  summary: "Create an account (operator)",
  description:
    "Creates an account without keys. Its plan is active at once. An id that already exists is refused with 409.",
  access: "operator",
  success: 201,
  failures: ["conflict"],
  repeats: "ignored",
  isTransaction: false,
  uses: { accounts: accountBook },
  request: Type.Object(
    {
      name: AccountName,
      plan: Type.Enum([...planKeys], { description: "Plan of the new account" }),
      id: Type.Optional(NewAccountId),
    },
    { title: "CreateAccountRequest" },
  ),
  example: { name: "Desk", plan: "business", id: "acc_desk" },
  response: AccountResponse,
  async run({ name, plan, id }, { ports }) {
    const account = await ports.accounts.create({ name, plan, ...(id !== undefined && { id }) });
    if (!account) throw failure("conflict", { sentence: `The account ${id} already exists` });
    return { body: { account } };
  },
});
