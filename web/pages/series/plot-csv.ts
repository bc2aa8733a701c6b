import { type Plot, placeName, rowsOf } from "./plot.js";

const X_NAMES = { month: "month", day: "date", tenor: "tenor" } as const;

/**
 * A plot as CSV: comment lines with `#` that describe the numbers and their source, a header, and the numbers as the
 * API has them. A missing value is an empty cell.
 */
export function plotCsv(plot: Plot, facts: readonly string[]): string {
  const head = [X_NAMES[plot.step], ...plot.lines.map(({ name }) => `${name} (${plot.unit})`)];
  const rows = rowsOf(plot).map(({ x, values }) => [placeName(plot, x), ...values.map((value) => value ?? "")]);
  const comments = [plot.title, ...facts].map((fact) => `# ${fact.replaceAll(/\s+/g, " ")}`);
  return [...comments, ...[head, ...rows].map((row) => row.map(cell).join(","))].map((line) => `${line}\r\n`).join("");
}

function cell(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
