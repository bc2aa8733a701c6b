import { markedCut } from "../../kit/cut-text.js";
import { oneLine } from "../../kit/one-line.js";
import { table } from "../../kit/text-table.js";

/** Maximum length of a cell. A longer text is cut and ends with "…". */
export const CELL_CHARACTERS = 60;

type Row = Readonly<Record<string, string>>;

/**
 * Formats an answer as a table. Each line is a row of the answer's list; the column of a nested member is named like
 * `a.b`. The list is the answer itself, the member that `rows` names, or the answer's only array. An answer without
 * such a list is shown member by member.
 */
export function answerTable(data: unknown, rows: string | undefined): string {
  const list = listIn(data, rows);
  if (list === undefined) {
    const members = Object.entries(flatRow(data)).map(([name, value]) => [name, value]);
    return table(["member", "value"], members);
  }
  const flat = list.map((row) => flatRow(row));
  const columns = [...new Set(flat.flatMap((row) => Object.keys(row)))];
  return columns.length === 0
    ? "no rows"
    : table(
        columns,
        flat.map((row) => columns.map((column) => row[column] ?? "")),
      );
}

function listIn(data: unknown, rows: string | undefined): readonly unknown[] | undefined {
  if (Array.isArray(data)) return data;
  if (typeof data !== "object" || data === null) return undefined;
  const members = data as Readonly<Record<string, unknown>>;
  if (rows !== undefined && Array.isArray(members[rows])) return members[rows];
  const lists = Object.values(members).filter((member) => Array.isArray(member));
  return lists.length === 1 ? lists[0] : undefined;
}

/**
 * Flattens a row into cell texts. A nested object has one cell for each of its members; an array is shown as JSON in
 * one cell.
 */
function flatRow(row: unknown, prefix = ""): Row {
  if (typeof row !== "object" || row === null || Array.isArray(row)) return { [prefix || "value"]: cellOf(row) };
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      Object.entries(flatRow(value, prefix === "" ? name : `${prefix}.${name}`)),
    ),
  );
}

/**
 * Formats a value as one line without control characters. Strings from upstreams may contain control characters, which
 * a terminal would interpret.
 */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return markedCut(oneLine(typeof value === "string" ? value : JSON.stringify(value)), CELL_CHARACTERS);
}
