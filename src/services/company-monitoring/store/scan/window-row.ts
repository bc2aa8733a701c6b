import type { MonitoringProvider, ProviderState } from "../../records.js";
import type { Obligation } from "../../scan/advanced.js";
import type { ProviderWindow } from "../../scan/coverage.js";
import type { ReasonCode } from "../../scan/reason-code.js";
import type { CompanyWindowRow } from "./scan-tables.js";

const PROVIDER = "MONITORING_PROVIDER_";
const STATE = "PROVIDER_COVERAGE_STATE_";

type ObligationColumns = Omit<
  CompanyWindowRow,
  "account_id" | "company_id" | "provider" | "content" | "lease" | "lease_until"
>;

/** Returns the stored name of a provider, such as `news`. */
export function providerColumn(provider: MonitoringProvider): string {
  return provider.slice(PROVIDER.length).toLowerCase();
}

export function providerOf({ provider }: Pick<CompanyWindowRow, "provider">): MonitoringProvider {
  // The cast is safe, because `providerColumn` wrote the column.
  return `${PROVIDER}${provider.toUpperCase()}` as MonitoringProvider;
}

/** Converts a row to an obligation. */
export function obligationOf(row: ObligationColumns): Obligation {
  return {
    // The cast is safe, because `columnsOf` wrote the column.
    state: row.state === null ? null : (`${STATE}${row.state.toUpperCase()}` as ProviderState),
    reasonCode: row.reason as ReasonCode | null,
    capped: row.capped === 1,
    start: row.window_start,
    end: row.window_end,
    completeSince: row.complete_since,
    completeUntil: row.complete_until,
    freshUntil: row.fresh_until,
    endedCount: row.ended_count,
    failureCount: row.failure_count,
    dueAt: row.due_at ?? 0,
  };
}

export function columnsOf(obligation: Obligation): ObligationColumns {
  return {
    state: obligation.state === null ? null : obligation.state.slice(STATE.length).toLowerCase(),
    reason: obligation.reasonCode,
    capped: obligation.capped ? 1 : 0,
    window_start: obligation.start,
    window_end: obligation.end,
    complete_since: obligation.completeSince,
    complete_until: obligation.completeUntil,
    fresh_until: obligation.freshUntil,
    ended_count: obligation.endedCount,
    failure_count: obligation.failureCount,
    due_at: obligation.dueAt,
  };
}

/** Returns the newest window of each row. Rows without an attempt are omitted, because they have no window. */
export function windowsOf(rows: readonly CompanyWindowRow[]): readonly ProviderWindow[] {
  return rows.flatMap((row) => {
    const { state, reasonCode, ...obligation } = obligationOf(row);
    return state === null || reasonCode === null
      ? []
      : [{ ...obligation, provider: providerOf(row), state, reasonCode }];
  });
}
