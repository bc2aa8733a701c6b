import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const USER_KEY = /^(vgl_(?:demo_)?)([0-9a-f]{40})([0-9a-f]{8})$/;

/** The prefix of keys. Demo keys begin with `vgl_demo_`. */
export const KEY_PREFIX = "vgl_";

export type KeyPrefix = "vgl_" | "vgl_demo_";

/**
 * Creates a key: prefix, 40 lower-case hex digits of secret, and 8 hex digits with the CRC-32 of both. With the
 * checksum, a mistyped key is refused without a lookup, and a leaked key can be recognised.
 */
export function newKey(prefix: KeyPrefix): string {
  const secret = randomBytes(20).toString("hex");
  return `${prefix}${secret}${checksum(prefix, secret)}`;
}

/** Returns true for a well-formed key. */
export function isWellFormedKey(key: string): boolean {
  const [, prefix, secret, sum] = USER_KEY.exec(key) ?? [];
  return prefix !== undefined && secret !== undefined && sum === checksum(prefix, secret);
}

/** SHA-256 of a key, hex. The hash is stored and looked up instead of the key. */
export function hashOfKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

function checksum(prefix: string, secret: string): string {
  return crc32(`${prefix}${secret}`).toString(16).padStart(8, "0");
}
