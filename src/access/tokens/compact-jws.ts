import { decodeProtectedHeader, type ProtectedHeaderParameters } from "jose";

/** Longest token that is parsed. */
export const TOKEN_LENGTH_MAX = 8_192;

/**
 * Reads the unverified header of a signed token; undefined unless the string has three parts in canonical base64url.
 * Decoders ignore spare bits and white space, so without this check several strings would be the same token.
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
