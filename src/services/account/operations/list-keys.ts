import { Type } from "typebox";
import { keyRing } from "../../../contract/access/accounts.js";
import { accountRead } from "../../../contract/account-read.js";
import { KeyCard } from "../records.js";
import { accountFor } from "../rules/account-for.js";
import { firstText } from "../rules/fields.js";

export const listKeys = accountRead({
  rpc: "list-keys",
  summary: "The keys of the account",
  description: "The secrets of the keys are not listed.",
  access: { scope: "read" },
  failures: ["itemNotFound"],
  uses: { keys: keyRing },
  query: { accountId: firstText("Id of another account; operator only") },
  response: Type.Object(
    { keys: Type.Array(KeyCard, { description: "The keys, newest first" }) },
    { title: "ListKeysResponse" },
  ),
  examples: [{}],
  async run({ accountId }, { principal, ports }) {
    const keys = await ports.keys.list(accountFor(principal, accountId));
    return { keys: keys.map((card) => ({ ...card, scopes: [...card.scopes] })) };
  },
});
