import { DAY_MS } from "../../kit/clock.js";

/** A finished run, and the generation that was served from then on. */
export interface RunOutcomeAt {
  /** 1, 2, 3, … in the order of the runs; retention removed the runs whose numbers are missing. */
  readonly run: number;
  /** Epoch ms. */
  readonly at: number;
  readonly outcome: string;
  /** Newest generation after the run; 0 before the first. */
  readonly generation: number;
  /** Time at which the content was last confirmed, as known at the end of the run; epoch ms. */
  readonly checkedAt: number | null;
}

/** The availability of a dataset on one UTC day; on the current day, until now. */
export interface DayAvailability {
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Share of the day, 0 to 1, during which the last confirmation of the content was at most `staleAfterMs` old. */
  readonly availableRatio: number;
  /**
   * Share of the day whose availability is unknown. The time before the first kept run is unknown. If runs were removed
   * after a kept run, the time from when the content became stale until the next kept run is unknown too.
   */
  readonly unknownRatio: number;
  /** Number of kept runs. */
  readonly runs: number;
  /** Number of kept runs that neither published nor confirmed anything. */
  readonly failures: number;
  /** True if runs of the day may have been removed; the counts exclude removed runs. */
  readonly isThinned: boolean;
}

interface Period {
  /** Start of a UTC day, epoch ms. */
  readonly from: number;
  /** Epoch ms, not in the future. */
  readonly to: number;
  /** Time for which content is considered available after its confirmation. */
  readonly staleAfterMs: number;
}

interface Day {
  availableMs: number;
  unknownMs: number;
  runs: number;
  failures: number;
  isThinned: boolean;
}

/**
 * Adds up the availability of each day. The runs of a dataset are added in time order: the last run before the period,
 * the runs within it, and the first run after it.
 */
export class AvailabilityTally {
  private readonly period: Period;
  private readonly days: readonly Day[];
  private last: RunOutcomeAt | undefined;

  constructor(period: Period) {
    this.period = period;
    const length = Math.max(0, Math.ceil((period.to - period.from) / DAY_MS));
    this.days = Array.from({ length }, () => ({
      availableMs: 0,
      unknownMs: 0,
      runs: 0,
      failures: 0,
      isThinned: false,
    }));
  }

  add(run: RunOutcomeAt): void {
    this.close(run.at, run.run);
    this.last = run;
    const day = run.at >= this.period.from ? this.days[this.dayOf(run.at)] : undefined;
    if (!day || run.at >= this.period.to) return;
    day.runs += 1;
    if (isFailure(run.outcome)) day.failures += 1;
  }

  /** Returns the days in order. Must be called after the last run was added. */
  result(): readonly DayAvailability[] {
    const { from, to } = this.period;
    this.close(to, (this.last?.run ?? 0) + 1);
    this.last = undefined;
    return this.days.map(({ availableMs, unknownMs, ...day }, index) => {
      const start = from + index * DAY_MS;
      const lengthMs = Math.min(start + DAY_MS, to) - start;
      return {
        date: new Date(start).toISOString().slice(0, 10),
        availableRatio: ratio(availableMs, lengthMs),
        unknownRatio: ratio(unknownMs, lengthMs),
        ...day,
      };
    });
  }

  /** Counts the time from the last run until `until` as available, unavailable or unknown. */
  private close(until: number, nextRun: number): void {
    const { last } = this;
    if (!last) {
      this.spread(this.period.from, until, (day, ms) => {
        day.unknownMs += ms;
      });
      return;
    }
    const confirmedAt = last.checkedAt ?? last.at;
    const end = last.generation === 0 ? last.at : confirmedAt + this.period.staleAfterMs;
    const availableUntil = Math.min(Math.max(end, last.at), until);
    this.spread(last.at, availableUntil, (day, ms) => {
      day.availableMs += ms;
    });
    // If runs were removed, one of them may have confirmed the content, so the remaining time is unknown.
    if (nextRun <= last.run + 1) return;
    this.spread(availableUntil, until, (day, ms) => {
      day.unknownMs += ms;
    });
    this.spread(last.at, until, (day) => {
      day.isThinned = true;
    });
  }

  /** Calls `add` for each day between two instants, with the part of that time that falls on the day. */
  private spread(start: number, end: number, add: (day: Day, ms: number) => void): void {
    const last = Math.min(end, this.period.to);
    let at = Math.max(start, this.period.from);
    while (at < last) {
      const dayEnd = Math.min(last, this.period.from + (this.dayOf(at) + 1) * DAY_MS);
      const day = this.days[this.dayOf(at)];
      if (day) add(day, dayEnd - at);
      at = dayEnd;
    }
  }

  private dayOf(at: number): number {
    return Math.floor((at - this.period.from) / DAY_MS);
  }
}

function isFailure(outcome: string): boolean {
  return outcome === "failed" || outcome === "unconfigured";
}

/** Returns a share, rounded down so that a day with an outage is never shown as fully available. */
function ratio(ms: number, lengthMs: number): number {
  return Math.floor((ms / lengthMs) * 10_000) / 10_000;
}
