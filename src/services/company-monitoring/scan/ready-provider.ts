import type { Snapshot } from "../../../contract/snapshot.js";
import type { ClockPace, Steps } from "../../../kit/loop-turns.js";
import type { MonitoringProvider } from "../records.js";
import type { ObservedWindow, ScanTiming } from "./advanced.js";
import type { Finding } from "./finding.js";
import type {
  CompanyFinding,
  ProviderFacts,
  ScannedCompany,
  ScanProvider,
  ScanScope,
  StoredFinding,
} from "./provider.js";

/** A configured provider with the snapshot that a round reads. */
export interface ReadyProvider extends ScanTiming {
  readonly provider: MonitoringProvider;
  appliesTo(company: ScannedCompany): boolean;
  /** Undefined if no build of its dataset has been attempted. */
  readonly window: ObservedWindow | undefined;
  /** Identifies the searched content; undefined if the provider cannot be read. */
  readonly content: string | undefined;
  findSteps(scope: ScanScope, pace: ClockPace): Steps<readonly CompanyFinding[]>;
  /** Derives findings on a company from its stored findings, oldest first, and from the findings of this scan. */
  followUps?(stored: readonly StoredFinding[], scanned: readonly Finding[]): readonly Finding[];
}

/** Binds a provider to its snapshot. Returns a list of one, or an empty list if the provider is not configured. */
export function readyProvider<View>(
  definition: ScanProvider<View>,
  snapshot: Snapshot<View>,
  facts: ProviderFacts,
): readonly ReadyProvider[] {
  if (!definition.isConfigured(snapshot)) return [];
  const { provider, everyMs, freshMs } = definition;
  const window = definition.windowOf(snapshot, facts);
  const canLook = snapshot.available && window !== undefined && window.state !== "PROVIDER_COVERAGE_STATE_FAILED";
  return [
    {
      provider,
      everyMs,
      freshMs,
      appliesTo: definition.appliesTo,
      window,
      content: canLook ? snapshot.contentHash : undefined,
      *findSteps(scope, pace) {
        return canLook ? yield* definition.findSteps(scope, snapshot.view, facts, pace) : [];
      },
      ...(canLook &&
        definition.followUps && {
          followUps: (stored, scanned) => definition.followUps?.(stored, scanned, snapshot) ?? [],
        }),
    },
  ];
}
