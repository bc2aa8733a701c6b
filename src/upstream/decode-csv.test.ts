import { describe, expect, it } from "vitest";
import { decodeCsv } from "./decode-csv.js";

describe("decodeCsv", () => {
  it.each([
    ["a plain table", "a,b\n1,2\n", [{ a: "1", b: "2" }]],
    ["white space around cells and inside quotes", ' a , b \n 1 , " 2 "\n', [{ a: "1", b: "2" }]],
    ["quotes, delimiters and line breaks in quotes", 'a,b\n"x,""y""","1\n2"', [{ a: 'x,"y"', b: "1\n2" }]],
    ["a quote inside a cell", 'a,b\n5" pipe,2', [{ a: '5" pipe', b: "2" }]],
    [
      "mixed line endings and blank lines",
      "a,b\r\n1,2\n\n  \r\n3,4\r5,6",
      ["12", "34", "56"].map(([a, b]) => ({ a, b })),
    ],
    [
      "empty cells",
      "a,b\n,2\n1,",
      [
        { a: "", b: "2" },
        { a: "1", b: "" },
      ],
    ],
    ["a delimiter at the end of each row", "a,b\n1,2,\n", [{ a: "1", b: "2" }]],
  ])("reads %s", (_name, text, rows) => expect(decodeCsv(text)).toEqual({ header: ["a", "b"], rows }));

  it("another delimiter is accepted", () => {
    expect(decodeCsv("a\tb\n1\t2,3", "\t")).toEqual({ header: ["a", "b"], rows: [{ a: "1", b: "2,3" }] });
  });

  it("a header-only table has no rows", () => expect(decodeCsv("a,b\n")).toEqual({ header: ["a", "b"], rows: [] }));

  it("a row with too few cells lacks the last columns, and a row with too many is decoded as an empty row", () => {
    const { rows } = decodeCsv("a,b\n1,2\n3\n4,5,6\n7,8");
    expect(rows).toEqual([{ a: "1", b: "2" }, { a: "3" }, {}, { a: "7", b: "8" }]);
  });

  it("a table with a quoted cell that never ends is reported as a changed document", () => {
    expect(() => decodeCsv('a,b\n1,"2\n3,4')).toThrow("the CSV is cut off or malformed");
  });

  it("a column named __proto__ is an ordinary column", () => {
    const [row] = decodeCsv("__proto__,constructor\nx,y").rows;
    expect(Object.entries(row ?? {})).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]);
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
  });
});

it("if a table has no header, its columns get the names that the caller passes", () => {
  expect(decodeCsv('36,"A, B"\n173,C', ",", ["id", "name"])).toEqual({
    header: ["id", "name"],
    rows: [
      { id: "36", name: "A, B" },
      { id: "173", name: "C" },
    ],
  });
});
