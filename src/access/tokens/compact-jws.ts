import { decodeProtectedHeader, type ProtectedHeaderParameters } from "jose";

/** Longest token that is looked at at all. */
export const TOKEN_LENGTH_MAX = 8_192;

/**
 * The unverified header of a signed token; undefined for everything that is not three parts in canonical base64url.
 * Decoders pass over spare bits and white space, so that without this several texts would be the same token.
 */
export function headerOf(token: string): ProtectedHeaderParameters | undefined {
  if (token.length > TOKEN_LENGTH_MAX) return undefined;
  const parts = token.split(".");
  if (parts.length !== 3 || !parts.every(isCanonical)) return undefined;
  try {
    return decodeProtectedHeader(token);
  } catch {
    return undefined;
  }
}

function isCanonical(part: string): boolean {
  return part !== "" && Buffer.from(part, "base64url").toString("base64url") === part;
}
