import { expect, test } from "vitest";
import { coverageStates, observationStates } from "../records.js";
import { expiredCoverage } from "./expired-coverage.js";

const [EVENTS, QUIET, UNKNOWN] = observationStates;

test.each([
  ["ADEQUATE", QUIET, "STALE", UNKNOWN],
  ["ADEQUATE", EVENTS, "STALE", EVENTS],
  ["PARTIAL", UNKNOWN, "STALE", UNKNOWN],
] as const)("%s coverage with %s expires to %s with %s", (state, observation, expired, expiredObservation) => {
  const before = { coverage: `COMPANY_COVERAGE_STATE_${state}`, observation, coverageChangedAt: 1 } as const;
  expect(expiredCoverage(before, 2)).toEqual({
    coverage: `COMPANY_COVERAGE_STATE_${expired}`,
    observation: expiredObservation,
    coverageChangedAt: 2,
  });
});

test("coverage in a state other than ADEQUATE and PARTIAL does not expire", () => {
  const others = coverageStates.filter((state) => !/ADEQUATE|PARTIAL/.test(state));
  expect(others).toHaveLength(5);
  for (const coverage of others) {
    const before = { coverage, observation: UNKNOWN, coverageChangedAt: null };
    expect(expiredCoverage(before, 2)).toEqual(before);
  }
});
