import type { Company } from "./company.js";

type CoveragePart = Pick<Company, "coverage" | "observation" | "coverageChangedAt">;

/**
 * Returns the coverage of a company whose scans no longer count as recent, because scanning has stopped or the company
 * has changed. Observed events stay observed.
 */
export function expiredCoverage({ coverage, observation, coverageChangedAt }: CoveragePart, now: number): CoveragePart {
  const isScanned = coverage === "COMPANY_COVERAGE_STATE_ADEQUATE" || coverage === "COMPANY_COVERAGE_STATE_PARTIAL";
  if (!isScanned) return { coverage, observation, coverageChangedAt };
  const isQuiet = observation === "COMPANY_OBSERVATION_STATE_NO_EVENTS_OBSERVED";
  return {
    coverage: "COMPANY_COVERAGE_STATE_STALE",
    observation: isQuiet ? "COMPANY_OBSERVATION_STATE_UNKNOWN" : observation,
    coverageChangedAt: now,
  };
}
