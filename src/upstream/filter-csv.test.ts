import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { failureOf } from "../../test/support/reading.js";
import { zipOf } from "../simulator/zip.js";
import { decode, SelectedRecords, selectRecords } from "./decode.js";
import { csvRecordFilter, csvRecordsFrom } from "./filter-csv.js";

const where = { column: "year", from: "2025" };
const kept = (csv: string): string => csvRecordsFrom(Buffer.from(csv), where).toString();

describe("a filter that selects the CSV records with at least a given value in one column", () => {
  test("selected records keep their bytes and order, after the header", () => {
    const csv = "id,year,note\n1,2024,old\n2,2025,first\n3,2026,later\n4,1999,old\n5,2025,last\n";
    expect(kept(csv)).toBe("id,year,note\n2,2025,first\n3,2026,later\n5,2025,last\n");
  });

  test.each([
    ["line breaks and delimiters in quotes", '1,2024,"a\nb,2025,c"\n2,2025,"x\ny"\n', '2,2025,"x\ny"\n'],
    ["doubled quotes", '1,2024,"say ""hi"",\n2025"\n2,2025,"""q"""\n', '2,2025,"""q"""\n'],
    ["stray quotes within a cell", '1,2024,6" gun\n2,2025,5" gun\n', '2,2025,5" gun\n'],
    ["a quoted cell in the filter column", '1,"2024",a\n2,"2025",b\n', '2,"2025",b\n'],
    ["Windows line breaks", "1,2024,a\r\n2,2025,b\r\n", "2,2025,b\r\n"],
    ["no line break at the end", "1,2024,a\n2,2025,b", "2,2025,b"],
    ["blank lines", "\n1,2024,a\n\n2,2025,b\n", "2,2025,b\n"],
    ["a record that is too short for the column", "1\n2,2025,b\n", "2,2025,b\n"],
    ["no record late enough", "1,2024,a\n", ""],
  ])("the right records are selected from a table with %s", (_name, records, expected) => {
    expect(kept(`id,year,note\n${records}`)).toBe(`id,year,note\n${expected}`);
  });

  test("the filter column may be the last one or follow a byte order mark", () => {
    expect(kept("id,year\n1,2024\n2,2025\n")).toBe("id,year\n2,2025\n");
    expect(kept("\ufeffyear,id\n2024,1\n2025,2\n")).toBe("\ufeffyear,id\n2025,2\n");
  });

  test("the filter selects the same records as a parser of the whole table", () => {
    const cells = ['"a ""b"", c"', '"x\ny"', "plain", '5" inch', '""', ""];
    const lines = Array.from({ length: 2_000 }, (_, at) => `${at},${2020 + (at % 7)},${cells[at % cells.length]}`);
    const csv = `id,year,note\n${lines.join("\n")}\n`;
    const read = (text: string): { year: string }[] => parse(text, { columns: true, relax_quotes: true });
    expect(read(kept(csv))).toEqual(read(csv).filter(({ year }) => year >= "2025"));
  });

  test("a table without the filter column is reported as changed, and a table without records as empty", () => {
    expect(failureOf(() => kept("id,note\n1,a\n"))).toMatchObject({ kind: "changed" });
    expect(failureOf(() => kept("id,year,note\n"))).toMatchObject({ kind: "empty" });
    expect(failureOf(() => kept(""))).toMatchObject({ kind: "empty" });
  });
});

describe("a table that arrives in pieces", () => {
  test.each([1, 2, 3, 7, 64])("pieces of %d bytes yield the same records", (size) => {
    const cells = ['"a ""b"", c"', '"x\ny"', "plain", '5" inch', '""', "", '"""q"""'];
    const lines = Array.from({ length: 200 }, (_, at) => `${at},${2020 + (at % 7)},${cells[at % cells.length]}`);
    for (const end of ["\n", "\r\n", ""]) {
      const csv = Buffer.from(`\ufeffid,year,note\r\n\n${lines.join("\n")}${end}`);
      const records = csvRecordFilter(where);
      for (let at = 0; at < csv.length; at += size) records.push(csv.subarray(at, at + size));
      const { header, pieces } = records.end();
      expect(Buffer.concat([header, ...pieces]).toString()).toBe(csvRecordsFrom(csv, where).toString());
    }
  });

  test("many selected records are returned in pieces that end with a whole record", () => {
    const lines = Array.from({ length: 3_000 }, (_, at) => `${at},${2024 + (at % 2)},"${"x\n".repeat(400)}"\n`);
    const records = csvRecordFilter(where);
    for (const line of ["id,year,note\n", ...lines]) records.push(Buffer.from(line));
    const { header, pieces } = records.end();
    expect([String(header), pieces.length]).toEqual(["id,year,note\n", 5]);
    for (const piece of pieces) expect(String(piece)).toMatch(/^\d+,2025,"x\n[^"]*"\n/);
    expect(Buffer.concat(pieces).toString()).toBe(lines.filter((line) => line.includes(",2025,")).join(""));
  });

  test("if a quote never ends, the table is reported as changed instead of being buffered to its end", () => {
    const records = csvRecordFilter(where);
    records.push(Buffer.from('id,year,note\n1,2025,"'));
    const piece = Buffer.alloc(1024 * 1024, "x,");
    const pushes = failureOf(() => {
      for (let count = 0; count < 10; count += 1) records.push(piece);
    });
    expect(pushes).toMatchObject({ kind: "changed" });
  });
});

describe("a zipped CSV body", () => {
  const zip = zipOf("table.csv", "id,year\n1,2024\n2,2025\n");

  test("only the wanted records of a zipped table are kept in memory, and can be read again", async () => {
    const format = { kind: "csv", unzippedBytesMax: 1_000 } as const;
    const selected = await selectRecords(zip, format, where);
    expect(selected).toBeInstanceOf(SelectedRecords);
    expect(selected).toMatchObject({ header: Buffer.from("id,year\n"), pieces: [Buffer.from("2,2025\n")] });
    const { header, rows } = decode(selected, format, { where });
    const whole = decode(zip, format, { where });
    expect({ header, rows: [...rows] }).toEqual({ header: whole.header, rows: [...whole.rows] });
    expect([...rows]).toEqual([{ id: "2", year: "2025" }]);
    expect(await selectRecords(zip, format, undefined)).toBe(zip);
    expect(await selectRecords(zip, { kind: "csv" }, where)).toBe(zip);
  });

  test.each([
    ["text that is not an archive", Buffer.from("id,year\n1,2025\n")],
    ["an archive that is cut off", zip.subarray(0, zip.length - 30)],
    ["an archive that unpacks to more than allowed", zipOf("table.csv", `id,year\n${"1,2025\n".repeat(1_000)}`)],
    ["damaged bytes", Buffer.from(zip.map((byte, at) => (at === 45 ? byte ^ 0xff : byte)))],
  ])("%s is reported as a changed document, whether it arrives whole or in pieces", async (_name, body) => {
    const format = { kind: "csv", unzippedBytesMax: 1_000 } as const;
    expect(failureOf(() => decode(body, format, { where }))).toMatchObject({ kind: "changed" });
    await expect(selectRecords(body, format, where)).rejects.toMatchObject({ kind: "changed" });
  });

  test("a zipped CSV body is unpacked and filtered", () => {
    const format = { kind: "csv", unzippedBytesMax: 1_000 } as const;
    expect(decode(zip, format).rows).toEqual([
      { id: "1", year: "2024" },
      { id: "2", year: "2025" },
    ]);
    expect(decode(zip, format, { where }).rows).toEqual([{ id: "2", year: "2025" }]);
  });

  test("a body that is too large when unpacked, or not an archive, is reported as a changed document", () => {
    const read = (bytes: Buffer, unzippedBytesMax: number) => () => decode(bytes, { kind: "csv", unzippedBytesMax });
    expect(failureOf(read(zip, 10)).kind).toBe("changed");
    expect(failureOf(read(Buffer.from("no archive"), 1_000)).kind).toBe("changed");
    expect(failureOf(read(Buffer.alloc(0), 1_000)).kind).toBe("empty");
  });
});
