import { Type } from "typebox";
import { sessions } from "../../../contract/access/accounts.js";
import { failure } from "../../../contract/failures.js";
import { write } from "../../../contract/write.js";

export const signIn = write({
  rpc: "sign-in",
  summary: "Open a browser session",
  description:
    "Takes a key or a one-time link, and sets an HttpOnly cookie for 12 hours, or until the key expires or is revoked.",
  access: "open",
  failures: ["keyInvalid"],
  // Attempts are limited, although a secret of 160 bits cannot be guessed.
  limit: { name: "sign-in", callsMax: 30 },
  repeats: "ignored",
  isTransaction: false,
  uses: { sessions },
  request: Type.Object(
    {
      key: Type.Optional(Type.String({ maxLength: 256, description: "A key of an account" })),
      link: Type.Optional(Type.String({ maxLength: 256, description: "Secret of a one-time sign-in link" })),
    },
    { title: "SignInRequest" },
  ),
  example: { key: "vgl_…" },
  response: Type.Object({ expiresAt: Type.Integer({ description: "Epoch ms" }) }, { title: "Session" }),
  violations: ({ key, link }) =>
    (key === undefined) === (link === undefined)
      ? [{ field: "key", description: "is required if link is absent, and must be absent if link is given" }]
      : [],
  async run(secret, { ports }) {
    const session = await ports.sessions.open(secret);
    if (!session) throw failure("keyInvalid", null);
    return { body: { expiresAt: session.expiresAt }, session };
  },
});
