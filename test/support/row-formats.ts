import { isDeepStrictEqual } from "node:util";
import { parse } from "csv-parse/sync";
import { expect } from "vitest";
import type { Answer } from "../../src/http/exchange.js";

/** A parsed table: the names of its columns, and a cell for each column of each row; undefined for an absent value. */
export interface ParsedTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | undefined)[])[];
}

/** Reads a table with csv-parse. */
export function tableIn({ body }: Pick<Answer, "body">): ParsedTable {
  const text = String(body);
  // A cell is absent if it is empty and has no quotes. Only a `cast` can see the quotes. It is slow, so it is used only
  // if the table may have a cell of empty quotes.
  const hasEmptyQuotes = /(?:^|[,\n])""(?:[,\r]|$)/.test(text);
  const cast = (cell: string, { quoting }: { readonly quoting: boolean }) =>
    cell === "" && !quoting ? undefined : cell;
  const [columns = [], ...rows] = parse(text, {
    record_delimiter: "\r\n",
    ...(hasEmptyQuotes && { cast }),
  }) as (string | undefined)[][];
  if (hasEmptyQuotes) return { columns: columns.map(String), rows };
  return { columns: columns.map(String), rows: rows.map((row) => row.map((cell) => cell || undefined)) };
}

/** The JSON values of an answer with one value per line. */
export function linesIn({ body }: Pick<Answer, "body">): readonly unknown[] {
  const text = String(body);
  expect(text === "" || text.endsWith("\n")).toBe(true);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
}

/** Requires that a table has exactly these rows. */
export function expectRows({ columns, rows }: ParsedTable, expected: readonly unknown[]): void {
  expect(new Set(columns).size).toBe(columns.length);
  expect(rows).toHaveLength(expected.length);
  const leaves = expected.map((row) => Object.fromEntries(leavesOf(row, "")));
  const cells = rows.map((row, index) =>
    Object.fromEntries(
      columns.flatMap((name, at) => {
        const cell = row[at];
        return cell === undefined ? [] : [[name, valueLike(cell, leaves[index]?.[name])]];
      }),
    ),
  );
  expectSame(cells, leaves);
}

/** Requires that two lists of rows are equal. `toEqual` is slow for many rows, so it runs only if the lists differ. */
export function expectSame(rows: readonly unknown[], expected: readonly unknown[]): void {
  if (!isDeepStrictEqual(rows, expected)) expect(rows).toEqual(expected);
}

/** The leaves of a value by path. An array counts as one leaf; absent values and null are left out. */
function* leavesOf(value: unknown, path: string): Generator<readonly [path: string, value: unknown]> {
  if (value === null || value === undefined) return;
  if (typeof value !== "object" || Array.isArray(value)) yield [path, value];
  else
    for (const [name, member] of Object.entries(value)) yield* leavesOf(member, path === "" ? name : `${path}.${name}`);
}

/**
 * Converts a cell to a value of the same type as `like`. Removes the apostrophe that the service writes before a string
 * that a spreadsheet would take for a formula.
 */
function valueLike(cell: string, like: unknown): unknown {
  if (typeof like === "string") return /^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell;
  return like === undefined ? cell : JSON.parse(cell);
}
