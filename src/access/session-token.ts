import { createHash } from "node:crypto";

/** The beginning of every session token, which distinguishes it from a key. */
export const SESSION_PREFIX = "vgs_";

const ID_CHARS = 24;

/** The stored form of a session: the SHA-256 of its token, hex. */
export function hashOfSession(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** The id of a session: `ses_` and the first 24 hex digits of its hash. The hash is not a credential. */
export function sessionIdOf(sessionHash: string): string {
  return `ses_${sessionHash.slice(0, ID_CHARS)}`;
}

/** Returns the first 24 hex digits of a session's hash from the session's id; undefined if the string is not an id. */
export function hashPrefixOf(sessionId: string): string | undefined {
  return /^ses_([0-9a-f]{24})$/.exec(sessionId)?.[1];
}
