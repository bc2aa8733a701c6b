import { Type } from "typebox";
import { tokenDesk } from "../../../contract/access/accounts.js";
import { failure } from "../../../contract/failures.js";
import { write } from "../../../contract/write.js";

/** Issues access tokens to callers with a key (OAuth 2.0 client credentials, RFC 6749 §4.4). */
export const oauthToken = write({
  rpc: "oauth-token",
  path: "/oauth/token",
  summary: "An access token in exchange for a key",
  description:
    "OAuth 2.0 client credentials: the key is the client secret, sent as HTTP Basic, as `client_secret`, or in a key header. The token expires after 15 minutes, or earlier if the key expires or is revoked.",
  access: "open",
  failures: ["tokenRequestInvalid", "grantUnsupported", "clientInvalid"],
  limit: { name: "token", callsMax: 60 },
  repeats: "ignored",
  isTransaction: false,
  isForm: true,
  inputFailure: (violations) => failure("tokenRequestInvalid", { violations }),
  uses: { tokens: tokenDesk },
  request: Type.Object(
    {
      grant_type: Type.String({ maxLength: 64, description: "`client_credentials`" }),
      client_id: Type.Optional(Type.String({ maxLength: 256, description: "Ignored; the key identifies its account" })),
      client_secret: Type.Optional(Type.String({ maxLength: 256, description: "The key" })),
    },
    { title: "TokenRequest" },
  ),
  example: { grant_type: "client_credentials", client_id: "acc_desk", client_secret: "vgl_…" },
  response: Type.Object(
    {
      access_token: Type.String({ description: "A signed token (JWT)" }),
      token_type: Type.String({ description: "`Bearer`" }),
      expires_in: Type.Integer({ description: "Seconds" }),
      scope: Type.String({ description: "Scopes of the token, separated by spaces" }),
    },
    { title: "TokenResponse" },
  ),
  async run({ grant_type, client_secret }, { ports }) {
    if (grant_type !== "client_credentials") throw failure("grantUnsupported", null);
    const issued = await ports.tokens.issue(client_secret);
    if (!issued) throw failure("clientInvalid", null);
    return {
      body: {
        access_token: issued.token,
        token_type: "Bearer",
        expires_in: issued.expiresInSeconds,
        scope: issued.scopes.join(" "),
      },
    };
  },
});
