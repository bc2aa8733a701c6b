/**
 * What a piece of XML between two tags means: CDATA sections opened, comments dropped, references resolved. Elements in
 * it stay as they are written, for a piece of HTML to be read later.
 */
export function xmlContent(written: string): string {
  if (!written.includes("<!")) return resolved(written);
  // Where a comment stood, the section is undefined, which the type does not say.
  const pieces: readonly (string | undefined)[] = written.split(SECTIONS);
  return pieces
    .map((piece = "") => (piece.startsWith(CDATA) ? piece.slice(CDATA.length, -3) : resolved(piece)))
    .join("");
}

const CDATA = "<![CDATA[";
/** Keeps CDATA sections as pieces of their own and drops comments. */
const SECTIONS = /(<!\[CDATA\[[\s\S]*?\]\]>)|<!--[\s\S]*?-->/;

const REFERENCE = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi;
const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function resolved(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(REFERENCE, (reference: string, name?: string, decimal?: string, hexadecimal?: string) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? reference;
    const codePoint = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal);
    // Publishers write the places of Windows-1252 here, as HTML allows: left for its reader, who knows them.
    if (codePoint >= 0x80 && codePoint <= 0x9f) return reference;
    const isPossible = codePoint > 0 && codePoint <= 0x10ffff && (codePoint < 0xd800 || codePoint > 0xdfff);
    return isPossible ? String.fromCodePoint(codePoint) : "\ufffd";
  });
}
