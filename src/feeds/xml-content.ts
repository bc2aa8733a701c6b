/**
 * Decodes a piece of XML between two tags: CDATA sections are unwrapped, comments are dropped and references are
 * resolved. Elements stay as written, because they may be HTML, and a later step reads HTML.
 */
export function xmlContent(written: string): string {
  let [content, from] = ["", 0];
  // `cdata` or `comment` becomes false once a section of that kind has no end. Later starts of such sections are then
  // read as text, without another search for an end.
  const open = { cdata: true, comment: true };
  for (let at = written.indexOf("<!"); at !== -1; at = written.indexOf("<!", at)) {
    const kind = kindAt(written, at);
    const end = kind !== undefined && open[kind] ? written.indexOf(ENDS[kind], at + STARTS[kind].length) : -1;
    if (kind === undefined || end === -1) {
      if (kind !== undefined) open[kind] = false;
      at += 2;
      continue;
    }
    content += resolved(written.slice(from, at));
    if (kind === "cdata") content += written.slice(at + STARTS.cdata.length, end);
    at = from = end + ENDS[kind].length;
  }
  return content + resolved(written.slice(from));
}

const STARTS = { cdata: "<![CDATA[", comment: "<!--" } as const;
const ENDS = { cdata: "]]>", comment: "-->" } as const;

function kindAt(written: string, at: number): keyof typeof STARTS | undefined {
  if (written.startsWith(STARTS.comment, at)) return "comment";
  return written.startsWith(STARTS.cdata, at) ? "cdata" : undefined;
}

const REFERENCE = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi;
const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function resolved(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(REFERENCE, (reference: string, name?: string, decimal?: string, hexadecimal?: string) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? reference;
    const codePoint = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal);
    // Publishers use these numbers for characters of Windows-1252, as HTML allows. The later HTML step decodes them.
    if (codePoint >= 0x80 && codePoint <= 0x9f) return reference;
    const isPossible = codePoint > 0 && codePoint <= 0x10ffff && (codePoint < 0xd800 || codePoint > 0xdfff);
    return isPossible ? String.fromCodePoint(codePoint) : "\ufffd";
  });
}
