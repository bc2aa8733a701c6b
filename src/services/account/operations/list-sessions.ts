import { Type } from "typebox";
import { sessions } from "../../../contract/access/accounts.js";
import { accountRead } from "../../../contract/account-read.js";
import { SessionCard } from "../records.js";
import { accountFor } from "../rules/account-for.js";
import { firstText } from "../rules/fields.js";

export const listSessions = accountRead({
  rpc: "list-sessions",
  summary: "The open browser sessions of the account",
  description: "Cards of the open sessions of all keys of the account, without their tokens; at most the newest 200.",
  access: { scope: "read" },
  failures: ["itemNotFound"],
  uses: { sessions },
  query: { accountId: firstText("Id of another account; operator only") },
  response: Type.Object(
    { sessions: Type.Array(SessionCard, { description: "Newest first" }) },
    { title: "ListSessionsResponse" },
  ),
  examples: [{}],
  async run({ accountId }, { principal, ports }) {
    const cards = await ports.sessions.list(accountFor(principal, accountId));
    return { sessions: cards.map((card) => ({ ...card })) };
  },
});
