import { distanceKm } from "../../../geography/distance.js";
import { SECOND_MS } from "../../../kit/clock.js";
import type { StoredEarthquake } from "../records.js";

const APART_MS = 60 * SECOND_MS;
const APART_KM = 10;
const APART_MAGNITUDE = 0.1;
/** Tolerance, because differences of published decimals, such as 4.6 - 4.5, are not exact in floating point. */
const ROUNDING = 1e-9;

/** True if two reports are of the same event: they are at most 60 seconds, 10 km and 0.1 magnitude apart. */
function isSameEvent(a: StoredEarthquake, b: StoredEarthquake): boolean {
  return (
    Math.abs(a.occurredAt - b.occurredAt) <= APART_MS &&
    Math.abs(a.magnitude - b.magnitude) <= APART_MAGNITUDE + ROUNDING &&
    a.location !== undefined &&
    b.location !== undefined &&
    distanceKm(a.location, b.location) <= APART_KM
  );
}

/**
 * Drops the `further` reports that repeat a `leading` report. A further report is a repeat if it matches exactly one
 * leading report, and if no other further report matches the same leading report.
 */
export function withoutRepeats(
  leading: readonly StoredEarthquake[],
  further: readonly StoredEarthquake[],
): readonly StoredEarthquake[] {
  return further.filter((report) => {
    const matches = leading.filter((leader) => isSameEvent(leader, report));
    const [match] = matches;
    if (!match || matches.length > 1) return true;
    return further.some((other) => other !== report && isSameEvent(match, other));
  });
}
