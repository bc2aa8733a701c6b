import { CsvError, parse } from "csv-parse/browser/esm/sync";
import type { FileLine } from "./company-file.js";

/* The CSV reader, in a chunk that is loaded when the first file is read. */

const options = {
  bom: true,
  info: true,
  // Rows may have different numbers of cells. A quote inside a cell is an ordinary character.
  relax_column_count: true,
  relax_quotes: true,
  record_delimiter: ["\r\n", "\n", "\r"],
};

/** Parses a CSV text, and returns the lines that are not blank. Throws an error with a user-readable message. */
export function csvLines(text: string): readonly FileLine[] {
  try {
    // With `info`, each row comes with the position of its end, which the library's types omit.
    const rows = parse(text, options) as unknown as readonly { info: { lines: number }; record: string[] }[];
    return rows
      .map(({ info, record }) => ({ line: info.lines, cells: record }))
      .filter(({ cells: [first = "", ...others] }) => others.length > 0 || first.trim() !== "");
  } catch (error) {
    if (!(error instanceof CsvError) || error.code !== "CSV_QUOTE_NOT_CLOSED") throw error;
    throw new Error(`Line ${error["lines"]} has a quoted cell without an end.`);
  }
}
