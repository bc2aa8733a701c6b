import { ClockPace, type LoopTurns } from "../../../kit/loop-turns.js";
import type { Finding } from "./finding.js";
import type { ScanScope } from "./provider.js";
import type { ReadyProvider } from "./ready-provider.js";

/**
 * Maximum number of findings of a provider on one company in one scan. A company with more is capped: its name is too
 * common.
 */
export const FINDINGS_MAX = 500;

/** The findings of one provider. */
export interface ProviderScan {
  readonly provider: ReadyProvider;
  /** By company key. If there are more than `FINDINGS_MAX` for a company, the newest ones. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>;
  /** Keys of the companies with more findings than were kept. */
  readonly capped: ReadonlySet<string>;
}

/**
 * Searches the content of one provider for all companies in a single pass. The work is cut into slices, so that it does
 * not block the event loop for long.
 */
export async function scanCompanies(
  provider: ReadyProvider,
  scope: ScanScope,
  turns: LoopTurns,
  signal: AbortSignal,
): Promise<ProviderScan> {
  const findings = new Map<string, Finding[]>();
  const capped = new Set<string>();
  if (scope.companies.length > 0) {
    const pace = new ClockPace();
    for (const { companyKey, finding } of await turns.run(provider.findSteps(scope, pace), pace, signal)) {
      const own = findings.get(companyKey);
      if (own) own.push(finding);
      else findings.set(companyKey, [finding]);
    }
  }
  for (const [companyKey, own] of findings) {
    if (own.length <= FINDINGS_MAX) continue;
    capped.add(companyKey);
    own.sort((a, b) => b.publishedAt - a.publishedAt);
    own.length = FINDINGS_MAX;
  }
  return { provider, findings, capped };
}
