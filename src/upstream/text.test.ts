import { describe, expect, it } from "vitest";
import { textOf } from "./text.js";

const utf8 = (text: string): Buffer => Buffer.from(text, "utf8");
const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");
const declared = (encoding: string): string => `<?xml version="1.0" encoding="${encoding}"?>`;

describe("textOf", () => {
  it.each([
    ["UTF-8 by default", utf8("Türkiye"), undefined, "Türkiye"],
    ["a UTF-8 mark, dropped", utf8("\ufeffa,b"), undefined, "a,b"],
    ["a UTF-8 mark against the content type", utf8("\ufeffé"), "text/csv; charset=iso-8859-1", "é"],
    ["UTF-16 little endian by its mark", Buffer.from("\ufeffé", "utf16le"), undefined, "é"],
    ["UTF-16 big endian by its mark", Buffer.from("\ufeffé", "utf16le").swap16(), undefined, "é"],
    ["the content type's charset", latin1("é"), 'text/csv; charset="ISO-8859-1"', "é"],
    ["Cyrillic", Buffer.from([0xcf, 0xf0, 0xe8]), "text/xml; charset=windows-1251", "При"],
    ["Windows-1252, which is what ISO-8859-1 means", Buffer.from([0x80, 0x93, 0xe9]), "a/b;charset=latin1", "€“é"],
    ["UTF-8 for an unknown label", utf8("é"), "text/csv; charset=martian", "é"],
    ["UTF-8 where the content type is wrong", utf8("é"), "text/xml; charset=us-ascii-ish", "é"],
    ["Windows-1252 where hardly anything is UTF-8", latin1("caf\xe9 \x96"), undefined, "café –"],
    [
      "good characters around a bad byte",
      Buffer.concat([utf8("é日本"), Buffer.from([0xff])]),
      undefined,
      "é日本\ufffd",
    ],
  ])("reads %s", (_name, bytes, contentType, text) => expect(textOf(bytes, contentType)).toBe(text));

  it("reads the XML declaration, also against a content type that does not fit", () => {
    const bytes = latin1(`${declared("ISO-8859-1")}<a>é</a>`);
    expect(textOf(bytes)).toContain("<a>é</a>");
    expect(textOf(bytes, "text/xml; charset=utf-8")).toContain("<a>é</a>");
    expect(textOf(utf8(`${declared("martian")}<a>é</a>`))).toContain("<a>é</a>");
  });
});
