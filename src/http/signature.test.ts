import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { MINUTE_MS } from "../kit/clock.js";
import { isSignedWith } from "./signature.js";

const bytes = Buffer.from('{"a":1}');
const NOW = 1_700_000_000_000;

function signed(secret: string, at = NOW): string {
  const seconds = at / 1_000;
  const signature = createHmac("sha256", secret).update(`${seconds}.`).update(bytes).digest("hex");
  return `t=${seconds},v1=${signature}`;
}

test("a signature of the body with the configured secret is accepted for five minutes", () => {
  expect(isSignedWith("secret", signed("secret"), bytes, NOW + 5 * MINUTE_MS)).toBe(true);
  expect(isSignedWith("secret", signed("secret"), bytes, NOW + 5 * MINUTE_MS + 1)).toBe(false);
});

test.each([
  ["another secret", "secret", signed("other"), bytes],
  ["other bytes", "secret", signed("secret"), Buffer.from("{}")],
  ["a missing header", "secret", undefined, bytes],
  ["a malformed header", "secret", "v1=abc", bytes],
  ["a signature without a configured secret", undefined, signed("secret"), bytes],
] as const)("%s is refused", (_name, secret, header, body) => {
  expect(isSignedWith(secret, header, body, NOW)).toBe(false);
});
