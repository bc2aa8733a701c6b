import { useMemo } from "preact/hooks";
import { numberText } from "../../format.js";
import { type Column, DataTable } from "../../parts/data-table.js";
import { type Plot, placeName } from "./plot.js";
import { type TableRow, tableRows } from "./plot-changes.js";

interface PlotTableProps {
  readonly plot: Plot;
  readonly plotNow: Plot | undefined;
}

const X_NAMES = { month: "Month", day: "Day", tenor: "Tenor" } as const;

/** The values of the plot as a table, with their changes since the instant shown. */
export function PlotTable({ plot, plotNow }: PlotTableProps) {
  const rows = useMemo(() => tableRows(plot, plotNow), [plot, plotNow]);
  const columns = useMemo(() => columnsOf(plot), [plot]);
  const changed = rows.filter(({ change }) => change !== undefined);
  const count = (kind: TableRow["change"]): number => changed.filter(({ change }) => change === kind).length;
  return (
    <>
      {plotNow && (
        <p class="notice" role="status">
          {changed.length === 0
            ? "None of these values has changed since the instant shown."
            : `Since the instant shown: ${count("changed since")} changed, ${count("new since")} new, ${count("gone since")} gone. The table marks them.`}
        </p>
      )}
      <details open={changed.length > 0}>
        <summary>
          Values ({plot.xs.length}), {plot.unit}
        </summary>
        <DataTable
          caption={`${plot.title}, ${plot.unit}`}
          columns={columns}
          rows={changed.length > 0 ? [...changed, ...rows.filter(({ change }) => change === undefined)] : rows}
          idOf={({ x }) => String(x)}
          markOf={({ change }) => change}
        />
      </details>
    </>
  );
}

function columnsOf(plot: Plot): readonly Column<TableRow>[] {
  return [
    { id: "x", name: X_NAMES[plot.step], cell: ({ x }) => placeName(plot, x), sort: ({ x }) => x },
    ...plot.lines.map(
      ({ id, name }, at): Column<TableRow> => ({
        id,
        name,
        isNumber: true,
        sort: ({ values }) => values[at] ?? Number.NEGATIVE_INFINITY,
        cell: ({ values, valuesNow }) => {
          const value = values[at] ?? null;
          const now = valuesNow && (valuesNow[at] ?? null);
          return (
            <>
              <Value value={value} digits={plot.digits} />
              {now !== undefined && now !== value && (
                <span class="now">
                  {" "}
                  now <Value value={now} digits={plot.digits} />
                </span>
              )}
            </>
          );
        },
      }),
    ),
  ];
}

function Value({ value, digits }: { readonly value: number | null; readonly digits: number }) {
  return value === null ? <span class="quiet">no value</span> : <span>{numberText(value, digits)}</span>;
}
