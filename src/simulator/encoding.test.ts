import { expect, test } from "vitest";
import { encoded, encodings } from "./encoding.js";

const samples = {
  "ISO-8859-1": "Überfall in Córdoba, 12 °C",
  "ISO-8859-2": "Łódź, Győr, čeština",
  "ISO-8859-7": "Σεισμός στη Θήβα",
  "windows-1251": "Подъём ціни в Україні «Ґедзь»",
  "windows-1254": "İstanbul'da güneş ığır",
  "windows-1256": "زلزال في تركيا، گچپژ",
  "UTF-16": "地震 한국 ไทย",
} satisfies Record<(typeof encodings)[number], string>;

test.each(encodings)("%s text survives encoding and decoding", (encoding) => {
  const bytes = encoded(samples[encoding], encoding);
  expect(new TextDecoder(encoding === "UTF-16" ? "utf-16le" : encoding).decode(bytes)).toBe(samples[encoding]);
});

test("a character outside the encoding becomes a numeric reference", () => {
  expect(encoded("a – 🙂", "ISO-8859-1").toString("latin1")).toBe("a &#8211; &#128578;");
});
