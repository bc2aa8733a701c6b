import { createHmac, timingSafeEqual } from "node:crypto";

/** Signatures of webhooks by the Standard Webhooks conventions (https://www.standardwebhooks.com). */

const SECRET_PREFIX = "whsec_";
const VERSION = "v1";
/** Maximum difference between the time of a message and the receiver's clock. */
export const TOLERANCE_SECONDS = 300;
/** Minimum and maximum length of a key, in bytes. */
const KEY_BYTES_MIN = 24;
const KEY_BYTES_MAX = 64;
export const SECRET_BYTES = 32;

/** The signed parts of a message. */
export interface SignedMessage {
  readonly id: string;
  /** Time of the attempt, epoch seconds. */
  readonly timestamp: number;
  readonly body: string;
}

export type WebhookHeaders = Readonly<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>>;

/** Builds a secret from its key: the prefix, then the key in base64. */
export function webhookSecret(key: Buffer): string {
  return SECRET_PREFIX + key.toString("base64");
}

/** The headers of a message, signed with each secret. */
export function signedHeaders(message: SignedMessage, secrets: readonly string[]): WebhookHeaders {
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(message.timestamp),
    "webhook-signature": secrets.map((secret) => signatureOf(message, keyIn(secret))).join(" "),
  };
}

/** The reasons for which a message is refused. */
export type WebhookRefusal =
  | "a webhook header is missing or malformed"
  | "the message is too old"
  | "the message is from the future"
  | "no signature matches";

/**
 * Verifies a received message. Returns the reason for refusing it; undefined if it is authentic. Throws for a malformed
 * secret. Header names are in lower case, as in Node.js. There may be several signatures and several secrets; one match
 * is enough. `now` is epoch ms.
 */
export function refusedWebhook(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  body: string,
  secrets: readonly string[],
  now: number,
): WebhookRefusal | undefined {
  const [id, sentAt, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(
    (name) => headers[name],
  );
  const isComplete = typeof id === "string" && typeof sentAt === "string" && typeof signatures === "string";
  if (!isComplete || id === "" || !/^\d{1,12}$/.test(sentAt)) return "a webhook header is missing or malformed";
  const timestamp = Number(sentAt);
  const ageSeconds = now / 1_000 - timestamp;
  if (ageSeconds > TOLERANCE_SECONDS) return "the message is too old";
  if (ageSeconds < -TOLERANCE_SECONDS) return "the message is from the future";
  const expected = secrets.map((secret) => Buffer.from(signatureOf({ id, timestamp, body }, keyIn(secret))));
  const isAuthentic = signatures.split(" ").some((signature) => {
    const received = Buffer.from(signature);
    return expected.some((right) => right.length === received.length && timingSafeEqual(right, received));
  });
  return isAuthentic ? undefined : "no signature matches";
}

/** Throws for a string that is not a secret. The error message does not contain the string. */
export function checkWebhookSecret(secret: string): void {
  keyIn(secret);
}

/** Decodes the key of a secret, with or without the prefix. Throws for any other string. */
function keyIn(secret: string): Buffer {
  const text = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  const key = Buffer.from(text, "base64");
  if (key.length < KEY_BYTES_MIN || key.length > KEY_BYTES_MAX) {
    // The error message does not contain the secret, because even an invalid one must not be printed.
    throw new Error(
      `a webhook secret must be ${SECRET_PREFIX} followed by ${KEY_BYTES_MIN} to ${KEY_BYTES_MAX} bytes in base64`,
    );
  }
  return key;
}

function signatureOf({ id, timestamp, body }: SignedMessage, key: Buffer): string {
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return `${VERSION},${signature}`;
}
