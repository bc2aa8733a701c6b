import { createHash } from "node:crypto";
import type { TokenSigner } from "../../../../kit/signed-token.js";

/** The purpose of a link in an email: to confirm an address, or to stop the emails of a watch to an address. */
export type LinkPurpose = "confirm" | "stop";

/**
 * Derives the token of a link: a hash over its purpose, its subject and their HMAC-SHA-256 signature. Each attempt to
 * send the same email derives the same token, although the store has only a hash of the token.
 */
export function linkToken(signer: TokenSigner, purpose: LinkPurpose, subject: string): string {
  return sha256(signer.sign(`watch-mail-${purpose}`, subject)).toString("base64url");
}

/** Returns the stored form of a token. */
export function hashOfToken(token: string): string {
  return sha256(token).toString("hex");
}

/** Returns the subject of the link that stops the emails of a watch to an address. */
export function stopSubject(watchId: string, address: string): string {
  return `${watchId} ${address}`;
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
