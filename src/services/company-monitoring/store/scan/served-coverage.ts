import { identityOf } from "../../identity/identity-of.js";
import type { Company } from "../../portfolio/company.js";
import type { CompanyCoverage, ProviderCoverage } from "../../records.js";
import { type Coverage, coverageOf, isFresh, type ProviderWindow } from "../../scan/coverage.js";
import type { CoverageFacts } from "./coverage-facts.js";

/**
 * Computes the current coverage of a company from the newest window of each provider. A window is the period that one
 * scan covers. The coverage that the last scan stored is not reused, so that the result is correct even if scans have
 * stopped. Only a company without required providers keeps its stored coverage.
 */
export function servedCoverage(company: Company, facts: CoverageFacts, now: number): CompanyCoverage {
  const stored: Coverage = { state: company.coverage, observation: company.observation, trusted: undefined };
  const hasObligations = facts.required.length > 0;
  const coverage = hasObligations
    ? coverageOf({ ...facts, identity: identityOf(company.claims, facts.unverified, now), now })
    : stored;
  const { state, observation, trusted } = coverage;
  const isStored = state === company.coverage && observation === company.observation;
  const storedAt = company.coverageChangedAt ?? company.createdAt;
  return {
    state,
    observation,
    assessmentReady: facts.assessmentReady && facts.windows.length > 0,
    changedAt: iso(isStored ? storedAt : expiredAt(facts.windows, storedAt, now)),
    ...(trusted && trusted.since !== null && { trustedSince: iso(trusted.since) }),
    ...(trusted && { trustedUntil: iso(trusted.until) }),
    providers: facts.windows.map((window) => servedWindow(window, now)),
  };
}

/**
 * Returns the time of the latest change of a company's coverage. The expiry of a window changes the coverage, even
 * before a round of scans has stored the change.
 */
function expiredAt(windows: readonly ProviderWindow[], storedAt: number, now: number): number {
  const expiries = windows.map(({ freshUntil }) => freshUntil).filter((at) => at <= now);
  return Math.max(storedAt, ...expiries);
}

function servedWindow(window: ProviderWindow, now: number): ProviderCoverage {
  const { provider, state, capped, reasonCode, start, end } = window;
  return {
    provider,
    state,
    capped,
    fresh: isFresh(window, now),
    reasonCode,
    ...(start !== null && { returnedWindowStart: iso(start) }),
    ...(end !== null && { returnedWindowEnd: iso(end) }),
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
