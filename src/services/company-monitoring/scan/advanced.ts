import { SECOND_MS } from "../../../kit/clock.js";
import type { ProviderState } from "../records.js";
import type { ProviderWindow } from "./coverage.js";
import type { ReasonCode } from "./reason-code.js";

/** The period that a provider's stored content covers, or the provider's failure. */
export type ObservedWindow =
  | { readonly state: "PROVIDER_COVERAGE_STATE_FAILED"; readonly reasonCode: ReasonCode }
  | {
      readonly state: Exclude<ProviderState, "PROVIDER_COVERAGE_STATE_FAILED">;
      readonly reasonCode: ReasonCode;
      /** The provider had more findings on the company than one window may contain. */
      readonly capped: boolean;
      /** Start of the period for which the content is complete, epoch ms; null if the period has no lower bound. */
      readonly start: number | null;
      /** Epoch ms. */
      readonly end: number;
    };

/** The recurring scan of one company with one provider: its newest window and the time of the next attempt. */
export interface Obligation extends Omit<ProviderWindow, "state" | "reasonCode" | "provider"> {
  /** Null before the first attempt. */
  readonly state: ProviderState | null;
  readonly reasonCode: ReasonCode | null;
  /** Number of windows that have ended. */
  readonly endedCount: number;
  /** Consecutive failures. */
  readonly failureCount: number;
  /** Time of the next attempt, epoch ms. */
  readonly dueAt: number;
}

/** The time between two scans with a provider, and the age at which the provider's windows become too old. */
export interface ScanTiming {
  readonly everyMs: number;
  readonly freshMs: number;
}

const FIRST_RETRY_MS = 30 * SECOND_MS;
const DOUBLINGS_MAX = 20;

/** Creates an obligation that was never attempted. */
export function newObligation(now: number): Obligation {
  return {
    state: null,
    reasonCode: null,
    capped: false,
    start: null,
    end: null,
    completeSince: null,
    completeUntil: null,
    freshUntil: 0,
    endedCount: 0,
    failureCount: 0,
    dueAt: now,
  };
}

/**
 * Returns the obligation after an attempt. A complete window extends the run of complete windows. A complete window
 * that begins after the end of that run starts a new run, and is reported as partial (`provider_retention`). A window
 * that was observed as partial or capped leaves the run as it is, and a failed attempt leaves all bounds as they are. A
 * window that ends before the previous one only sets the time of the next attempt.
 */
export function advanced(
  previous: Obligation,
  observed: ObservedWindow,
  { everyMs, freshMs }: ScanTiming,
  now: number,
): Obligation {
  if (observed.state === "PROVIDER_COVERAGE_STATE_FAILED") {
    const { state, reasonCode } = observed;
    const failureCount = previous.failureCount + 1;
    return { ...previous, state, reasonCode, failureCount, dueAt: now + retryMs(failureCount, everyMs) };
  }
  const dueAt = now + everyMs;
  // Another node has already scanned newer content.
  if (previous.end !== null && observed.end < previous.end) return { ...previous, dueAt };
  const { completeUntil } = previous;
  const hasGap = completeUntil !== null && observed.start !== null && observed.start > completeUntil;
  const isComplete = observed.state === "PROVIDER_COVERAGE_STATE_COMPLETE" && !observed.capped;
  const outcome = outcomeOf(observed, hasGap && isComplete);
  const run = isComplete ? runOf(previous, observed, hasGap) : previous;
  const isFirstRun = run.completeUntil === null;
  return {
    ...outcome,
    start: startOf(previous, observed, hasGap),
    end: observed.end,
    completeSince: run.completeSince,
    completeUntil: run.completeUntil,
    freshUntil: isComplete || isFirstRun ? observed.end + freshMs : previous.freshUntil,
    endedCount: previous.endedCount + (previous.end === null || observed.end > previous.end ? 1 : 0),
    failureCount: 0,
    dueAt,
  };
}

type Observed = Exclude<ObservedWindow, { readonly state: "PROVIDER_COVERAGE_STATE_FAILED" }>;

function outcomeOf({ state, reasonCode, capped }: Observed, hasGap: boolean) {
  const partial = "PROVIDER_COVERAGE_STATE_PARTIAL" as const;
  if (hasGap) return { state: partial, reasonCode: "provider_retention", capped: true } as const;
  return capped ? ({ state: partial, reasonCode: "capped", capped } as const) : { state, reasonCode, capped };
}

function runOf({ completeSince, completeUntil }: Obligation, { start, end }: Observed, hasGap: boolean) {
  const begins = completeUntil === null || hasGap;
  return { completeSince: begins ? start : completeSince, completeUntil: end };
}

function startOf({ start, end, completeUntil }: Obligation, observed: Observed, hasGap: boolean): number | null {
  if (hasGap || completeUntil === null) return observed.start;
  return observed.end === end && completeUntil === end ? start : completeUntil;
}

/**
 * Returns the wait before the next attempt after failures. It doubles with each failure, up to the time between two
 * scans.
 */
function retryMs(failureCount: number, everyMs: number): number {
  return Math.min(everyMs, FIRST_RETRY_MS * 2 ** Math.min(failureCount - 1, DOUBLINGS_MAX));
}

/**
 * Returns the obligation after a change of the company. The earlier windows are treated as too old, because their scans
 * searched for the company as it was before the change.
 */
export function outdated(previous: Obligation, now: number): Obligation {
  const freshUntil = Math.min(previous.freshUntil, now);
  return { ...previous, completeSince: null, completeUntil: null, freshUntil, failureCount: 0, dueAt: now };
}
