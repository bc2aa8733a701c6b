import { Type } from "typebox";
import { sessions } from "../../../contract/access/accounts.js";
import { write } from "../../../contract/write.js";

export const signOut = write({
  rpc: "sign-out",
  summary: "End the browser session",
  description: "Ends the caller's session. The session token is in the cookie or in a key header.",
  access: "any",
  isOwnAccount: true,
  repeats: "ignored",
  isTransaction: false,
  uses: { sessions },
  request: Type.Object({}, { title: "SignOutRequest" }),
  example: {},
  response: Type.Object(
    { signedOut: Type.Boolean({ description: "True if a session was ended" }) },
    { title: "SignOutResponse" },
  ),
  async run(_body, { ports }) {
    return { body: { signedOut: await ports.sessions.end() }, session: "ended" };
  },
});
