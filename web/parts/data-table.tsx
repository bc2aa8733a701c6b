import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { ScrollRegion } from "./scroll-region.js";

/** A column of a table. */
export interface Column<Row> {
  readonly id: string;
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** The sort key; a column without one cannot be sorted. */
  readonly sort?: (row: Row) => number | string;
  /** Numbers are right-aligned. */
  readonly isNumber?: boolean;
  /** True for times and the like, which stay on one line. */
  readonly isTight?: boolean;
}

interface DataTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  /** A short label on a row, such as "new" after a change. */
  readonly markOf?: (row: Row) => string | undefined;
  readonly onChoice?: (row: Row) => void;
  readonly chosen?: string | undefined;
  /** Called with the ids of the drawn rows, so that the page can read more data for their cells. */
  readonly onDrawn?: (ids: ReadonlySet<string>) => void;
}

/** The number of rows shown at first, and added by each press of the button. */
const ROWS_STEP = 100;

/** A table that can be sorted by its column headers. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, idOf, markOf, onChoice, chosen, onDrawn } = props;
  const [order, setOrder] = useState<{ readonly column: string; readonly isDown: boolean }>();
  const [shownMax, setShownMax] = useState(ROWS_STEP);
  const sorted = useMemo(() => {
    const sort = columns.find(({ id }) => id === order?.column)?.sort;
    if (!sort || !order) return rows;
    const sign = order.isDown ? -1 : 1;
    return [...rows].sort((a, b) => sign * compared(sort(a), sort(b)));
  }, [rows, columns, order]);
  const drawn = sorted.slice(0, shownMax);
  const drawnKey = onDrawn && drawn.map(idOf).join("\n");
  useEffect(() => onDrawn?.(new Set(drawn.map(idOf))), [drawnKey]);
  return (
    <ScrollRegion label={caption}>
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ id, name, sort, isNumber }) => (
              <th
                key={id}
                scope="col"
                class={isNumber ? "number" : undefined}
                aria-sort={order?.column !== id ? undefined : order.isDown ? "descending" : "ascending"}
              >
                {sort ? (
                  <button
                    type="button"
                    class="sort"
                    onClick={() => setOrder({ column: id, isDown: order?.column === id ? !order.isDown : true })}
                  >
                    {name}
                  </button>
                ) : (
                  name
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {drawn.map((row) => {
            const id = idOf(row);
            const mark = markOf?.(row);
            return (
              <tr key={id} class={[mark && "marked", chosen === id && "chosen"].filter(Boolean).join(" ") || undefined}>
                {columns.map(({ id: column, cell, isNumber, isTight }, at) => (
                  <td key={column} class={isNumber ? "number" : isTight ? "tight" : undefined}>
                    {at === 0 && onChoice ? (
                      <button type="button" class="link" onClick={() => onChoice(row)}>
                        {cell(row)}
                      </button>
                    ) : (
                      cell(row)
                    )}
                    {at === 0 && mark && <span class="change-mark">{mark}</span>}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      {rows.length > shownMax && (
        <button type="button" onClick={() => setShownMax(shownMax + ROWS_STEP)}>
          Show more ({rows.length - shownMax} left)
        </button>
      )}
    </ScrollRegion>
  );
}

function compared(a: number | string, b: number | string): number {
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
}
