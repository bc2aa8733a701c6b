import type { AvailableSnapshot, PartStatus, Snapshot } from "../../../../contract/snapshot.js";
import type { ObservedWindow } from "../advanced.js";

/** False if every part of the dataset is off. */
export function isConfigured(snapshot: Snapshot<unknown>): boolean {
  return !snapshot.available || Object.values(snapshot.parts).some(isOn);
}

export function isOn({ state }: PartStatus): boolean {
  return state !== "off";
}

/** Returns the outcome for a dataset that cannot be read; undefined for a dataset that was never built. */
export function unavailableWindow({ attempt, state }: Extract<Snapshot<unknown>, { readonly available: false }>) {
  if (attempt === null && state === "absent") return undefined;
  return failedWindow(state === "unreadable" ? "provider_error" : "provider_unavailable");
}

export function failedWindow(reasonCode: ObservedWindow["reasonCode"]): ObservedWindow {
  return { state: "PROVIDER_COVERAGE_STATE_FAILED", reasonCode };
}

/**
 * Returns the window of a dataset whose parts are whole lists. It ends at the earliest of the parts' confirmations, so
 * nothing is missing before its end.
 */
export function confirmedWindow(snapshot: Snapshot<unknown>): ObservedWindow | undefined {
  if (!snapshot.available) return unavailableWindow(snapshot);
  const confirmed = confirmations(snapshot);
  const read = confirmed.filter((at) => at !== null);
  if (read.length === 0) return failedWindow("provider_unavailable");
  const isComplete = read.length === confirmed.length && snapshot.lacking === undefined;
  return {
    state: isComplete ? "PROVIDER_COVERAGE_STATE_COMPLETE" : "PROVIDER_COVERAGE_STATE_PARTIAL",
    reasonCode: isComplete ? "complete" : "provider_partial",
    capped: false,
    start: null,
    end: Math.min(...read),
  };
}

/** Returns the newest confirmation of each part that is on; null for a part without content. */
function confirmations({ parts }: AvailableSnapshot<unknown>): readonly (number | null)[] {
  return Object.values(parts)
    .filter(isOn)
    .map(({ state, confirmedAt }) => (state === "missing" ? null : confirmedAt));
}
