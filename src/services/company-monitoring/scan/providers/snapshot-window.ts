import type { AvailableSnapshot, PartStatus, Snapshot } from "../../../../contract/snapshot.js";
import type { ObservedWindow } from "../advanced.js";

/** False if every part of the dataset is off. True for a dataset without a snapshot, because its parts are unknown. */
export function isConfigured(snapshot: Snapshot<unknown>): boolean {
  return !snapshot.available || Object.values(snapshot.parts).some(isOn);
}

export function isOn({ state }: PartStatus): boolean {
  return state !== "off";
}

/**
 * Returns a failed window for a dataset without a snapshot; undefined if the dataset is absent and has no recorded
 * attempt.
 */
export function unavailableWindow({ attempt, state }: Extract<Snapshot<unknown>, { readonly available: false }>) {
  if (attempt === null && state === "absent") return undefined;
  return failedWindow(state === "unreadable" ? "provider_error" : "provider_unavailable");
}

export function failedWindow(reasonCode: ObservedWindow["reasonCode"]): ObservedWindow {
  return { state: "PROVIDER_COVERAGE_STATE_FAILED", reasonCode };
}

/**
 * Returns the window of a dataset whose parts are read whole. The window ends at the confirmation of the part that was
 * confirmed earliest, so nothing is missing before the end of the window. It has no start. The provider of filings sets
 * one, because its dataset covers only some days.
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
