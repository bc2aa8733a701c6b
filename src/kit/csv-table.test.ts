import { describe, expect, test } from "vitest";
import { anyTextCell, countryCell, latitudeCell, numberCell, oneOf, rowsIn, textCell } from "./csv-table.js";

const columns = { name: textCell, country: countryCell, latitude: latitudeCell, note: anyTextCell };
const HEADER = "name,country,latitude,note";

const read = (...lines: readonly string[]) => rowsIn([HEADER, ...lines, ""].join("\n"), "places.csv", columns);

describe("a CSV table", () => {
  test("a CSV table has a typed row for each line", () => {
    expect(read("Oslo,NO,59.9,", "Quito,EC,-0.2,high")).toEqual([
      { name: "Oslo", country: "NO", latitude: 59.9, note: "" },
      { name: "Quito", country: "EC", latitude: -0.2, note: "high" },
    ]);
  });

  test("comments and empty lines of a CSV table are skipped", () => {
    expect(read("# Europe", "", "Oslo,NO,59.9,")).toHaveLength(1);
  });

  test.each([
    ['"a,b",NO,1,', "a,b", ""],
    ['a,NO,1,"b,c"', "a", "b,c"],
    ['"say ""a""",NO,1,""', 'say "a"', ""],
    ['"",NO,1,x', undefined, undefined],
  ])("the quoted cells of %s are read, and an empty name is refused", (line, name, note) => {
    if (name === undefined) expect(() => read(line)).toThrow("name must be a non-empty string");
    else expect(read(line)).toMatchObject([{ name, note }]);
  });

  test.each([
    ["Oslo,NO,59.9", "places.csv, line 2: expected 4 cells, got 3"],
    ["Oslo,NO,59.9,,", "places.csv, line 2: expected 4 cells, got 5"],
    ["Oslo,no,59.9,", 'places.csv, line 2: country must be an ISO 3166-1 alpha-2 code, got "no"'],
    ["Oslo,NO,north,", 'places.csv, line 2: latitude must be a number from -90 to 90, got "north"'],
    ["Oslo,NO,,", 'places.csv, line 2: latitude must be a number from -90 to 90, got ""'],
    ["Oslo,NO,90.1,", 'places.csv, line 2: latitude must be a number from -90 to 90, got "90.1"'],
    ['"Oslo,NO,59.9,', "places.csv, line 2: a quoted cell has no end"],
    ['"Oslo"x,NO,59.9,', "places.csv, line 2: a comma must follow a quoted cell"],
  ])("the line %s is refused with an error that names the file and the line number", (line, sentence) => {
    expect(() => read(line)).toThrow(new Error(sentence));
  });

  test("line numbers count comment lines", () => {
    expect(() => read("# Europe", "Oslo,NO,x,")).toThrow("line 3");
  });

  test("a CSV table with columns other than the declared ones is refused", () => {
    expect(() => rowsIn("name,country\n", "places.csv", columns)).toThrow(
      "places.csv: the first line must be name,country,latitude,note",
    );
  });
});

test("oneOf refuses a name outside the choice and lists the valid names", () => {
  expect(oneOf(["a", "b"])("b")).toBe("b");
  expect(() => oneOf(["a", "b"])("c")).toThrow("one of a, b");
});

test.each(["1e3", " 1", "1.", ".5", "0x1", "NaN"])("numberCell refuses %j", (cell) => {
  expect(() => numberCell(0, 10_000)(cell)).toThrow("a number from 0 to 10000");
});
