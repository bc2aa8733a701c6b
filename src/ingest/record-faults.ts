import type { AnySource } from "../contract/source.js";
import { instantRange, type ValueRange, valueRanges } from "../contract/value-ranges.js";
import { DAY_MS } from "../kit/clock.js";

/**
 * Default limit on how far an observation may be in the future. It is a day, because a date without a time counts as
 * midnight UTC, and in the easternmost time zone a date begins 14 hours earlier than in UTC.
 */
const AHEAD_MS = DAY_MS;

/** The members of a source that determine whether a record is sound. */
export type Dated = Pick<AnySource, "observedAt" | "aheadMs" | "ranges">;

/** Maximum depth to which a record is checked. Real records are shallower. */
const DEPTH_MAX = 8;

/**
 * Returns the first fault of a record: a number that is not finite or is outside the range of its field, or an
 * observation time that is outside the years -2100 to 2100 or further in the future than the source allows. Undefined
 * for a sound record.
 */
export function recordFault(source: Dated, record: unknown, now: number): string | undefined {
  const observedAt = source.observedAt(record);
  if (observedAt !== undefined) {
    const [min, max] = instantRange;
    if (!(observedAt >= min && observedAt <= max))
      return `its observation is dated to ${observedAt}, outside the years -2100 to 2100`;
    const ahead = observedAt - now - (source.aheadMs ?? AHEAD_MS);
    if (ahead > 0) return `its observation is dated in the future: ${new Date(observedAt).toISOString()}`;
  }
  return numberFault(record, { name: "the record", depth: DEPTH_MAX, ranges: source.ranges ?? {} });
}

interface Place {
  readonly name: string;
  /** Number of levels still to check. */
  readonly depth: number;
  /** The source's own ranges. */
  readonly ranges: Readonly<Record<string, ValueRange>>;
}

function numberFault(value: unknown, place: Place): string | undefined {
  const { name, depth, ranges } = place;
  if (typeof value === "number") {
    const range = valueRanges[name] ?? ranges[name];
    if (!Number.isFinite(value)) return `${name} is ${value}`;
    if (range && (value < range[0] || value > range[1]))
      return `${name} is ${value}, outside ${range[0]} to ${range[1]}`;
    return undefined;
  }
  if (typeof value !== "object" || value === null || depth === 0) return undefined;
  if (Array.isArray(value)) {
    for (const item of value) {
      const fault = numberFault(item, { name, depth: depth - 1, ranges });
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  for (const key in value) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    const fault = numberFault(member, { name: key, depth: depth - 1, ranges });
    if (fault !== undefined) return fault;
  }
  return undefined;
}
