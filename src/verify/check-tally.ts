import { type AnswerCheck, type Expected, Skipped } from "./check.js";
import { withoutNumbers } from "./checks/without-numbers.js";
import { compared } from "./compare.js";

/** The results of one check over all generations. */
export interface CheckReport {
  /** The operation or the dataset. */
  readonly subject: string;
  readonly what: string;
  /** Number of checked answers or builds. */
  readonly checked: number;
  /** Number of compared values that the service derives, not counting values that it copies from rows. */
  readonly values: number;
  readonly faults: number;
}

/** Something that could not be checked. */
export interface SkippedReport {
  readonly subject: string;
  readonly reason: string;
  readonly count: number;
}

export interface DerivedReport {
  readonly derivedValues: number;
  readonly checks: readonly CheckReport[];
  readonly skipped: readonly SkippedReport[];
  /** For each operation without a check, the reason why its answers are not recomputed. */
  readonly notRecomputed: Readonly<Record<string, string>>;
}

/** A check of one answer or build. */
export interface CheckRun {
  readonly check: Pick<AnswerCheck, "what">;
  /** The operation or the dataset. */
  readonly subject: string;
  /** The location of a fault; empty if the path of the value is enough to identify the fault. */
  readonly place: string;
  /** Undefined if there is nothing to check. */
  recompute(): Promise<Recomputation | undefined>;
}

/** The recomputed values and the served ones, or the reason why nothing can be recomputed. */
export type Recomputation = { readonly expected: Expected; readonly served: unknown } | Skipped;

/** The counts of checked values and faults, by check. */
export interface CheckTally {
  /** Runs a check, counts its values and yields a text for each fault. An error in the check is recorded as a fault. */
  faultsOf(run: CheckRun): AsyncGenerator<string, void>;
  skipped(subject: string, reason: string): void;
  report(): DerivedReport;
}

interface Counts {
  readonly subject: string;
  checked: number;
  values: number;
  faults: number;
}

export function checkTally(): CheckTally {
  const countsByCheck = new Map<CheckRun["check"], Counts>();
  const skips = new Map<string, SkippedReport>();

  function countsOf({ check, subject }: CheckRun): Counts {
    const counts = countsByCheck.get(check) ?? { subject, checked: 0, values: 0, faults: 0 };
    countsByCheck.set(check, counts);
    return counts;
  }

  /** Counts together all skipped checks with the same subject and reason, so that the report stays short. */
  function skipped(subject: string, reason: string): void {
    const key = `${subject}\n${reason}`;
    skips.set(key, { subject, reason, count: (skips.get(key)?.count ?? 0) + 1 });
  }

  return {
    async *faultsOf(run) {
      try {
        const recomputation = await run.recompute();
        if (recomputation === undefined) return;
        if (recomputation instanceof Skipped) return skipped(run.subject, recomputation.reason);
        const counts = countsOf(run);
        counts.checked += 1;
        for (const { problem, isDerived } of compared(recomputation.expected, recomputation.served)) {
          counts.values += isDerived ? 1 : 0;
          if (problem === undefined) continue;
          counts.faults += 1;
          yield run.place === "" ? problem : `${run.place}: ${problem}`;
        }
      } catch (error) {
        countsOf(run).faults += 1;
        const message = error instanceof Error ? error.message : String(error);
        yield `${run.place || run.subject}: cannot be checked: ${message}`;
      }
    },
    skipped,
    report() {
      const checks = [...countsByCheck].map(([{ what }, counts]): CheckReport => ({ what, ...counts }));
      return {
        derivedValues: checks.reduce((sum, { values }) => sum + values, 0),
        checks,
        skipped: [...skips.values()],
        notRecomputed: withoutNumbers,
      };
    },
  };
}
