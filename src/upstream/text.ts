import { isAscii, isUtf8 } from "node:buffer";
import { StringDecoder } from "node:string_decoder";

/** Windows-1252 from 0x80 to 0x9F. Node 20's TextDecoder reads these as control characters (seen 2026-11, 20.20.2). */
const WINDOWS_1252_C1 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** Number of bytes at the start of a document that are searched for an encoding declaration. */
const DECLARATION_BYTES = 200;

/**
 * Returns the text of a body without its byte order mark. A label is the name of an encoding, as stated by the content
 * type or the document. The encoding is the first of these:
 * 1. that of the byte order mark;
 * 2. UTF-8, if all bytes beyond ASCII are well-formed UTF-8: other encodings hardly ever look like that, and labels are
 *    often left unchanged after a switch to UTF-8 (finanzen.net declares ISO-8859-1);
 * 3. UTF-16, if every other byte of the first two characters is zero;
 * 4. the content type's charset, as RFC 7303 requires; but if it is ISO-8859-1 or ASCII, which servers add by
 *    default, an encoding that the document itself declares comes first;
 * 5. the XML declaration's encoding;
 * 6. the first label of 4 and 5 that is not a UTF label and in which only a few bytes are invalid;
 * 7. UTF-8 if, beyond ASCII, it yields at least as many valid as invalid characters, else Windows-1252.
 * In 4 and 5, a label that is unknown or does not fit all bytes is skipped. "UTF-16" never fits bytes without a zero.
 */
export function textOf(bytes: Buffer, contentType?: string): string {
  const marked = markedText(bytes);
  if (marked !== undefined) return marked;
  if (isUtf8(bytes) && !isAscii(bytes)) return bytes.toString("utf8");
  const labels = [unmarkedUtf16(bytes), ...labelsOf(bytes, contentType)];
  for (const label of labels) {
    const text = label === undefined ? undefined : decodeStrictly(bytes, label);
    if (text !== undefined) return text;
  }
  return isAscii(bytes) ? bytes.toString("latin1") : (decodeMostly(bytes, labels) ?? decodeBroken(bytes));
}

/** Number of bytes or characters in one piece of a text. */
const PIECE_LENGTH = 65_536;

/**
 * The text that `textOf` returns, in pieces. UTF-8 with characters beyond ASCII is decoded piece by piece, so that the
 * whole text is never in memory. Any other text, even plain ASCII, is decoded whole and then cut.
 */
export function* textPieces(bytes: Buffer, contentType?: string): Generator<string, void> {
  if (isUtf8(bytes) && !isAscii(bytes)) {
    const decoder = new StringDecoder("utf8");
    for (let at = hasUtf8Mark(bytes) ? 3 : 0; at < bytes.length; at += PIECE_LENGTH) {
      yield decoder.write(bytes.subarray(at, at + PIECE_LENGTH));
    }
  } else {
    const text = textOf(bytes, contentType);
    for (let at = 0; at < text.length; at += PIECE_LENGTH) yield text.slice(at, at + PIECE_LENGTH);
  }
}

function hasUtf8Mark([first, second, third]: Buffer): boolean {
  return first === 0xef && second === 0xbb && third === 0xbf;
}

function markedText(bytes: Buffer): string | undefined {
  const [first, second] = bytes;
  if (hasUtf8Mark(bytes)) {
    return isUtf8(bytes) ? bytes.toString("utf8", 3) : decodeBroken(bytes.subarray(3));
  }
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return undefined;
}

/**
 * Recognises UTF-16 without a byte order mark. This is possible because documents of the formats read here begin with
 * two ASCII characters.
 */
function unmarkedUtf16(bytes: Buffer): string | undefined {
  const [first, second, third, fourth] = bytes;
  if (first && second === 0 && third && fourth === 0) return "utf-16le";
  if (first === 0 && second && third === 0 && fourth) return "utf-16be";
  return undefined;
}

/** Charsets that old servers send with every text document. */
const UNASKED = /^(?:iso-8859-1|iso_8859-1|latin-?1|us-ascii|ascii)$/i;

function labelsOf(bytes: Buffer, contentType: string | undefined): readonly (string | undefined)[] {
  const ofServer = /;\s*charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType ?? "")?.[1];
  const ofDocument = declaredIn(bytes);
  return ofServer !== undefined && UNASKED.test(ofServer) ? [ofDocument, ofServer] : [ofServer, ofDocument];
}

function declaredIn(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, DECLARATION_BYTES).toString("latin1");
  return /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w:.-]+)["']/.exec(start)?.[1];
}

/** Decodes the bytes in the encoding of a label. Undefined if the label is unknown or the bytes are invalid in it. */
function decodeStrictly(bytes: Buffer, label: string): string | undefined {
  const decoder = decoderOf(label, true);
  if (decoder === undefined || (decoder.encoding.startsWith("utf-16") && !bytes.includes(0))) return undefined;
  try {
    return decoder.encoding === "windows-1252" ? windows1252(bytes) : decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function decoderOf(label: string, fatal: boolean): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label, { fatal });
  } catch {
    return undefined;
  }
}

/** Minimum number of characters per bad byte; with fewer, the label is considered wrong. */
const CHARACTERS_PER_BAD_ONE = 100;

/**
 * Decodes the bytes in the encoding of the first label that is not a UTF label and in which only a few bytes are
 * invalid. Undefined if there is no such label.
 */
function decodeMostly(bytes: Buffer, labels: readonly (string | undefined)[]): string | undefined {
  for (const label of labels) {
    const decoder = label === undefined ? undefined : decoderOf(label, false);
    if (decoder === undefined || decoder.encoding.startsWith("utf-")) continue;
    const text = decoder.decode(bytes);
    if (badIn(text) * CHARACTERS_PER_BAD_ONE <= text.length) return text;
  }
  return undefined;
}

function badIn(text: string): number {
  return text.match(/\ufffd/g)?.length ?? 0;
}

/**
 * Decodes bytes of which some are invalid in UTF-8. Decodes them as UTF-8 or, if that yields more bad characters than
 * good ones beyond ASCII, as Windows-1252.
 */
function decodeBroken(bytes: Buffer): string {
  const text = new TextDecoder("utf-8").decode(bytes);
  const broken = badIn(text);
  const intact = text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
  return broken > intact ? windows1252(bytes) : text;
}

function windows1252(bytes: Buffer): string {
  return bytes.toString("latin1").replace(/[\x80-\x9f]/g, (char) => WINDOWS_1252_C1[char.charCodeAt(0) - 0x80] ?? char);
}
