import { Type } from "typebox";
import { audit } from "../../access/audit-log.js";
import { failure } from "../../contract/failures.js";
import type { Exchange } from "../exchange.js";
import { type AccountParts, accountAction } from "./parts.js";

/** Access tokens for the holders of a key (OAuth 2.0 client credentials, RFC 6749 §4.4). */
export function tokenAction(parts: AccountParts) {
  return accountAction({
    path: "/oauth/token",
    failures: ["grantUnsupported", "clientInvalid"],
    summary: "An access token for a key",
    description:
      "OAuth 2.0 client credentials: the key is the client secret, sent as HTTP Basic, as `client_secret`, or in a key header. The token lasts 15 minutes or until the key is revoked.",
    access: "open",
    ownLimit: "token",
    repeats: "ignored",
    isTransaction: false,
    isForm: true,
    request: Type.Object(
      {
        grant_type: Type.String({ maxLength: 64, description: "`client_credentials`" }),
        client_id: Type.Optional(Type.String({ maxLength: 256, description: "Ignored; the key names its account" })),
        client_secret: Type.Optional(Type.String({ maxLength: 256, description: "The key" })),
      },
      { title: "TokenRequest" },
    ),
    response: Type.Object(
      {
        access_token: Type.String({ description: "A signed token (JWT)" }),
        token_type: Type.String({ description: "`Bearer`" }),
        expires_in: Type.Integer({ description: "Seconds" }),
        scope: Type.String({ description: "Scopes of the token, separated by spaces" }),
      },
      { title: "TokenResponse" },
    ),
    async run({ grant_type, client_secret }, { exchange }) {
      if (grant_type !== "client_credentials") throw failure("grantUnsupported", null);
      const key =
        client_secret ??
        basicSecret(exchange) ??
        exchange.call.header("x-service-key") ??
        exchange.call.header("x-api-key");
      const issued = key === undefined ? undefined : await parts.tokens.issue(key);
      if (!issued) throw failure("clientInvalid", null);
      const { token, expiresInSeconds, scopes, principal } = issued;
      const { actor, accountId } = principal;
      const event = {
        at: parts.clock.now(),
        action: "token.issued",
        actor,
        address: parts.addressOf(exchange),
      } as const;
      await audit(parts.database.db, { ...event, ...(accountId !== undefined && { accountId }) });
      const body = { access_token: token, token_type: "Bearer", expires_in: expiresInSeconds, scope: scopes.join(" ") };
      return { body, headers: { Pragma: "no-cache" } };
    },
  });
}

function basicSecret({ call }: Exchange): string | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(call.header("authorization") ?? "") ?? [];
  if (encoded === undefined) return undefined;
  const [, secret] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, "base64").toString("utf8")) ?? [];
  return secret;
}
