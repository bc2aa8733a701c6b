import type { CompanyReading, PageBounds } from "./company-reading.js";
import type { Boundary, Surface } from "./cursor-claims.js";
import { type CompanyCursors, CURSOR_MS_MAX } from "./cursors.js";
import { type Filters, filterHash } from "./filter-hash.js";

/** The request for a page of a list. */
export interface PageRequest {
  readonly surface: Surface;
  readonly filters: Filters;
  /** Empty for the first page. */
  readonly cursor: string;
  readonly pageSize: number;
}

/** A page with the boundary that all pages of its list share. */
export interface BoundaryPage<Row> {
  readonly rows: readonly Row[];
  /** Empty on the last page. */
  readonly nextCursor: string;
  readonly snapshot: {
    readonly snapshotAsOf: string;
    readonly snapshotGeneration: string;
    readonly pollCursor: string;
  };
}

/**
 * The use for which poll cursors are valid. With the poll cursor of a list, a client polls the change log for the
 * changes since the list's snapshot.
 */
export const pollUse = { surface: "list-company-event-changes", filterHash: filterHash({}) } as const;

/**
 * Reads one page of a list at the boundary of the list's first page. Cursors of the list expire a day after that
 * boundary, because rows that were replaced after the boundary are kept for only 25 hours. Throws the 400 for a refused
 * cursor.
 */
export async function pageAtBoundary<Row>(
  request: PageRequest,
  { reading, cursors }: { readonly reading: CompanyReading; readonly cursors: CompanyCursors },
  rowsOf: (bounds: PageBounds) => Promise<readonly Row[]>,
  idOf: (row: Row) => string,
): Promise<BoundaryPage<Row>> {
  const { surface, filters, cursor, pageSize } = request;
  const use = { surface, filterHash: filterHash(filters) };
  const start = cursor === "" ? await reading.boundary() : await cursors.open(cursor, use);
  if (cursor !== "" && !(await reading.isListable(start))) throw cursors.refusal("gone");
  // One extra row shows whether another page follows.
  const rowsAndNext = await rowsOf({ ...start, rowsMax: pageSize + 1 });
  const rows = rowsAndNext.slice(0, pageSize);
  const last = rowsAndNext.length > pageSize ? rows.at(-1) : undefined;
  const boundary = boundaryOf(start);
  const expiresAt = boundary.snapshotAsOf + CURSOR_MS_MAX;
  return {
    rows,
    nextCursor: last === undefined ? "" : await cursors.sign(use, { ...boundary, after: idOf(last) }, expiresAt),
    snapshot: {
      snapshotAsOf: new Date(boundary.snapshotAsOf).toISOString(),
      snapshotGeneration: String(boundary.snapshotGeneration),
      pollCursor: await cursors.sign(pollUse, boundary),
    },
  };
}

function boundaryOf({ snapshotGeneration, snapshotAsOf, watermark }: Boundary): Boundary {
  return { snapshotGeneration, snapshotAsOf, watermark };
}
