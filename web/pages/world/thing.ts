import type { RowChange } from "../../reads/row-changes.js";

export interface Place {
  readonly lat: number;
  readonly lon: number;
}

/** A fact about a thing: the name of the fact, and its value with unit. */
export type Fact = readonly [name: string, value: string];

/** The size of a mark, from small to large; `unknown` is drawn hollow. */
export type MarkSize = 0 | 1 | 2 | 3 | "unknown";

/** The description of a thing on the map. A layer makes it from a row. */
export interface ThingForm {
  /** Unique in its layer, and stable across generations. */
  readonly id: string;
  readonly title: string;
  /** Undefined for a thing without a position; it appears only in the list. */
  readonly place: Place | undefined;
  /** End of a flow from `place`. */
  readonly toPlace?: Place | undefined;
  /** The place in words. */
  readonly where: string;
  /** Direction of movement, degrees clockwise from north. */
  readonly heading?: number | undefined;
  /** Countries by ISO 3166-1 alpha-2; empty if the row names none. */
  readonly countries: readonly string[];
  /** Time of the event or measurement, epoch ms; undefined for a thing without a time. */
  readonly at: number | undefined;
  /** End of an event that lasted, epoch ms; infinite while it is under way. */
  readonly until?: number | undefined;
  readonly size: MarkSize;
  /** The measure in words with unit, for the list. */
  readonly measure: string;
  /** Computed only when the thing is shown, because a layer may hold ten thousand things. */
  readonly facts: () => readonly Fact[];
  readonly source: string;
  readonly sourceUrl?: string | undefined;
}

export type Change = RowChange | "new since";

/** A thing of a layer, with its row and its change since the instant shown. */
export interface Thing extends ThingForm {
  /** Unique on the map. */
  readonly key: string;
  readonly layer: string;
  readonly row: object;
  readonly change?: Change | undefined;
}

const HOUR_MS = 3_600_000;

/** The time windows, which end at the instant shown. */
export const WINDOWS = [
  { id: "24h", name: "24 hours", lengthMs: 24 * HOUR_MS },
  { id: "7d", name: "7 days", lengthMs: 7 * 24 * HOUR_MS },
  { id: "30d", name: "30 days", lengthMs: 30 * 24 * HOUR_MS },
  { id: "all", name: "All available", lengthMs: Number.POSITIVE_INFINITY },
] as const;

/**
 * True if a thing overlaps the window that ends at `end`, or lies after that window. A thing without a time is in every
 * window.
 */
export function isInWindow(
  { at, until = at }: Pick<ThingForm, "at" | "until">,
  end: number,
  lengthMs: number,
): boolean {
  return until === undefined || until >= end - lengthMs;
}

/** A position in degrees, as in `48.400° N, 31.200° E`. */
export function placeText({ lat, lon }: Place): string {
  return `${Math.abs(lat).toFixed(3)}° ${lat < 0 ? "S" : "N"}, ${Math.abs(lon).toFixed(3)}° ${lon < 0 ? "W" : "E"}`;
}

/** An enum name of the contract in words, as in `ground stop` for `FLIGHT_DELAY_TYPE_GROUND_STOP`. */
export function wordsOf(name: string, prefix: string): string {
  return name.replace(prefix, "").replaceAll("_", " ").toLowerCase();
}

/** The mark size for a number; each limit is the lower bound of the next size. */
export function sizeBy(value: number, [limit1, limit2, limit3]: readonly [number, number, number]): MarkSize {
  if (value >= limit3) return 3;
  if (value >= limit2) return 2;
  return value >= limit1 ? 1 : 0;
}
