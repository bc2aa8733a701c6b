/** The numbers of a run. `wrong` has a sentence for each of the first faults; `wrongCount` counts all faults. */
export interface Report {
  readonly counts: Record<string, number>;
  readonly wrong: string[];
  wrongCount: number;
  /** Number of reads from nodes whose process ran throughout, from the request to the answer. */
  reads: number;
  failedReads: number;
  readonly failures: Map<string, number>;
}

const KEPT_MAX = 30;
const FAILURES_MAX = 50;

export function newReport(): Report {
  return { counts: {}, wrong: [], wrongCount: 0, reads: 0, failedReads: 0, failures: new Map() };
}

export function count(report: Report, name: string, by = 1): void {
  report.counts[name] = (report.counts[name] ?? 0) + by;
}

export function noteWrong(report: Report, sentence: string): void {
  report.wrongCount += 1;
  if (report.wrong.length < KEPT_MAX) report.wrong.push(sentence.slice(0, 1_000));
}

/** Counts a read from a node that ran from the request to the answer. `failure` states why the read failed. */
export function countRead(report: Report, failure: string | undefined): void {
  report.reads += 1;
  if (failure === undefined) return;
  report.failedReads += 1;
  const kind = report.failures.size < FAILURES_MAX ? failure.slice(0, 200) : "others";
  report.failures.set(kind, (report.failures.get(kind) ?? 0) + 1);
}

/** Returns the share of the counted reads that succeeded. */
export function availability({ reads, failedReads }: Report): number {
  return reads === 0 ? 0 : 1 - failedReads / reads;
}

/** The report as human-readable lines. */
export function lines(report: Report): readonly string[] {
  return [
    `${report.reads} reads of living nodes, ${report.failedReads} failed: availability ${(availability(report) * 100).toFixed(3)} %`,
    ...[...report.failures].map(([failure, times]) => `  ${times} × ${failure}`),
    Object.entries(report.counts)
      .map(([name, times]) => `${name} ${times}`)
      .join(", "),
    `${report.wrongCount} wrong`,
    ...report.wrong.map((sentence) => `  ${sentence}`),
  ];
}
