/** Windows-1252 from 0x80 to 0x9F. Node 20's TextDecoder reads these as control characters (seen 2026-11, 20.20.2). */
const WINDOWS_1252_C1 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** How much of a document is searched for its encoding declaration, which must stand at the very start. */
const DECLARATION_BYTES = 200;

/**
 * The text of a body without its byte order mark. The encoding is that of the mark, the content type, the XML
 * declaration or UTF-8, in this order; one that does not fit the bytes gives way to the next.
 */
export function textOf(bytes: Buffer, contentType?: string): string {
  const marked = markedEncoding(bytes);
  const labels = [marked, labelIn(contentType), marked ?? declaredIn(bytes), "utf-8"];
  for (const label of labels) {
    const text = label === undefined ? undefined : decodeStrictly(bytes, label);
    if (text !== undefined) return text;
  }
  return decodeBroken(bytes);
}

function markedEncoding(bytes: Buffer): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return undefined;
}

function labelIn(contentType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*"?([\w:.-]+)/i.exec(contentType ?? "")?.[1];
}

function declaredIn(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, DECLARATION_BYTES).toString("latin1");
  return /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w:.-]+)["']/.exec(start)?.[1];
}

/** The text, or undefined when the label is unknown or the bytes are not in it. */
function decodeStrictly(bytes: Buffer, label: string): string | undefined {
  try {
    const decoder = new TextDecoder(label, { fatal: true });
    return decoder.encoding === "windows-1252" ? windows1252(bytes) : decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** UTF-8 with a few bad bytes keeps its good characters; bytes that are hardly UTF-8 at all are read as Windows-1252. */
function decodeBroken(bytes: Buffer): string {
  const text = new TextDecoder("utf-8").decode(bytes);
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  const intact = text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
  return broken > intact ? windows1252(bytes) : text;
}

function windows1252(bytes: Buffer): string {
  return bytes.toString("latin1").replace(/[\x80-\x9f]/g, (char) => WINDOWS_1252_C1[char.charCodeAt(0) - 0x80] ?? char);
}
