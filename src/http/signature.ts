import { createHmac, timingSafeEqual } from "node:crypto";
import { MINUTE_MS, SECOND_MS } from "../kit/clock.js";

const SIGNATURE = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;
const AGE_MS_MAX = 5 * MINUTE_MS;

/**
 * True if `X-Vigil-Signature` is a signature of these bytes with the secret, and its time differs from `now` by at most
 * five minutes.
 */
export function isSignedWith(
  secret: string | undefined,
  header: string | undefined,
  bytes: Buffer,
  now: number,
): boolean {
  const [, seconds, signature] = SIGNATURE.exec(header ?? "") ?? [];
  if (secret === undefined || seconds === undefined || signature === undefined) return false;
  if (Math.abs(now - Number(seconds) * SECOND_MS) > AGE_MS_MAX) return false;
  const right = createHmac("sha256", secret).update(`${seconds}.`).update(bytes).digest();
  return timingSafeEqual(Buffer.from(signature, "hex"), right);
}
