import { createHmac, timingSafeEqual } from "node:crypto";

/** Signs short strings that callers receive and send back unaltered. */
export interface TokenSigner {
  /**
   * Returns `<prefix>.<payload>.<signature>`, with the payload and the signature in base64url. `context` is signed but
   * not included.
   */
  sign(prefix: string, payload: string, context?: string): string;
  /** The payload of a token signed for this prefix and context; undefined for any other text. */
  open(prefix: string, token: string, context?: string): string | undefined;
}

/**
 * Creates a signer. Signatures are HMAC-SHA-256 in 43 base64url characters. Equal inputs yield equal tokens on every
 * node with the same key.
 */
export function tokenSigner(key: Buffer): TokenSigner {
  const signatureOf = (signed: string, context: string): string =>
    createHmac("sha256", key).update(`${signed}\n${context}`).digest("base64url");

  return {
    sign(prefix, payload, context = "") {
      const signed = `${prefix}.${Buffer.from(payload).toString("base64url")}`;
      return `${signed}.${signatureOf(signed, context)}`;
    },
    open(prefix, token, context = "") {
      const [start = "", payload = "", signature = "", ...rest] = token.split(".");
      if (start !== prefix || rest.length > 0) return undefined;
      // Compared as text, because several base64url strings decode to the same bytes.
      const right = Buffer.from(signatureOf(`${start}.${payload}`, context));
      const sent = Buffer.from(signature);
      if (sent.length !== right.length || !timingSafeEqual(sent, right)) return undefined;
      return Buffer.from(payload, "base64url").toString();
    },
  };
}
