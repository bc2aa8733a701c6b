import { createHmac, timingSafeEqual } from "node:crypto";

/** Signs short texts that are handed out and must come back unaltered. */
export interface TokenSigner {
  /** `<prefix>.<payload>.<signature>`, both in base64url. `context` is signed as well but not carried. */
  sign(prefix: string, payload: string, context?: string): string;
  /** The payload of a token that was signed for this prefix and context; undefined for every other text. */
  open(prefix: string, token: string, context?: string): string | undefined;
}

/** 43 base64url characters of HMAC-SHA-256 under `key`. Equal inputs give equal tokens wherever the key is known. */
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
      // Compared as text: several spellings in base64url decode to the same bytes.
      const right = Buffer.from(signatureOf(`${start}.${payload}`, context));
      const given = Buffer.from(signature);
      if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
      return Buffer.from(payload, "base64url").toString();
    },
  };
}
