import type { EntityDecoderOptions } from "fast-xml-parser";

/** The entities that XML has without declaring them. */
const predefined: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  // Not XML's, but what feeds that were HTML once write most.
  ["nbsp", "\u00a0"],
]);

/**
 * Decodes the predefined entities and numeric references, once each, so that text never grows; other names stay as they
 * are. A document that declares entities of its own is refused where the parser meets the declaration.
 */
export const xmlEntities: EntityDecoderOptions = {
  decode: (text) => (text.includes("&") ? text.replace(REFERENCE, character) : text),
  addInputEntities(declared) {
    if (Object.keys(declared).length > 0) throw new Error("it declares entities of its own");
  },
  setExternalEntities: () => undefined,
  reset: () => undefined,
  setXmlVersion: () => undefined,
};

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,4}));/g;

function character(reference: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return predefined.get(name) ?? reference;
  const codePoint = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal);
  const isCharacter = codePoint > 0 && codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff);
  return isCharacter ? String.fromCodePoint(codePoint) : "\ufffd";
}
