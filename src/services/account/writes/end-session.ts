import { Type } from "typebox";
import { sessions } from "../../../contract/access/accounts.js";
import { failure } from "../../../contract/failures.js";
import { write } from "../../../contract/write.js";
import { OtherAccountId, SessionCard } from "../records.js";
import { accountFor } from "../rules/account-for.js";

export const endSession = write({
  rpc: "end-session",
  summary: "End a browser session",
  description:
    "Ends an open session of the account: within a second on this node, within a minute on all nodes. The key that opened the session stays valid, so whoever has that key can sign in again.",
  access: { scope: "account:write" },
  failures: ["itemNotFound"],
  isOwnAccount: true,
  repeats: "ignored",
  isTransaction: false,
  uses: { sessions },
  request: Type.Object(
    {
      sessionId: Type.String({ maxLength: 100, description: "Id of the session, from its card" }),
      accountId: OtherAccountId,
    },
    { title: "EndSessionRequest" },
  ),
  example: { sessionId: "ses_000000000000000000000000" },
  response: Type.Object({ session: SessionCard }, { title: "EndSessionResponse" }),
  async run({ sessionId, accountId }, { principal, ports }) {
    const session = await ports.sessions.endOne(accountFor(principal, accountId), sessionId);
    if (!session) throw failure("itemNotFound", { what: "session" });
    return { body: { session }, ...(session.isCurrent && { session: "ended" as const }) };
  },
});
