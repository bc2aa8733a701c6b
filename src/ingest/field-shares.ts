import type { FieldShares, SourceRunReport, StoredPartStatus } from "../snapshots/provenance.js";

/** Weight of the newest run in what is usual. */
const NEWEST_WEIGHT = 0.2;
/** A share that grew by so much is a jump. */
const JUMP = 0.25;
/** Fewer rows tell nothing of shares. */
const ROWS_MIN = 20;
/** If no row has a field that most rows had, fewer rows suffice for a warning. */
const ROWS_MIN_FOR_ALL = 5;

/** A part's shares after a run, by source, and the warnings of those that jumped. */
export interface FieldsAfter {
  readonly fields: Readonly<Record<string, FieldShares>>;
  readonly warnings: readonly string[];
}

/** The shares of rows without each optional field after a run, compared with the runs before it. */
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

/** All answers of a run together. */
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
    const known = usual?.usual[field];
    share[field] = now;
    mean[field] = known === undefined ? now : rounded(known + (now - known) * NEWEST_WEIGHT);
  }
  return { rows, share, usual: mean };
}

function jumps(source: string, { usual }: FieldShares, { rows, share }: FieldShares): readonly string[] {
  return Object.entries(share).flatMap(([field, now]) => {
    const before = usual[field];
    const isEnough = rows >= (now === 1 ? ROWS_MIN_FOR_ALL : ROWS_MIN);
    if (before === undefined || !isEnough || now - before < JUMP) return [];
    return [`${source}: ${percent(now)} of ${rows} rows are without ${field}, usually ${percent(before)}`];
  });
}

function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}

function percent(share: number): string {
  return `${Math.round(share * 1_000) / 10} %`;
}
