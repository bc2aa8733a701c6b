import type { RowLocation } from "../../contract/row-list.js";
import type { Column } from "../../http/rows/csv-columns.js";
import { collectionEnds, csvHeader, csvLine, featureText, jsonText } from "../../http/rows/row-texts.js";
import type { ExportedRow } from "./exported-rows.js";

/** The pieces of text that make up a file: header, rows and footer. */
export interface RowTexts {
  readonly head: string;
  /** Returns the text of a row; `index` is the position of the row in the export. */
  row(row: ExportedRow, index: number): string;
  readonly tail: string;
}

export function csvTexts(columns: readonly Column[]): RowTexts {
  return { head: csvHeader(columns), row: ({ row }) => csvLine(row, columns), tail: "" };
}

export const ndjsonTexts: RowTexts = { head: "", row: ({ row }) => `${jsonText(row)}\n`, tail: "" };

/**
 * A GeoJSON collection of points with additional top-level `members`. `idOf` returns the id of a row; the id stays the
 * same across generations.
 */
export function geojsonTexts(
  location: RowLocation,
  idOf: (row: ExportedRow) => string,
  members: Readonly<Record<string, unknown>>,
): RowTexts {
  return {
    ...collectionEnds(members),
    row: (row, index) => `${index === 0 ? "" : ",\n"}${featureText(row.row, idOf(row), location)}`,
  };
}
