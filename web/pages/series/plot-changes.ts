import { type RowChange, rowChanges } from "../../reads/row-changes.js";
import { type Plot, type PlotRow, rowsOf } from "./plot.js";

/** A row of the table of a plot: its values at the instant shown, and the current ones if they differ. */
export interface TableRow extends PlotRow {
  readonly valuesNow?: readonly (number | null)[];
  readonly change?: RowChange | "new since";
}

/**
 * Returns the rows of `plot` with their changes, and the rows that only `plotNow` has. Times are sorted newest first,
 * and the tenors of a curve shortest first.
 */
export function tableRows(plot: Plot, plotNow: Plot | undefined): readonly TableRow[] {
  const rows = rowsOf(plot);
  const inOrder = (a: PlotRow, b: PlotRow): number => (plot.step === "tenor" ? a.x - b.x : b.x - a.x);
  if (!plotNow) return rows.toSorted(inOrder);
  const rowsNow = rowsOf(plotNow);
  const byX = new Map(rowsNow.map((row) => [row.x, row.values]));
  const { marks, added } = rowChanges(rows, rowsNow, ({ x }) => String(x));
  const shown = rows.map((row): TableRow => {
    const change = marks.get(String(row.x));
    const valuesNow = byX.get(row.x);
    return change ? { ...row, change, ...(valuesNow && { valuesNow }) } : row;
  });
  return [...shown, ...added.map((row): TableRow => ({ ...row, change: "new since" }))].toSorted(inOrder);
}
