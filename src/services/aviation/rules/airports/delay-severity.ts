/** Severities of the delays at an airport, from none to worst. */
export const severities = ["NORMAL", "MINOR", "MODERATE", "MAJOR", "SEVERE"] as const;
export type DelaySeverity = (typeof severities)[number];

/** The lowest value of each severity. */
export type Thresholds = readonly [minor: number, moderate: number, major: number, severe: number];

/** Average delay in minutes, and share of delayed flights in percent. */
const scheduleThresholds: Thresholds = [15, 30, 45, 60];
/** Share of cancelled flights in percent. */
const cancellationThresholds: Thresholds = [10, 20, 50, 80];
/** Minutes of delay that the FAA announces. */
const faaThresholds: Thresholds = [15, 30, 60, 90];

/** Returns the worse of two severities: by average delay, and by share of delayed flights. */
export function severityOfDelays(averageMinutes: number, delayedPercent: number): DelaySeverity {
  return worst(severityAt(averageMinutes, scheduleThresholds), severityAt(delayedPercent, scheduleThresholds));
}

export function severityOfCancellations(cancelledPercent: number): DelaySeverity {
  return severityAt(cancelledPercent, cancellationThresholds);
}

export function severityOfFaaMinutes(minutes: number): DelaySeverity {
  return severityAt(minutes, faaThresholds);
}

function severityAt(value: number, thresholds: Thresholds): DelaySeverity {
  return severities[thresholds.filter((least) => value >= least).length] ?? "SEVERE";
}

export function worst(...candidates: readonly DelaySeverity[]): DelaySeverity {
  return severities[Math.max(...candidates.map((severity) => severities.indexOf(severity)))] ?? "NORMAL";
}
