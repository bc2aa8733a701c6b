import { SESSION_COOKIE } from "../access/authenticator.js";
import type { OpenedSession } from "../contract/write.js";
import { SECOND_MS } from "../kit/clock.js";

/** Returns the `Set-Cookie` header that sets the session cookie or, if the session has ended, removes it. */
export function sessionCookieHeaders(
  session: OpenedSession | "ended",
  now: number,
  isHttps: boolean,
): Readonly<Record<string, string>> {
  const { token, expiresAt } = session === "ended" ? { token: "", expiresAt: now } : session;
  const age = Math.floor((expiresAt - now) / SECOND_MS);
  const secure = isHttps ? "; Secure" : "";
  return { "Set-Cookie": `${SESSION_COOKIE}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${secure}` };
}
