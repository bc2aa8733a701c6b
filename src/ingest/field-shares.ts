import type { FieldShares, SourceRunReport, StoredPartStatus } from "../snapshots/provenance.js";

/** Weight of the latest run in the usual share, a moving average of the share of rows that lack a field. */
const NEWEST_WEIGHT = 0.2;
/** Increase from the usual share that counts as a jump. */
const JUMP = 0.25;
/** Minimum number of rows for comparing shares. */
const ROWS_MIN = 20;
/** Minimum number of rows if all of them lack the field. */
const ROWS_MIN_FOR_ALL = 5;

/** The result for one part of a dataset. */
export interface FieldsAfter {
  /** By source: for each field, the share of rows that lack it. */
  readonly fields: Readonly<Record<string, FieldShares>>;
  /** A warning for each jump of a share. */
  readonly warnings: readonly string[];
}

/**
 * For each optional field, compares the share of this run's rows that lack the field with the usual share in earlier
 * runs. Returns the new shares and the warnings.
 */
export function fieldsAfter(
  part: string,
  before: StoredPartStatus | undefined,
  reports: readonly SourceRunReport[],
): FieldsAfter {
  const fields: Record<string, FieldShares> = { ...before?.fields };
  const warnings: string[] = [];
  for (const [source, counts] of countsBySource(reports.filter((report) => report.part === part))) {
    const usual = before?.fields?.[source];
    const next = sharesAfter(usual, counts);
    if (usual) warnings.push(...jumps(source, usual, next));
    fields[source] = next;
  }
  return { fields, warnings };
}

interface Counts {
  rows: number;
  readonly rowsWithout: Record<string, number>;
}

/** Adds up the counts of all answers in a run, by source. */
function countsBySource(reports: readonly SourceRunReport[]): ReadonlyMap<string, Counts> {
  const bySource = new Map<string, Counts>();
  for (const { source, rowsRead, rowsBad, rowsWithout } of reports) {
    if (rowsWithout === undefined || rowsRead === null) continue;
    const counts = bySource.get(source) ?? { rows: 0, rowsWithout: {} };
    counts.rows += rowsRead - (rowsBad ?? 0);
    for (const [field, count] of Object.entries(rowsWithout)) {
      counts.rowsWithout[field] = (counts.rowsWithout[field] ?? 0) + count;
    }
    bySource.set(source, counts);
  }
  return bySource;
}

function sharesAfter(usual: FieldShares | undefined, { rows, rowsWithout }: Counts): FieldShares {
  if (rows === 0) return usual ?? { rows, share: {}, usual: {} };
  const share: Record<string, number> = {};
  const mean: Record<string, number> = {};
  for (const [field, count] of Object.entries(rowsWithout)) {
    const now = rounded(count / rows);
    const usualShare = usual?.usual[field];
    share[field] = now;
    mean[field] = usualShare === undefined ? now : rounded(usualShare + (now - usualShare) * NEWEST_WEIGHT);
  }
  return { rows, share, usual: mean };
}

function jumps(source: string, { usual }: FieldShares, { rows, share }: FieldShares): readonly string[] {
  return Object.entries(share).flatMap(([field, now]) => {
    const before = usual[field];
    const isEnough = rows >= (now === 1 ? ROWS_MIN_FOR_ALL : ROWS_MIN);
    if (before === undefined || !isEnough || now - before < JUMP) return [];
    return [`${source}: ${percent(now)} of ${rows} rows lack ${field}, usually ${percent(before)}`];
  });
}

function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}

function percent(share: number): string {
  return `${Math.round(share * 1_000) / 10} %`;
}
