import type { AirportDelayAlert } from "../../records/airport-records.js";
import type { FaaProgramme } from "../../sources/faa-status.js";
import type { AirportStatus } from "./airport-status.js";
import { type DelaySeverity, severityOfCancellations, severityOfFaaMinutes, worst } from "./delay-severity.js";
import { delayedPercent, judged } from "./departure-sample.js";

const REASON_CHARACTERS_MAX = 200;

export type DelayType = FaaProgramme["type"] | "CLOSURE" | "UNSPECIFIED";

/** An assessment of the delays at an airport, from one or several sources. */
export interface Judgement {
  readonly severity: DelaySeverity;
  readonly type: DelayType;
  readonly source: "FAA" | "AVIATIONSTACK" | "NOTAM";
  readonly reason?: string;
  readonly updatedAt: number;
}

/**
 * Assesses an airport by the worse of the FAA's announcement and the sampled departures. Without either, an airport is
 * normal if an FAA report covers it; otherwise, the result is undefined.
 */
export function flightJudgement({ faa, faaAt, sample }: AirportStatus): Judgement | undefined {
  const announced: Judgement | undefined = faa && {
    severity: severityOfFaaMinutes(faa.minutes),
    type: faa.type,
    source: "FAA",
    updatedAt: faa.updatedAt,
    ...(faa.reason !== "" && { reason: faa.reason }),
  };
  const shown: Judgement | undefined = sample && {
    ...judged(sample),
    source: "AVIATIONSTACK",
    updatedAt: sample.sampledAt ?? 0,
  };
  if (announced && shown) return worst(announced.severity, shown.severity) === announced.severity ? announced : shown;
  const silent: Judgement | undefined =
    faaAt === undefined ? undefined : { severity: "NORMAL", type: "UNSPECIFIED", source: "FAA", updatedAt: faaAt };
  return announced ?? shown ?? silent;
}

/**
 * Assesses an airport by its flight data and by a closure or restriction in force; undefined if there is none of these.
 * Without flight data, a closure is severe and a restriction major; with flight data, both are at least moderate.
 */
export function wholeJudgement(status: AirportStatus): Judgement | undefined {
  const flights = flightJudgement(status);
  const { closure, restriction, readAt = 0 } = status.notices ?? {};
  const notice = closure ?? restriction;
  if (!notice) return flights;
  const noticed = {
    source: "NOTAM" as const,
    ...(notice.text && { reason: notice.text }),
    updatedAt: Math.max(readAt, flights?.updatedAt ?? 0),
  };
  if (!flights) {
    return closure
      ? { ...noticed, severity: "SEVERE", type: "CLOSURE" }
      : { ...noticed, severity: "MAJOR", type: "GENERAL" };
  }
  const beside = flights.severity === "NORMAL" ? "GENERAL" : flights.type;
  return {
    ...noticed,
    severity: worst(flights.severity, cancellationSeverity(status), "MODERATE"),
    type: closure ? "CLOSURE" : beside,
  };
}

function cancellationSeverity({ sample }: AirportStatus): DelaySeverity {
  return sample ? severityOfCancellations((100 * sample.cancelledFlights) / sample.countedFlights) : "NORMAL";
}

const prefixes = { FAA: "faa", AVIATIONSTACK: "avstack", NOTAM: "notam" } as const;

/**
 * Builds the row of an airport. The row is UNKNOWN if there is neither flight data nor a closure or restriction, NORMAL
 * if delays and cancellations are below the lowest thresholds and no closure or restriction is in force, and otherwise
 * an alert.
 */
export function alertOf(status: AirportStatus): AirportDelayAlert {
  const { iata, icao, name, city, country, region, latitude, longitude } = status.airport;
  const place = { iata, icao, name, city, country, location: { latitude, longitude } };
  const whole = wholeJudgement(status);
  const about = { ...place, region: `AIRPORT_REGION_${region}` as const };
  if (!whole) {
    return {
      id: `unknown-${iata}`,
      ...about,
      delayType: "FLIGHT_DELAY_TYPE_UNSPECIFIED",
      severity: "FLIGHT_DELAY_SEVERITY_UNKNOWN",
      source: "FLIGHT_DELAY_SOURCE_UNSPECIFIED",
    };
  }
  const { severity, type, source, reason, updatedAt } = whole;
  const isNormal = severity === "NORMAL";
  return {
    id: `${isNormal ? "status" : prefixes[source]}-${iata}`,
    ...about,
    delayType: `FLIGHT_DELAY_TYPE_${isNormal ? "UNSPECIFIED" : type}`,
    severity: `FLIGHT_DELAY_SEVERITY_${severity}`,
    ...measures(status),
    ...(reason !== undefined && { reason: cut(reason) }),
    source: `FLIGHT_DELAY_SOURCE_${source}`,
    updatedAt,
  };
}

/**
 * Returns the served figures. Flights are counted from the sample only; minutes are from the source with the worse
 * assessment.
 */
function measures(status: AirportStatus): Partial<AirportDelayAlert> {
  const { sample } = status;
  const minutes = averageMinutes(status);
  const delayedFlightsPct = sample && delayedPercent(sample);
  return {
    ...(minutes !== undefined && { avgDelayMinutes: minutes }),
    ...(delayedFlightsPct !== undefined && { delayedFlightsPct }),
    ...(sample && {
      cancelledFlights: sample.cancelledFlights,
      totalFlights: sample.totalFlights,
    }),
  };
}

/**
 * Returns the delay minutes of the source with the worse assessment; undefined if that source gives none, or if they
 * are only assumed.
 */
export function averageMinutes(status: AirportStatus): number | undefined {
  const { sample, faa } = status;
  if (flightJudgement(status)?.source === "AVIATIONSTACK") return sample?.averageDelayMinutes;
  return faa?.isAssumed ? undefined : faa?.minutes;
}

export function cut(reason: string): string {
  return Array.from(reason).slice(0, REASON_CHARACTERS_MAX).join("").trimEnd();
}
