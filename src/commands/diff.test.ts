import { describe, expect, test } from "vitest";
import { addDiff, diffText } from "./diff.js";
import { parsed } from "./testing/parsed.js";

const parse = (words: readonly string[]): Promise<unknown> =>
  parsed((root, called) => addDiff(root, called("diff")), ["diff", ...words]);

describe("vigil diff", () => {
  test.each([
    { words: ["us-cpi", "3", "9"], options: { rows: 50 } },
    {
      words: ["us-cpi", "3", "9", "--rows", "1000", "--json", "--demo"],
      options: { rows: 1_000, json: true, demo: true },
    },
  ])("vigil diff accepts the arguments $words", async ({ words, options }) => {
    expect(await parse(words)).toEqual([["diff", "us-cpi", { from: 3, to: 9 }, options]]);
  });

  test.each([
    { words: ["us-cpi", "3"], sentence: "missing required argument 'to'" },
    { words: ["us-cpi", "0", "3"], sentence: "a generation is a whole number of at least 1" },
    { words: ["us-cpi", "1", "last"], sentence: "a generation is a whole number of at least 1" },
    {
      words: ["us-cpi", "1", "2", "--rows", "1001"],
      sentence: "the number of rows must be a whole number from 1 to 1000",
    },
  ])("vigil diff refuses the arguments $words", async ({ words, sentence }) => {
    expect(await parse(words)).toContain(sentence);
  });
});

describe("the text of a diff", () => {
  const numbers = { from: 1, to: 2 };

  test("the text of a diff lists rows with their changed members, and counts the rows that are not listed", () => {
    const part = "curves";
    const text = diffText("us-treasury-yields", numbers, {
      counts: { curves: { added: 1, changed: 1, removed: 2 } },
      rows: [
        { part, kind: "added", key: "3", before: undefined, after: { date: 3, tenYear: 4.1 }, members: [] },
        {
          part,
          kind: "changed",
          key: "2",
          before: { date: 2, tenYear: 4 },
          after: { date: 2, tenYear: 4.2, twoYear: 3 },
          members: [
            { name: "tenYear", before: 4, after: 4.2 },
            { name: "twoYear", before: undefined, after: 3 },
          ],
        },
        { part, kind: "removed", key: "1", before: { date: 1 }, after: undefined, members: [] },
      ],
      hiddenRows: 1,
    });
    expect(text.split("\n")).toEqual([
      "us-treasury-yields, generation 1 to 2: curves +1 ~1 -2",
      "",
      "part    change   row  content",
      "------  -------  ---  -------------------------------------",
      'curves  added    3    {"date":3,"tenYear":4.1}',
      "curves  changed  2    tenYear 4 -> 4.2, twoYear (none) -> 3",
      'curves  removed  1    {"date":1}',
      "rows not listed: 1; --rows lists up to 1000",
    ]);
  });

  test("the text of a diff states that nothing differs", () => {
    expect(diffText("us-cpi", numbers, { counts: {}, rows: [], hiddenRows: 0 })).toBe(
      "us-cpi, generation 1 to 2: no rows differ",
    );
  });

  test("the text of a diff cuts long rows, and marks the cuts", () => {
    const after = { text: "x".repeat(5_000) };
    const row = { part: "a", kind: "added", key: "k".repeat(5_000), before: undefined, after, members: [] } as const;
    const counts = { a: { added: 1, changed: 0, removed: 0 } };
    const text = diffText("a", numbers, { counts, rows: [row], hiddenRows: 0 });
    expect(text.length).toBeLessThan(900);
    expect(text.split("\n").at(-1)).toMatch(/ k{59}… {2}\{"text":"x+…$/);
  });
});
