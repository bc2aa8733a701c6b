import { MINUTE_MS, SECOND_MS } from "../../../kit/clock.js";
import { aviationstack, type SchedulePlan } from "../sources/aviationstack.js";

/** Settings shared by all reads of the schedule. */
const schedule = {
  source: aviationstack,
  timeLimitMs: 9 * SECOND_MS,
  errorTtlMs: 30 * SECOND_MS,
};

/** Settings for reading a page of an airport's flights. All operations that read such pages share these settings. */
export const airportPage = {
  ...schedule,
  name: "airport page",
  ttlMs: 15 * MINUTE_MS,
  missTtlMs: 5 * MINUTE_MS,
  staleWhileErrorMs: 30 * MINUTE_MS,
};

export const oneFlight = {
  ...schedule,
  name: "one flight",
  ttlMs: 2 * MINUTE_MS,
  missTtlMs: 2 * MINUTE_MS,
  staleWhileErrorMs: 10 * MINUTE_MS,
};

export function pageOf(airport: string, direction: "departure" | "arrival"): SchedulePlan {
  return { airport, direction };
}
