import { describe, expect, test } from "vitest";
import { spanText, table } from "./text-table.js";

describe("table", () => {
  test("a table has columns aligned under their titles and no trailing spaces", () => {
    const rows = [
      ["us-cpi", "1", ""],
      ["us-treasury-yields", "12", "late"],
    ];
    expect(table(["dataset", "generation", "error"], rows).split("\n")).toEqual([
      "dataset             generation  error",
      "------------------  ----------  -----",
      "us-cpi              1",
      "us-treasury-yields  12          late",
    ]);
  });

  test("a table without rows is only the header", () => {
    expect(table(["a", "bc"], [])).toBe("a  bc\n-  --");
  });

  test("the last columns of a short row are empty", () => {
    expect(table(["a", "b"], [["1"]])).toBe("a  b\n-  -\n1");
  });
});

describe("spanText", () => {
  const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];
  test.each([
    [0, "0 s"],
    [-5_000, "0 s"],
    [499, "0 s"],
    [500, "1 s"],
    [119 * second, "119 s"],
    [119.5 * second, "2 min"],
    [2 * minute, "2 min"],
    [12 * minute + 29 * second, "12 min"],
    [12 * minute + 30 * second, "13 min"],
    [119 * minute, "119 min"],
    [2 * hour, "2 h"],
    [47 * hour, "47 h"],
    [2 * day, "2 d"],
    [400 * day, "400 d"],
  ])("a span of %d ms is shown as %s", (ms, text) => {
    expect(spanText(ms)).toBe(text);
  });
});
