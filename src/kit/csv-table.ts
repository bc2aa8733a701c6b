import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** Parses one cell. If it is invalid, throws an error whose message ends the sentence "the column must be …". */
export type Column<T> = (cell: string) => T;

type Columns = Readonly<Record<string, Column<unknown>>>;
type RowOf<C extends Columns> = { readonly [K in keyof C]: ReturnType<C[K]> };

/** Parses a non-empty string. */
export function textCell(cell: string): string {
  if (cell !== "") return cell;
  throw new Error("a non-empty string");
}

/** Parses a string; an empty cell is the empty string. */
export function anyTextCell(cell: string): string {
  return cell;
}

/** Parses a string that matches a pattern; `description` ends the error sentence. */
export function textLike(pattern: RegExp, description: string): Column<string> {
  return (cell) => {
    if (pattern.test(cell)) return cell;
    throw new Error(description);
  };
}

/** Parses a name that must be one of several. */
export function oneOf<const Name extends string>(names: readonly Name[]): Column<Name> {
  return (cell) => {
    const name = names.find((candidate) => candidate === cell);
    if (name !== undefined) return name;
    throw new Error(`one of ${names.join(", ")}`);
  };
}

/** Parses a decimal number within bounds. */
export function numberCell(min: number, max: number): Column<number> {
  return (cell) => {
    const number = /^-?\d+(?:\.\d+)?$/.test(cell) ? Number(cell) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new Error(`a number from ${min} to ${max}`);
  };
}

/** Parses a code that has the form of ISO 3166-1 alpha-2. */
export const countryCell = textLike(/^[A-Z]{2}$/, "an ISO 3166-1 alpha-2 code");
export const latitudeCell = numberCell(-90, 90);
export const longitudeCell = numberCell(-180, 180);

/**
 * Reads the rows of a CSV file whose first line names exactly these columns. Cells with a comma are in double quotes; a
 * line that begins with `#` is a comment. Throws an error that names the file, the line and the column of the first
 * invalid cell.
 */
export function readCsv<const C extends Columns>(file: URL, columns: C): readonly RowOf<C>[] {
  return rowsIn(readFileSync(file, "utf8"), basename(file.pathname), columns);
}

/** Reads the rows of CSV text; `name` identifies the text in errors. */
export function rowsIn<const C extends Columns>(text: string, name: string, columns: C): readonly RowOf<C>[] {
  const names = Object.keys(columns);
  const lines = text.split("\n").map((line, index) => ({ line, number: index + 1 }));
  const [header, ...rows] = lines.filter(({ line }) => line !== "" && !line.startsWith("#"));
  if (header?.line !== names.join(",")) throw new Error(`${name}: the first line must be ${names.join(",")}`);
  return rows.map(({ line, number }) => {
    const place = `${name}, line ${number}`;
    const cells = cellsOf(line, place);
    if (cells.length !== names.length) throw new Error(`${place}: expected ${names.length} cells, got ${cells.length}`);
    const members = Object.entries(columns).map(([column, read], index) => {
      const cell = cells[index] ?? "";
      try {
        return [column, read(cell)];
      } catch (error) {
        throw new Error(`${place}: ${column} must be ${(error as Error).message}, got "${cell}"`);
      }
    });
    // The cast is needed, because Object.fromEntries loses the types of the columns.
    return Object.fromEntries(members) as RowOf<C>;
  });
}

/** Splits one line into cells. A quoted cell may contain commas, and writes a double quote as two. */
function cellsOf(line: string, place: string): readonly string[] {
  if (!line.includes('"')) return line.split(",");
  const cells: string[] = [];
  for (let at = 0; at <= line.length; at += 1) {
    if (line[at] !== '"') {
      const end = line.indexOf(",", at);
      cells.push(line.slice(at, end < 0 ? line.length : end));
      at = end < 0 ? line.length : end;
      continue;
    }
    let cell = "";
    for (at += 1; ; at += 2) {
      const quote = line.indexOf('"', at);
      if (quote < 0) throw new Error(`${place}: a quoted cell has no end`);
      cell += line.slice(at, quote);
      at = quote;
      if (line[at + 1] !== '"') break;
      cell += '"';
    }
    cells.push(cell);
    at += 1;
    if (at < line.length && line[at] !== ",") throw new Error(`${place}: a comma must follow a quoted cell`);
  }
  return cells;
}
