import { gunzipSync, gzipSync } from "node:zlib";

/**
 * Maximum length of a text that is stored uncompressed. Longer texts, such as the provenance of hundreds of requests,
 * are repetitive and therefore compress well.
 */
const PLAIN_LENGTH_MAX = 16_384;
const PACKED = "gzip:";

export function packedText(text: string): string {
  return text.length <= PLAIN_LENGTH_MAX ? text : PACKED + gzipSync(text).toString("base64");
}

/** Unpacks a stored text. Throws if the text is damaged. */
export function plainText(stored: string): string {
  if (!stored.startsWith(PACKED)) return stored;
  return gunzipSync(Buffer.from(stored.slice(PACKED.length), "base64")).toString("utf8");
}
