import { Type } from "typebox";
import { audit } from "../../access/audit-log.js";
import { SESSION_COOKIE, sessionCookie } from "../../access/authenticator.js";
import { type OpenedSession, SESSION_PREFIX } from "../../access/credential-store.js";
import { failure } from "../../contract/failures.js";
import { SECOND_MS } from "../../kit/clock.js";
import type { Exchange } from "../exchange.js";
import { type AccountParts, accountAction } from "./parts.js";

const Session = Type.Object({ expiresAt: Type.Integer({ description: "Epoch ms" }) }, { title: "Session" });

/** Signing in and out of a browser session. */
export function sessionActions(parts: AccountParts) {
  const { credentials, clock, database, addressOf } = parts;

  function cookie(value: string, maxAgeMs: number): Readonly<Record<string, string>> {
    const secure = parts.isHttps ? "; Secure" : "";
    const age = Math.floor(maxAgeMs / SECOND_MS);
    return { "Set-Cookie": `${SESSION_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${secure}` };
  }

  async function opened(
    { key, link }: { readonly key?: string; readonly link?: string },
    address: string,
  ): Promise<OpenedSession | undefined> {
    if (link !== undefined) return credentials.signInByLink(link, address);
    const caller = key && !key.startsWith(SESSION_PREFIX) ? await callerOf(key) : undefined;
    return caller?.kind === "key" ? credentials.signIn(caller.actor, address) : undefined;
  }

  const callerOf = (key: string) => parts.callerOf((name) => (name === "x-service-key" ? key : undefined));

  const signIn = accountAction({
    path: "/api/account/v1/sign-in",
    failures: ["keyInvalid"],
    summary: "Open a browser session",
    description:
      "Takes a key or a one-time link, and sets an HttpOnly cookie for 12 hours or until the key is revoked.",
    access: "open",
    ownLimit: "sign-in",
    repeats: "ignored",
    isTransaction: false,
    request: Type.Object(
      {
        key: Type.Optional(Type.String({ maxLength: 256, description: "A key of an account" })),
        link: Type.Optional(Type.String({ maxLength: 256, description: "Secret of a one-time sign-in link" })),
      },
      { title: "SignInRequest" },
    ),
    response: Session,
    violations: ({ key, link }) =>
      (key === undefined) === (link === undefined)
        ? [{ field: "key", description: "either key or link must be given" }]
        : [],
    async run(secrets, { exchange }) {
      const address = addressOf(exchange);
      const session = await opened(secrets, address);
      if (!session) {
        const at = clock.now();
        await audit(database.db, { at, action: "sign-in.refused", actor: "anonymous", address });
        throw failure("keyInvalid", null);
      }
      return {
        body: { expiresAt: session.expiresAt },
        headers: cookie(session.token, session.expiresAt - clock.now()),
      };
    },
  });

  const signOut = accountAction({
    path: "/api/account/v1/sign-out",
    summary: "End the browser session",
    description: "Ends the session of the cookie, or of the token sent as the key.",
    access: "any",
    isOwnAccount: true,
    repeats: "ignored",
    isTransaction: false,
    request: Type.Object({}, { title: "SignOutRequest" }),
    response: Type.Object(
      { signedOut: Type.Boolean({ description: "A session was ended" }) },
      { title: "SignOutResponse" },
    ),
    async run(_given, { exchange, principal }) {
      const token = sessionTokenOf(exchange);
      if (principal?.kind === "session" && token) await credentials.signOut(token, addressOf(exchange));
      return { body: { signedOut: principal?.kind === "session" }, headers: cookie("", 0) };
    },
  });
  return [signIn, signOut];
}

function sessionTokenOf({ call }: Exchange): string | undefined {
  return call.header("x-service-key") ?? call.header("x-api-key") ?? sessionCookie(call.header("cookie"));
}
