import { CsvError, parse } from "csv-parse/sync";
import { SourceFailure } from "../contract/source.js";

const options = {
  relax_column_count: true,
  relax_quotes: true,
  // Set explicitly: the parser's guess from the first line would join all lines of a file with mixed line endings.
  record_delimiter: ["\r\n", "\n", "\r"],
  skip_records_with_empty_values: true,
  trim: true,
};

type CsvRow = Readonly<Record<string, string>>;

/** A decoded table with all its rows. It has the form of `CsvTable` in `contract/format.ts`. */
interface WholeTable {
  readonly header: readonly string[];
  readonly rows: readonly CsvRow[];
}

/**
 * Decodes a CSV table: the first line or `columns` names the columns, cells are trimmed, and blank lines are dropped. A
 * row with too few cells is returned without the last columns. A row with too many cells is returned empty, unless the
 * extra cells are blank. The caller can then count one bad row instead of losing the whole file. Throws `SourceFailure`
 * "changed" when a quoted cell never ends.
 */
export function decodeCsv(text: string, delimiter = ",", columns?: readonly string[]): WholeTable {
  const all = linesOf(text, delimiter);
  const [names = [], ...lines] = columns === undefined ? all : [columns, ...all];
  const header = names.map((name) => name.trim());
  return { header, rows: lines.map((cells) => rowOf(header, cells)) };
}

function linesOf(text: string, delimiter: string): readonly (readonly string[])[] {
  const { stackTraceLimit } = Error;
  // The parser creates an error for each row that has more or fewer cells than the first row, although it accepts such
  // rows. Without stack traces, a table full of such rows is parsed in half the time.
  Error.stackTraceLimit = 0;
  try {
    return parse(text, { ...options, delimiter });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const reason = error.message.slice(0, 100);
    throw new SourceFailure("changed", `the CSV is cut off or malformed (${reason}); expected a whole table`);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Cells become own properties, so that a column called __proto__ is an ordinary column. */
function rowOf(header: readonly string[], cells: readonly string[]): CsvRow {
  // A line that ends with a delimiter has one extra empty cell.
  const isTooLong = cells.slice(header.length).some((cell) => cell !== "");
  if (isTooLong) return {};
  // Trimmed again, because the parser does not trim quoted cells.
  return Object.fromEntries(cells.slice(0, header.length).map((cell, column) => [header[column], cell.trim()]));
}
