import { useMemo } from "preact/hooks";
import { type Column, DataTable } from "../../parts/data-table.js";
import { rowsIn } from "./rows-in.js";

const COLUMNS_MAX = 20;

interface NumberedRow {
  readonly at: number;
  readonly row: Readonly<Record<string, unknown>>;
}

/** The longest list of an answer, as a table. */
export function AnswerTable({ value }: { readonly value: unknown }) {
  const list = useMemo(() => rowsIn(value), [value]);
  const rows = useMemo<readonly NumberedRow[]>(() => (list?.rows ?? []).map((row, at) => ({ at, row })), [list]);
  if (!list) return <p class="notice empty">The answer has no list of rows.</p>;
  const names = [...new Set(list.rows.slice(0, 100).flatMap((row) => Object.keys(row)))].slice(0, COLUMNS_MAX);
  const columns: readonly Column<NumberedRow>[] = names.map((name) => ({
    id: name,
    name,
    isNumber: list.rows.every((row) => row[name] === undefined || typeof row[name] === "number"),
    cell: ({ row }) => cellText(row[name]),
    sort: ({ row }) => sortValue(row[name]),
  }));
  return (
    <DataTable
      caption={`Rows of ${list.name || "the answer"}`}
      columns={columns}
      rows={rows}
      idOf={({ at }) => String(at)}
    />
  );
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function sortValue(value: unknown): number | string {
  return typeof value === "number" ? value : cellText(value);
}
