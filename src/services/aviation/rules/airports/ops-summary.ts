import type { AirportOpsSummary } from "../../records/airport-records.js";
import type { AirportStatus } from "./airport-status.js";
import { averageMinutes, cut, flightJudgement } from "./delay-alert.js";
import { type DelaySeverity, worst } from "./delay-severity.js";
import { cancelledPercent, delayedPercent } from "./departure-sample.js";

/** Summarizes the operations of a monitored airport. Unknown figures are left out. */
export function summaryOf(status: AirportStatus): AirportOpsSummary {
  const { airport, faa, faaAt, sample, notices } = status;
  const minutes = averageMinutes(status);
  const delayPct = sample && delayedPercent(sample);
  const flights = flightJudgement(status);
  const severity = severityOf(status, flights?.severity);
  const sources = [
    (faa ?? faaAt) && "faa",
    sample && "aviationstack",
    (notices?.closure ?? notices?.restriction) && "notam",
  ];
  const times = [faa?.updatedAt ?? faaAt, sample?.sampledAt, notices?.readAt].filter((at) => at !== undefined);
  const isClosed = faa?.isClosure === true || notices?.closure !== undefined;
  const isAnswered = faaAt !== undefined || notices?.hasUnread === false;
  return {
    iata: airport.iata,
    icao: airport.icao,
    name: airport.name,
    timezone: airport.timeZone,
    ...(minutes !== undefined && { avgDelayMinutes: minutes }),
    ...(delayPct !== undefined && { delayPct }),
    ...(sample && {
      cancellationRate: cancelledPercent(sample),
      totalFlights: sample.totalFlights,
    }),
    ...((isClosed || isAnswered) && { closureStatus: isClosed }),
    notamFlags: [
      ...(notices?.closure ? ["CLOSED"] : []),
      ...(notices?.restriction ? ["RESTRICTED"] : []),
      ...(notices?.hasOthers || notices?.hasUnread ? ["NOTAM"] : []),
    ],
    severity: `FLIGHT_DELAY_SEVERITY_${severity ?? "UNKNOWN"}`,
    topDelayReasons: [faa?.reason, notices?.closure?.text, notices?.restriction?.text].flatMap((reason) =>
      reason ? [cut(reason)] : [],
    ),
    source: sources.filter(Boolean).join("+") || "unknown",
    ...(severity !== undefined && times.length > 0 && { updatedAt: Math.max(...times) }),
  };
}

/**
 * Returns the worst of the severity by flights and the severities of the NOTAMs. A closure is moderate if flights were
 * sampled, and severe if none were. A restriction is minor. Undefined if there is no flight data, no closure and no
 * restriction.
 */
function severityOf({ notices, sample }: AirportStatus, flights: DelaySeverity | undefined): DelaySeverity | undefined {
  const ofNotices: DelaySeverity[] = [
    ...(notices?.closure ? [sample ? ("MODERATE" as const) : ("SEVERE" as const)] : []),
    ...(notices?.restriction ? ["MINOR" as const] : []),
  ];
  const all = [...(flights === undefined ? [] : [flights]), ...ofNotices];
  return all.length === 0 ? undefined : worst(...all);
}

/** Returns the row of an airport that is not monitored. */
export function unknownSummary(iata: string): AirportOpsSummary {
  return {
    iata,
    notamFlags: [],
    severity: "FLIGHT_DELAY_SEVERITY_UNKNOWN",
    topDelayReasons: [],
    source: "unknown",
  };
}
