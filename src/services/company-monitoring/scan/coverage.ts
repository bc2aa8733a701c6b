import type { CoverageState, MonitoringProvider, ObservationState, ProviderState } from "../records.js";
import type { ReasonCode } from "./reason-code.js";

/**
 * The newest attempt of a provider to scan a company, and the time that the provider's complete windows cover without a
 * gap.
 */
export interface ProviderWindow {
  readonly provider: MonitoringProvider;
  readonly state: ProviderState;
  readonly reasonCode: ReasonCode;
  /** The provider had more findings than it returned, or there is a gap before the newest window. */
  readonly capped: boolean;
  /** Bounds of the newest window, epoch ms. `start` is null if the window has no lower bound. */
  readonly start: number | null;
  /** Null if no window has ended yet. */
  readonly end: number | null;
  /**
   * Start of the unbroken run of complete windows, epoch ms; null if the run has no lower bound, or if there is no run.
   */
  readonly completeSince: number | null;
  /** End of the newest complete window, epoch ms; null if there is none. */
  readonly completeUntil: number | null;
  /**
   * Time at which the newest complete window becomes too old, epoch ms. If no window is complete, the time at which the
   * newest window becomes too old.
   */
  readonly freshUntil: number;
}

/**
 * True while the newest complete window, or the newest window if none is complete, is not too old. False before the
 * first window.
 */
export function isFresh({ end, freshUntil }: Pick<ProviderWindow, "end" | "freshUntil">, now: number): boolean {
  return end !== null && now < freshUntil;
}

/**
 * The state of a company's identity. `verified`: a public register confirms it. `ambiguous`: several records match, or
 * one matches only in part, so the account has to confirm the identity. `unresolved`: no record matches, or the company
 * has not been looked up yet.
 */
export type IdentityState = "verified" | "ambiguous" | "unresolved";

export interface CoverageInput {
  readonly identity: IdentityState;
  /** At most one for each provider. */
  readonly windows: readonly ProviderWindow[];
  /** The configured providers that apply to the company. */
  readonly required: readonly MonitoringProvider[];
  /** The company has an impact that is not retracted. */
  readonly hasCurrentImpacts: boolean;
  /** Every finding has been assessed. */
  readonly assessmentReady: boolean;
  /** Epoch ms. */
  readonly now: number;
}

export interface Coverage {
  readonly state: CoverageState;
  readonly observation: ObservationState;
  /**
   * The period in which silence (no finding) can be trusted to mean that nothing happened. Undefined without such a
   * period, while the identity is not verified, and while findings await assessment.
   */
  readonly trusted: TrustedTime | undefined;
}

/** The period in which the required providers would have found every event. */
export interface TrustedTime {
  /** Epoch ms; null without a lower bound. */
  readonly since: number | null;
  /** Epoch ms. */
  readonly until: number;
}

/** The facts that decide the state of coverage. */
interface CoverageFacts {
  readonly identity: IdentityState;
  readonly assessmentReady: boolean;
  readonly hasRequired: boolean;
  /** Number of required providers that have been tried. */
  readonly triedCount: number;
  /** At least one required provider has ended a complete or partial window. */
  readonly hasWindow: boolean;
  /** At least one required provider has ended a window but is no longer fresh. */
  readonly hasOld: boolean;
  /** Every required provider's newest attempt is complete and not capped. */
  readonly isWhole: boolean;
  /** Every required provider has a complete window, and their times overlap. */
  readonly hasTrusted: boolean;
}

interface CoverageRule {
  readonly state: CoverageState;
  readonly reason: string;
  applies(facts: CoverageFacts): boolean;
}

/**
 * The decision table of coverage. The first rule that applies decides. docs/company-monitoring.md explains the rules to
 * users.
 */
export const coverageRules: readonly CoverageRule[] = [
  {
    state: "COMPANY_COVERAGE_STATE_UNAVAILABLE",
    reason: "no configured provider applies to the company",
    applies: ({ hasRequired }) => !hasRequired,
  },
  {
    state: "COMPANY_COVERAGE_STATE_AWAITING_FIRST_SCAN",
    reason: "no required provider has been tried",
    applies: ({ triedCount }) => triedCount === 0,
  },
  {
    state: "COMPANY_COVERAGE_STATE_UNAVAILABLE",
    reason: "every attempt of the required providers has failed",
    applies: ({ hasWindow }) => !hasWindow,
  },
  {
    state: "COMPANY_COVERAGE_STATE_NEEDS_CONFIRMATION",
    reason: "several records of public registers match the company, or one matches only in part",
    applies: ({ identity }) => identity === "ambiguous",
  },
  {
    state: "COMPANY_COVERAGE_STATE_IDENTITY_UNRESOLVED",
    reason: "no record of a public register confirms the company",
    applies: ({ identity }) => identity === "unresolved",
  },
  {
    state: "COMPANY_COVERAGE_STATE_STALE",
    reason: "the windows of a required provider are too old",
    applies: ({ hasOld }) => hasOld,
  },
  {
    state: "COMPANY_COVERAGE_STATE_PARTIAL",
    reason: "a required provider's newest attempt is missing, failed, partial or capped, or windows do not overlap",
    applies: ({ isWhole, hasTrusted }) => !isWhole || !hasTrusted,
  },
  {
    state: "COMPANY_COVERAGE_STATE_PARTIAL",
    reason: "findings await assessment",
    applies: ({ assessmentReady }) => !assessmentReady,
  },
  {
    state: "COMPANY_COVERAGE_STATE_ADEQUATE",
    reason: "every required provider has a fresh, complete window",
    applies: () => true,
  },
];

/** Returns the coverage of a company. Pure: it depends only on its input. */
export function coverageOf(input: CoverageInput): Coverage {
  const { identity, assessmentReady, hasCurrentImpacts, now } = input;
  const required = [...new Set(input.required)];
  const windows = required.flatMap((provider) => input.windows.find((window) => window.provider === provider) ?? []);
  const complete = windows.filter(({ completeUntil }) => completeUntil !== null);
  const covered = complete.length === required.length ? commonTime(complete) : undefined;
  const facts: CoverageFacts = {
    identity,
    assessmentReady,
    hasRequired: required.length > 0,
    triedCount: windows.length,
    hasWindow: windows.some(({ end }) => end !== null),
    hasOld: windows.some((window) => window.end !== null && !isFresh(window, now)),
    isWhole: windows.length === required.length && windows.every(isWhole),
    hasTrusted: covered !== undefined,
  };
  const state = stateOf(facts);
  return {
    state,
    observation: observationOf(state, hasCurrentImpacts),
    trusted: identity === "verified" && assessmentReady ? covered : undefined,
  };
}

function stateOf(facts: CoverageFacts): CoverageState {
  const rule = coverageRules.find(({ applies }) => applies(facts));
  if (!rule) throw new Error("no rule of coverage applies");
  return rule.state;
}

function observationOf(state: CoverageState, hasCurrentImpacts: boolean): ObservationState {
  if (hasCurrentImpacts) return "COMPANY_OBSERVATION_STATE_EVENTS_OBSERVED";
  return state === "COMPANY_COVERAGE_STATE_ADEQUATE"
    ? "COMPANY_OBSERVATION_STATE_NO_EVENTS_OBSERVED"
    : "COMPANY_OBSERVATION_STATE_UNKNOWN";
}

function isWhole({ state, capped }: ProviderWindow): boolean {
  return state === "PROVIDER_COVERAGE_STATE_COMPLETE" && !capped;
}

/** Returns the period that the complete windows of all providers cover; undefined if they do not overlap. */
function commonTime(windows: readonly ProviderWindow[]): TrustedTime | undefined {
  const until = Math.min(...windows.map(({ completeUntil }) => completeUntil ?? Number.NEGATIVE_INFINITY));
  const since = Math.max(...windows.map(({ completeSince }) => completeSince ?? Number.NEGATIVE_INFINITY));
  if (!Number.isFinite(until) || since > until) return undefined;
  return { since: Number.isFinite(since) ? since : null, until };
}
