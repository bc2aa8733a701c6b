import { type DelaySeverity, severityOfCancellations, severityOfDelays } from "./delay-severity.js";

/** The delay data of one scheduled flight. */
export interface Departure {
  readonly outcome: "flown" | "cancelled" | "open";
  /** Minutes late; 0 if the flight was on time or early, undefined if the schedule gives no delay. */
  readonly delayMinutes: number | undefined;
}

/** Delay and cancellation figures of an airport, from one page of today's departures. */
export interface DepartureSample {
  readonly totalFlights: number;
  /** The denominator of shares: flights with a known outcome if there are at least ten, else all flights. */
  readonly countedFlights: number;
  readonly cancelledFlights: number;
  /** Absent if the schedule gives no delay for any flight. */
  readonly delayedFlights?: number;
  /** Average over the delayed flights; whole minutes, 0 if none is delayed. Absent if `delayedFlights` is absent. */
  readonly averageDelayMinutes?: number;
}

const COUNTED_MIN = 10;

/** Builds a sample from the departures of a page. */
export function sampleOf(departures: readonly Departure[]): DepartureSample {
  const resolved = departures.filter(({ outcome }) => outcome !== "open");
  const counted = resolved.length >= COUNTED_MIN ? resolved : departures;
  const delays = counted.flatMap(({ outcome, delayMinutes }) => (outcome === "cancelled" ? [] : (delayMinutes ?? [])));
  const delayed = delays.filter((minutes) => minutes > 0);
  const minutes = delayed.reduce((sum, each) => sum + each, 0);
  return {
    totalFlights: departures.length,
    countedFlights: counted.length,
    cancelledFlights: counted.filter(({ outcome }) => outcome === "cancelled").length,
    ...(delays.length > 0 && {
      delayedFlights: delayed.length,
      averageDelayMinutes: delayed.length === 0 ? 0 : Math.round(minutes / delayed.length),
    }),
  };
}

/** Returns the delayed flights in percent of the counted flights, one decimal; undefined if no delay is known. */
export function delayedPercent({ delayedFlights, countedFlights }: DepartureSample): number | undefined {
  return delayedFlights === undefined ? undefined : percentOf(delayedFlights, countedFlights);
}

/** Returns the cancelled flights in percent of the counted flights, one decimal. */
export function cancelledPercent({ cancelledFlights, countedFlights }: DepartureSample): number {
  return percentOf(cancelledFlights, countedFlights);
}

function percentOf(count: number, total: number): number {
  return total === 0 ? 0 : Math.round((count / total) * 1_000) / 10;
}

/** Kinds of delay that a sample can show. */
export type SampleDelayType = "CLOSURE" | "GROUND_STOP" | "GROUND_DELAY" | "GENERAL";

/** The delay type for cancellations of each severity. */
const typeOfCancellations: Readonly<Record<Exclude<DelaySeverity, "NORMAL">, SampleDelayType>> = {
  SEVERE: "CLOSURE",
  MAJOR: "GROUND_STOP",
  MODERATE: "GROUND_DELAY",
  MINOR: "GENERAL",
};

const GROUND_DELAY_MINUTES = 60;

/** Assesses a sample by its cancellations if it has enough flights and cancellations, otherwise by its delays. */
export function judged(sample: DepartureSample): { readonly severity: DelaySeverity; readonly type: SampleDelayType } {
  const exact = (100 * sample.cancelledFlights) / sample.countedFlights;
  const byCancellations = sample.countedFlights >= COUNTED_MIN ? severityOfCancellations(exact) : "NORMAL";
  if (byCancellations !== "NORMAL") return { severity: byCancellations, type: typeOfCancellations[byCancellations] };
  const { averageDelayMinutes: average = 0, delayedFlights = 0, countedFlights } = sample;
  return {
    severity: severityOfDelays(average, countedFlights === 0 ? 0 : (100 * delayedFlights) / countedFlights),
    type: average >= GROUND_DELAY_MINUTES ? "GROUND_DELAY" : "GENERAL",
  };
}
