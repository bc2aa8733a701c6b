import { describe, expect, it } from "vitest";
import { textOf, textPieces } from "./text.js";

const utf8 = (text: string): Buffer => Buffer.from(text, "utf8");
const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");
const declared = (encoding: string): string => `<?xml version="1.0" encoding="${encoding}"?>`;

describe("textOf", () => {
  it.each([
    ["UTF-8 by default", utf8("Türkiye"), undefined, "Türkiye"],
    ["UTF-8 and drops its byte order mark", utf8("\ufeffa,b"), undefined, "a,b"],
    ["UTF-8 by its mark, despite the content type", utf8("\ufeffé"), "text/csv; charset=iso-8859-1", "é"],
    ["UTF-16 little endian by its mark", Buffer.from("\ufeffé", "utf16le"), undefined, "é"],
    ["UTF-16 big endian by its mark", Buffer.from("\ufeffé", "utf16le").swap16(), undefined, "é"],
    ["text in the content type's charset", latin1("é"), 'text/csv; charset="ISO-8859-1"', "é"],
    ["Cyrillic", Buffer.from([0xcf, 0xf0, 0xe8]), "text/xml; charset=windows-1251", "При"],
    ["Windows-1252 for the label latin1, as in browsers", Buffer.from([0x80, 0x93, 0xe9]), "a/b;charset=latin1", "€“é"],
    ["UTF-8 for an unknown label", utf8("é"), "text/csv; charset=martian", "é"],
    ["UTF-8 for an unknown label that begins like a known one", utf8("é"), "text/xml; charset=us-ascii-ish", "é"],
    ["Windows-1252 if hardly anything is valid UTF-8", latin1("caf\xe9 \x96"), undefined, "café –"],
    [
      "the valid characters around a bad byte",
      Buffer.concat([utf8("é日本"), Buffer.from([0xff])]),
      undefined,
      "é日本\ufffd",
    ],
  ])("reads %s", (_name, bytes, contentType, text) => expect(textOf(bytes, contentType)).toBe(text));

  it("the XML declaration applies if the content type names no charset or a wrong charset, and a declaration of an unknown encoding is ignored", () => {
    const bytes = latin1(`${declared("ISO-8859-1")}<a>é</a>`);
    expect(textOf(bytes)).toContain("<a>é</a>");
    expect(textOf(bytes, "text/xml; charset=utf-8")).toContain("<a>é</a>");
    expect(textOf(utf8(`${declared("martian")}<a>é</a>`))).toContain("<a>é</a>");
  });
});

// One text per encoding, with its bytes written out, so that the test relies on no encoder. Each text uses letters of a
// language that the encoding serves.
const russian = "Привет";
const written: readonly (readonly [encoding: string, text: string, hex: string])[] = [
  ["UTF-8", russian, "d09fd180d0b8d0b2d0b5d182"],
  ["windows-1251", russian, "cff0e8e2e5f2"],
  ["koi8-r", russian, "f0d2c9d7c5d4"],
  ["iso-8859-5", russian, "bfe0d8d2d5e2"],
  ["ISO-8859-1", "Café déjà", "436166e92064e96ae0"],
  ["windows-1252", "“Zoë” – €5", "935a6feb94209620803 5".replace(" ", "")],
  ["iso-8859-2", "Łódź żółw", "a3f364bc20bff3b377"],
  ["windows-1250", "Šťastný", "8a9d6173746efd"],
  ["iso-8859-7", "Αθήνα", "c1e8deede1"],
  ["iso-8859-9", "İğne şiş", "ddf06e6520fe69fe"],
  ["windows-1254", "İğne “ş”", "ddf06e652093fe94"],
  ["windows-1256", "سلام", "d3e1c7e3"],
  ["shift_jis", "日本語テスト", "93fa967b8cea8365835883 67".replace(" ", "")],
  ["euc-jp", "日本語", "c6fccbdcb8ec"],
  ["iso-2022-jp", "日本", "1b2442467c4b5c1b2842"],
  ["gb2312", "中文新闻", "d6d0cec4d0c2ce c5".replace(" ", "")],
  ["gb18030", "中文镕", "d6d0cec4e946"],
  ["big5", "中文", "a4a4a4e5"],
  ["euc-kr", "한국어", "c7d1b1b9beee"],
];
const tagged = (hex: string): Buffer => Buffer.concat([latin1("<a>"), Buffer.from(hex, "hex"), latin1("</a>")]);

describe.each(written)("%s", (encoding, text, hex) => {
  const xml = `<a>${text}</a>`;

  it("the encoding is read from the XML declaration", () =>
    expect(textOf(Buffer.concat([latin1(declared(encoding)), tagged(hex)]))).toBe(`${declared(encoding)}${xml}`));

  it("the encoding is read from the content type alone", () =>
    expect(textOf(tagged(hex), `application/rss+xml; charset=${encoding}`)).toBe(xml));

  it("the encoding of the content type, except ISO-8859-1, takes precedence over a wrong declaration", () => {
    const wrong = encoding === "koi8-r" ? "windows-1251" : "koi8-r";
    const bytes = Buffer.concat([latin1(declared(wrong)), tagged(hex)]);
    const text = textOf(bytes, `text/xml; charset="${encoding}"`);
    // Servers send ISO-8859-1 by default, so a document's own declaration takes precedence over it.
    if (encoding === "ISO-8859-1") expect(text).not.toContain(xml);
    else expect(text).toBe(`${declared(wrong)}${xml}`);
  });

  it("the declaration takes precedence over a charset that servers send by default", () => {
    const bytes = Buffer.concat([latin1(declared(encoding)), tagged(hex)]);
    for (const charset of ["ISO-8859-1", "us-ascii"]) {
      expect(textOf(bytes, `text/xml; charset=${charset}`)).toContain(xml);
    }
  });
});

describe("wrong labels", () => {
  const utf8Xml = utf8(`${declared("windows-1251")}<a>Grüße, Привет</a>`);

  it.each([
    ["a wrong declaration", utf8Xml, undefined],
    ["a wrong declaration and a wrong content type", utf8Xml, "text/xml; charset=koi8-r"],
    [
      "a wrong content type, if the bytes begin with a byte order mark",
      utf8("\ufeff<a>Grüße, Привет</a>"),
      "text/xml; charset=windows-1252",
    ],
  ])("bytes in UTF-8 are read as UTF-8 despite %s", (_, bytes, contentType) => {
    expect(textOf(bytes, contentType)).toContain("<a>Grüße, Привет</a>");
  });

  it("the byte order mark of UTF-16 takes precedence over labels", () => {
    const text = `${declared("iso-8859-1")}<a>Привет</a>`;
    for (const bytes of [Buffer.from(`\ufeff${text}`, "utf16le"), Buffer.from(`\ufeff${text}`, "utf16le").swap16()]) {
      expect(textOf(bytes, "text/xml; charset=utf-8")).toBe(text);
    }
  });

  it("UTF-16 without a byte order mark is read despite wrong or missing labels", () => {
    const text = `${declared("utf-16")}<a>Привет</a>`;
    expect(textOf(Buffer.from(text, "utf16le"))).toBe(text);
    expect(textOf(Buffer.from(text, "utf16le").swap16(), "text/xml; charset=utf-8")).toBe(text);
  });

  it("a UTF-16 label is ignored for bytes in ASCII or UTF-8", () => {
    const text = `${declared("utf-16")}<a>ab</a>`;
    expect(textOf(utf8(text))).toBe(text);
    expect(textOf(utf8(text), "text/xml; charset=utf-16")).toBe(text);
    expect(textOf(utf8(`${text}é`))).toBe(`${text}é`);
  });

  it("a single bad byte in a long text does not make its label invalid", () => {
    const bytes = [latin1(declared("iso-8859-7")), ...Array(50).fill(Buffer.from("c1e8deede1", "hex"))];
    const broken = Buffer.concat([...bytes, Buffer.from([0xd2])]);
    expect(textOf(broken)).toBe(`${declared("iso-8859-7")}${"Αθήνα".repeat(50)}\ufffd`);
  });

  it("bytes that are not UTF-8 and have no label are read as Windows-1252", () => {
    expect(textOf(tagged("436166e920938094"))).toBe("<a>Café “€”</a>");
  });
});

describe("textPieces", () => {
  const long = "é日本😀".repeat(30_000);

  it.each([
    ["UTF-8 with characters on the borders of pieces", utf8(long), undefined],
    ["UTF-8 with a byte order mark", utf8(`\ufeffx${long}`), undefined],
    ["ASCII", utf8("a".repeat(200_000)), undefined],
    ["Windows-1251", Buffer.alloc(200_000, 0xcf), "text/xml; charset=windows-1251"],
    ["UTF-16 with a byte order mark", Buffer.from(`\ufeff${long}`, "utf16le"), undefined],
    ["an empty body", Buffer.alloc(0), undefined],
  ])("the pieces of %s together form the whole text", (_name, bytes, contentType) => {
    const pieces = [...textPieces(bytes, contentType)];
    expect(pieces.join("") === textOf(bytes, contentType)).toBe(true);
    expect(Math.max(0, ...pieces.map(({ length }) => length))).toBeLessThanOrEqual(65_536);
  });
});
