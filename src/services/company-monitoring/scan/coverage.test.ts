import { expect, test, vi } from "vitest";
import { coverageStates } from "../records.js";
import { type CoverageInput, coverageOf, coverageRules, type IdentityState, type ProviderWindow } from "./coverage.js";

const NOW = Date.UTC(2026, 10, 22, 12);
const NEWS = "MONITORING_PROVIDER_NEWS";
const FILINGS = "MONITORING_PROVIDER_FILINGS";

const complete: ProviderWindow = {
  provider: NEWS,
  state: "PROVIDER_COVERAGE_STATE_COMPLETE",
  reasonCode: "complete",
  capped: false,
  start: NOW - 3_000,
  end: NOW - 1_000,
  completeSince: NOW - 9_000,
  completeUntil: NOW - 1_000,
  freshUntil: NOW + 1,
};
const failed = { state: "PROVIDER_COVERAGE_STATE_FAILED", reasonCode: "provider_unavailable" } as const;
const partial = { state: "PROVIDER_COVERAGE_STATE_PARTIAL", reasonCode: "provider_partial" } as const;
const never = { start: null, end: null, completeSince: null, completeUntil: null, freshUntil: 0 } as const;

/** Every kind of attempt by one provider; undefined if the provider has made none. */
const kinds = {
  none: undefined,
  complete,
  old: { ...complete, freshUntil: NOW },
  capped: { ...complete, capped: true, reasonCode: "capped" },
  partial: { ...complete, ...partial },
  "failed after complete": { ...complete, ...failed },
  "failed after old": { ...complete, ...failed, freshUntil: NOW },
  "partial without complete": { ...complete, ...partial, completeSince: null, completeUntil: null },
  "failed without window": { ...complete, ...failed, ...never },
} as const satisfies Readonly<Record<string, ProviderWindow | undefined>>;
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as readonly Kind[]; // The cast restores the type of the keys.

const identities: readonly IdentityState[] = ["verified", "ambiguous", "unresolved"];

function inputOf(news: Kind, filings: Kind, others: Partial<CoverageInput> = {}): CoverageInput {
  const [first, second] = [kinds[news], kinds[filings]];
  return {
    identity: "verified",
    windows: [first ?? [], second === undefined ? [] : ({ ...second, provider: FILINGS } as const)].flat(),
    required: [NEWS, FILINGS],
    hasCurrentImpacts: false,
    assessmentReady: true,
    now: NOW,
    ...others,
  };
}

const shortState = (input: CoverageInput): string => coverageOf(input).state.replace("COMPANY_COVERAGE_STATE_", "");

test("the newest attempts of two required providers decide the state as in this table", () => {
  const rows = kindNames.map((news) => [news, ...kindNames.map((filings) => shortState(inputOf(news, filings)))]);
  const [waiting, whole, gap, old, down] = ["AWAITING_FIRST_SCAN", "ADEQUATE", "PARTIAL", "STALE", "UNAVAILABLE"];
  expect(rows).toEqual([
    ["none", waiting, gap, old, gap, gap, gap, old, gap, down],
    ["complete", gap, whole, old, gap, gap, gap, old, gap, gap],
    ["old", old, old, old, old, old, old, old, old, old],
    ["capped", gap, gap, old, gap, gap, gap, old, gap, gap],
    ["partial", gap, gap, old, gap, gap, gap, old, gap, gap],
    ["failed after complete", gap, gap, old, gap, gap, gap, old, gap, gap],
    ["failed after old", old, old, old, old, old, old, old, old, old],
    ["partial without complete", gap, gap, old, gap, gap, gap, old, gap, gap],
    ["failed without window", down, gap, old, gap, gap, gap, old, gap, down],
  ]);
});

/** Yields every combination of input values, with zero, one or two required providers. */
function* everyInput(): Generator<{ readonly news: Kind; readonly filings: Kind; readonly input: CoverageInput }> {
  for (const news of kindNames) {
    for (const filings of kindNames) {
      for (const identity of identities) {
        for (const hasCurrentImpacts of [false, true]) {
          for (const assessmentReady of [false, true]) {
            for (const required of [[], [NEWS], [NEWS, FILINGS]] as const) {
              const others = { identity, hasCurrentImpacts, assessmentReady, required };
              yield { news, filings, input: inputOf(news, filings, others) };
            }
          }
        }
      }
    }
  }
}

test("every state of the contract is reachable, and the rules have no other states", () => {
  const states = new Set([...everyInput()].map(({ input }) => coverageOf(input).state));
  expect(states).toEqual(new Set(coverageStates));
  expect(new Set(coverageRules.map(({ state }) => state))).toEqual(states);
});

test("every rule decides at least one input", () => {
  const applies = coverageRules.map((rule) => vi.spyOn(rule, "applies"));
  for (const { input } of everyInput()) coverageOf(input);
  // Rules are tried in order up to the first that applies, so a rule whose `applies` returned true has decided.
  const deciding = applies.filter(({ mock }) => mock.results.some(({ value }) => value));
  expect(deciding).toHaveLength(coverageRules.length);
  vi.restoreAllMocks();
});

test("coverage is adequate if and only if the identity is verified, all findings are assessed and every provider is complete and fresh", () => {
  for (const { news, filings, input } of everyInput()) {
    const { identity, required, assessmentReady } = input;
    const used = [news, filings].slice(0, required.length);
    const isAdequate =
      required.length > 0 && identity === "verified" && assessmentReady && used.every((kind) => kind === "complete");
    expect(coverageOf(input).state === "COMPANY_COVERAGE_STATE_ADEQUATE").toBe(isAdequate);
  }
});

test("events are reported at any coverage, and an absence of events is reported only at adequate coverage", () => {
  for (const { input } of everyInput()) {
    const { state, observation } = coverageOf(input);
    const isAdequate = state === "COMPANY_COVERAGE_STATE_ADEQUATE";
    const quiet = isAdequate ? "NO_EVENTS_OBSERVED" : "UNKNOWN";
    expect(observation).toBe(`COMPANY_OBSERVATION_STATE_${input.hasCurrentImpacts ? "EVENTS_OBSERVED" : quiet}`);
  }
});

test("a company whose identity is not verified never has adequate coverage or a trusted period", () => {
  for (const { input } of everyInput()) {
    if (input.identity === "verified") continue;
    const { state, trusted } = coverageOf(input);
    expect([state === "COMPANY_COVERAGE_STATE_ADEQUATE", trusted]).toEqual([false, undefined]);
  }
  expect(shortState(inputOf("complete", "complete", { identity: "ambiguous" }))).toBe("NEEDS_CONFIRMATION");
  expect(shortState(inputOf("complete", "complete", { identity: "unresolved" }))).toBe("IDENTITY_UNRESOLVED");
});

test("the trusted period is the time in which the complete windows of all required providers overlap", () => {
  const filings: ProviderWindow = {
    ...complete,
    provider: FILINGS,
    completeSince: NOW - 5_000,
    completeUntil: NOW - 2_000,
  };
  const trustedOf = (...windows: readonly ProviderWindow[]) =>
    coverageOf({ ...inputOf("none", "none"), windows }).trusted;
  expect(trustedOf(complete, filings)).toEqual({ since: NOW - 5_000, until: NOW - 2_000 });
  expect(trustedOf({ ...complete, completeSince: null }, { ...filings, completeSince: null })).toEqual({
    since: null,
    until: NOW - 2_000,
  });
  expect(trustedOf(complete)).toBeUndefined();
  const later = { ...complete, completeSince: NOW - 1_500 };
  expect(trustedOf(later, filings)).toBeUndefined();
  expect(shortState({ ...inputOf("none", "none"), windows: [later, filings] })).toBe("PARTIAL");
});

test("a provider that is not required does not change the coverage", () => {
  for (const filings of kindNames) {
    const input = inputOf("complete", filings, { required: [NEWS] });
    expect(coverageOf(input)).toEqual(coverageOf(inputOf("complete", "none", { required: [NEWS] })));
  }
});
