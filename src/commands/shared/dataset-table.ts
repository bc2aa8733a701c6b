import { spanText, table } from "../../kit/text-table.js";

/** A row of the table of datasets: a subset of a dataset's card. */
export interface DatasetRow {
  readonly name: string;
  readonly state: string;
  readonly generation: number | null;
  readonly records: number;
  readonly checkedAt: number | null;
  readonly newestAt: number | null;
  readonly error: string | null;
}

/**
 * Formats datasets as a table with their state, the time since their last check, the time of their newest data and
 * their last error.
 */
export function datasetTable(rows: readonly DatasetRow[], now: number): string {
  const age = (at: number | null): string => (at === null ? "never" : spanText(now - at));
  return table(
    ["dataset", "state", "generation", "records", "checked", "newest", "error"],
    rows.map((row) => [
      row.name,
      row.state,
      row.generation === null ? "-" : String(row.generation),
      String(row.records),
      age(row.checkedAt),
      row.newestAt === null ? "-" : new Date(row.newestAt).toISOString().slice(0, 10),
      row.error ?? "",
    ]),
  );
}
