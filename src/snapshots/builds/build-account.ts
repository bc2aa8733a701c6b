import type { CountedRows, CountingTally, LeftOutRows } from "../../contract/row-tally.js";

/**
 * Counts of the rows of one part at each stage of a build, from reading the upstreams to storing the records. In a
 * complete account, `earlier` + `read` + the made rows equal the left-out rows + the joined rows + `stored`.
 */
export interface PartAccount {
  /** Number of stored records of earlier runs that were considered again. */
  readonly earlier: number;
  /** Number of rows in the answers of the upstreams, or in the ingredients of a product. */
  readonly read: number;
  /** Rows without an upstream row of their own, such as the second half of an upstream row that is split. */
  readonly made: readonly CountedRows[];
  readonly leftOut: readonly LeftOutRows[];
  /** Rows that were merged into other rows or into a sum. */
  readonly joined: readonly CountedRows[];
  readonly stored: number;
}

/** The account of each part of a collection. A product has one account, `WHOLE`, for all its parts. */
export type BuildAccount = Readonly<Record<string, PartAccount>>;

/** The key of the account of a product. */
export const WHOLE = "whole";

/** Returns the account of records from earlier runs that are kept unchanged. */
export function accountOfKept(records: readonly unknown[]): PartAccount {
  return { earlier: records.length, read: 0, made: [], leftOut: [], joined: [], stored: records.length };
}

/** Returns the account with the counts of a tally. */
export function accountOf(
  { madeRows, leftOutRows, joinedRows }: CountingTally,
  counts: Pick<PartAccount, "earlier" | "read" | "stored">,
): PartAccount {
  return { ...counts, made: madeRows, leftOut: leftOutRows, joined: joinedRows };
}

/** Returns the number of rows that are neither stored nor accounted for; 0 in a complete account. */
export function unaccountedRows({ earlier, read, made, leftOut, joined, stored }: PartAccount): number {
  return earlier + read + totalOf(made) - totalOf(leftOut) - totalOf(joined) - stored;
}

export function totalOf(rows: readonly CountedRows[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}
