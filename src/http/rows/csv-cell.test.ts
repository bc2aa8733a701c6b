import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { csvCell } from "./csv-cell.js";

test.each([
  ["plain", "plain"],
  ["", '""'],
  [undefined, ""],
  [null, ""],
  [0, "0"],
  [-12.5, "-12.5"],
  [1e-7, "1e-7"],
  [true, "true"],
  ["a,b", '"a,b"'],
  ['say "no"', '"say ""no"""'],
  ["two\nlines", '"two\nlines"'],
  ["Ångström 日本 🚢", "Ångström 日本 🚢"],
  [["a", 1, null], '"[""a"",1,null]"'],
  [{ a: 1 }, '"{""a"":1}"'],
  [[], "[]"],
])("%j is written as the cell %s", (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});

test.each([
  "=1+1",
  "+SUM(A1)",
  "-cmd|' /C calc'!A0",
  "@SUM(1)",
  "\t=1",
  "\r=1",
  "\n=1",
  "＝1+1",
  "＋1+1",
  "－1-",
  "＠a",
])("%j cannot be taken for a formula", (text) => {
  const [[cell = ""] = []] = parse(csvCell(text)) as string[][];
  expect(cell).toBe(`'${text}`);
});

test.each(["-5", "+44", "-0.25", "-1e5", "+1.5E-3"])("%s is a number and gets no guard (')", (text) => {
  expect(csvCell(text)).toBe(text);
});

test("a string that begins with a guard (') and a formula character gets another guard", () => {
  expect(csvCell("'=1")).toBe("''=1");
  expect(csvCell("''-x")).toBe("'''-x");
  expect(csvCell("'tis the season")).toBe("'tis the season");
});

/** Removes the guard, as docs/formats.md describes. */
const unguarded = (cell: string): string => (/^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell);

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom("=", "+", "-", "@", "\t", "\r", "\n", "'", '"', ",", ";", "1", ".", "e", "\\", "\u0000", "\uFEFF"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  ),
  minLength: 1,
});

test("any text survives a CSV parser, does not start a formula, and equals the original once its guard is removed", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const [row = []] = parse(`first,${csvCell(text)},last\r\n`) as string[][];
      expect(row).toHaveLength(3);
      const cell = String(row[1]);
      expect(/^[=+\-@\t\r\n]/.test(cell) && Number.isNaN(Number(cell))).toBe(false);
      expect(unguarded(cell)).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});
