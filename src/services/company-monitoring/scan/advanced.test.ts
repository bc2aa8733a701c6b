import fc from "fast-check";
import { expect, test } from "vitest";
import { randomRuns } from "../../../../test/support/effort.js";
import type { MonitoringProvider } from "../records.js";
import { advanced, newObligation, type Obligation, type ObservedWindow, outdated } from "./advanced.js";
import { coverageOf, type ProviderWindow } from "./coverage.js";

const SCHEDULES = randomRuns(10_000);
const PROVIDERS = ["MONITORING_PROVIDER_NEWS", "MONITORING_PROVIDER_FILINGS"] as const;
const TIMING = { everyMs: 2, freshMs: 6 };

/** The answer of one provider: a window that ends `lag` before now and is `reach` long, or a failure. */
const answer = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("window" as const),
      lag: fc.nat({ max: 2 }),
      reach: fc.option(fc.nat({ max: 6 })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("partial" as const),
      lag: fc.nat({ max: 2 }),
      reach: fc.option(fc.nat({ max: 6 })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("capped" as const),
      lag: fc.nat({ max: 2 }),
      reach: fc.option(fc.nat({ max: 6 })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("failed" as const),
      reasonCode: fc.constantFrom(
        "rate_limited" as const,
        "malformed" as const,
        "invalid_empty" as const,
        "timeout" as const,
      ),
    }),
  },
);
const step = fc.record({
  passed: fc.nat({ max: 4 }),
  answers: fc.tuple(answer, answer),
  /** The company changes before the scan if this is 0. */
  changeDice: fc.nat({ max: 9 }),
  ready: fc.boolean(),
});
type Answer = typeof answer extends fc.Arbitrary<infer A> ? A : never;

function observedOf(answered: Answer, now: number): ObservedWindow {
  if (answered.kind === "failed") return { state: "PROVIDER_COVERAGE_STATE_FAILED", reasonCode: answered.reasonCode };
  const end = now - answered.lag;
  return {
    state: answered.kind === "partial" ? "PROVIDER_COVERAGE_STATE_PARTIAL" : "PROVIDER_COVERAGE_STATE_COMPLETE",
    reasonCode: answered.kind === "partial" ? "provider_partial" : "complete",
    capped: answered.kind === "capped",
    start: answered.reach === null ? null : end - answered.reach,
    end,
  };
}

const windowOf = (
  provider: MonitoringProvider,
  { state, reasonCode, ...bounds }: Obligation,
): readonly ProviderWindow[] =>
  state === null || reasonCode === null ? [] : [{ ...bounds, provider, state, reasonCode }];

test("a period without findings is trusted only if every provider has searched it without a gap, and an absence of events is reported only with such a period", () => {
  let adequate = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let now = 100;
      const own = PROVIDERS.map(() => ({ obligation: newObligation(now), seen: new Set<number>(), lastEnd: -1 }));
      for (const { passed, answers, changeDice, ready } of steps) {
        now += passed;
        for (const [at, provider] of own.entries()) {
          if (changeDice === 0) {
            provider.obligation = outdated(provider.obligation, now);
            provider.seen.clear();
            provider.lastEnd = -1;
          }
          const observed = observedOf(answers[at] ?? answers[0], now);
          const { end: earlier } = provider.obligation;
          provider.obligation = advanced(provider.obligation, observed, TIMING, now);
          const isUsed = observed.state === "PROVIDER_COVERAGE_STATE_COMPLETE" && !observed.capped;
          if (!isUsed || (earlier !== null && observed.end < earlier)) continue;
          for (let tick = observed.start ?? 0; tick <= observed.end; tick += 1) provider.seen.add(tick);
          provider.lastEnd = Math.max(provider.lastEnd, observed.end);
        }
        const windows = own.flatMap(({ obligation }, at) => windowOf(PROVIDERS[at] ?? PROVIDERS[0], obligation));
        const { state, observation, trusted } = coverageOf({
          identity: "verified",
          windows,
          required: PROVIDERS,
          hasCurrentImpacts: false,
          assessmentReady: ready,
          now,
        });
        const isAdequate = state === "COMPANY_COVERAGE_STATE_ADEQUATE";
        expect(observation === "COMPANY_OBSERVATION_STATE_NO_EVENTS_OBSERVED").toBe(isAdequate);
        if (isAdequate) {
          adequate += 1;
          expect(trusted).toBeDefined();
          expect(windows.every((window) => window.state.endsWith("COMPLETE") && now < window.freshUntil)).toBe(true);
        }
        if (!trusted) continue;
        for (const { seen, lastEnd } of own) {
          expect(trusted.until).toBeLessThanOrEqual(lastEnd);
          for (let tick = trusted.since ?? 0; tick <= trusted.until; tick += 1) expect(seen.has(tick)).toBe(true);
        }
      }
    }),
    { numRuns: SCHEDULES },
  );
  expect(adequate).toBeGreaterThan(SCHEDULES / 10);
}, 120_000);

const NOW = 1_000_000;
const complete = (start: number | null, end: number): ObservedWindow => ({
  state: "PROVIDER_COVERAGE_STATE_COMPLETE",
  reasonCode: "complete",
  capped: false,
  start,
  end,
});
const timing = { everyMs: 300_000, freshMs: 600_000 };

test("a window after a gap is partial and starts a new run of complete windows", () => {
  const first = advanced(newObligation(NOW), complete(NOW - 100, NOW - 50), timing, NOW);
  expect(first).toMatchObject({ reasonCode: "complete", start: NOW - 100, completeSince: NOW - 100, endedCount: 1 });
  const joined = advanced(first, complete(NOW - 50, NOW), timing, NOW);
  expect(joined).toMatchObject({ reasonCode: "complete", start: NOW - 50, completeSince: NOW - 100, endedCount: 2 });
  const apart = advanced(first, complete(NOW - 49, NOW), timing, NOW);
  expect(apart).toMatchObject({
    state: "PROVIDER_COVERAGE_STATE_PARTIAL",
    reasonCode: "provider_retention",
    capped: true,
    start: NOW - 49,
    completeSince: NOW - 49,
    completeUntil: NOW,
  });
});

test("the wait doubles with each failure, up to the time between two scans, and failures do not change the bounds of the windows", () => {
  let obligation = advanced(newObligation(NOW), complete(null, NOW), timing, NOW);
  const waits: number[] = [];
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const state = "PROVIDER_COVERAGE_STATE_FAILED";
    const after = advanced(obligation, { state, reasonCode: "timeout" }, timing, NOW);
    waits.push((after.dueAt - NOW) / 1_000);
    expect(after).toMatchObject({ state, end: NOW, completeUntil: NOW, endedCount: 1 });
    obligation = after;
  }
  expect(waits).toEqual([30, 60, 120, 240, 300, 300]);
  expect(advanced(obligation, complete(null, NOW + 1), timing, NOW)).toMatchObject({ failureCount: 0, endedCount: 2 });
});

test("a window that is observed twice is counted once, and an older window changes nothing but the time of the next attempt", () => {
  const first = advanced(newObligation(NOW), complete(null, NOW), timing, NOW);
  const second = advanced(first, complete(null, NOW + 5), timing, NOW + 5);
  expect(second).toMatchObject({ endedCount: 2, start: NOW, end: NOW + 5 });
  expect(advanced(second, complete(null, NOW + 5), timing, NOW + 6)).toMatchObject({
    endedCount: 2,
    start: NOW,
    end: NOW + 5,
  });
  expect(advanced(first, complete(null, NOW - 1), timing, NOW + 1)).toEqual({
    ...first,
    dueAt: NOW + 1 + timing.everyMs,
  });
});
