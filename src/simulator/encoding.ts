/** Encodings of upstreams that do not send UTF-8, by the name that a document declares. */
export const encodings = [
  "ISO-8859-1",
  "ISO-8859-2",
  "ISO-8859-7",
  "windows-1251",
  "windows-1254",
  "windows-1256",
  "UTF-16",
] as const;

export type Encoding = (typeof encodings)[number];

const tables = new Map<Encoding, ReadonlyMap<string, number>>();

/** Encodes text; unsupported characters become numeric references, as in publishing software. */
export function encoded(text: string, encoding: Encoding): Buffer {
  if (encoding === "UTF-16") return Buffer.from(`\ufeff${text}`, "utf16le");
  const table = tables.get(encoding) ?? tableOf(encoding);
  tables.set(encoding, table);
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const byte = code < 0x80 ? code : table.get(character);
    if (byte !== undefined) bytes.push(byte);
    else bytes.push(...Buffer.from(`&#${code};`));
  }
  return Buffer.from(bytes);
}

/**
 * Returns the byte of each character in the upper half of a single-byte encoding. For ISO 8859, and for windows-1254,
 * which extends ISO 8859-9, decoders disagree on the bytes 0x80 to 0x9F. The table leaves these bytes out.
 */
function tableOf(encoding: Encoding): ReadonlyMap<string, number> {
  const decoder = new TextDecoder(encoding);
  const first = encoding.startsWith("ISO") || encoding === "windows-1254" ? 0xa0 : 0x80;
  const bytes = Array.from({ length: 0x100 - first }, (_, index) => first + index);
  return new Map(bytes.map((byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
}
