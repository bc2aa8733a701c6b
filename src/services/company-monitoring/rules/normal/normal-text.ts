/** A normalised value, or a sentence with the reason for its rejection. */
export type Normal<T> = { readonly value: T } | { readonly problem: string };

/**
 * Control, zero-width, bidirectional and other invisible characters, lone surrogates, line separators, and
 * noncharacters.
 */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u;

/**
 * Returns a text in NFC, trimmed, with single spaces. Rejects forbidden characters, and a result that is empty or has
 * more than `bytesMax` bytes in UTF-8.
 */
export function normalText(text: string, bytesMax: number): Normal<string> {
  const composed = text.normalize("NFC");
  if (FORBIDDEN.test(composed)) {
    return { problem: "must not contain control, zero-width, bidirectional or other invisible characters" };
  }
  const value = composed.replace(/\s+/gu, " ").trim();
  if (value === "") return { problem: "must not be empty" };
  const bytes = Buffer.byteLength(value);
  return bytes <= bytesMax ? { value } : { problem: `must have at most ${bytesMax} bytes in UTF-8, got ${bytes}` };
}
