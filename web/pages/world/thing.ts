import type { RowChange } from "../../reads/row-changes.js";

export interface Place {
  readonly lat: number;
  readonly lon: number;
}

/** A fact on a thing: its name and its value with unit. */
export type Fact = readonly [name: string, value: string];

/** How large a thing is drawn, from small to large; `unknown` is drawn hollow. */
export type MarkSize = 0 | 1 | 2 | 3 | "unknown";

/** What a thing on the map says of itself. A layer makes it from a row. */
export interface ThingForm {
  /** Unique in its layer, and the same from one generation to the next. */
  readonly id: string;
  readonly title: string;
  /** Undefined for a thing without a position: it is in the list alone. */
  readonly place: Place | undefined;
  /** End of a flow from `place`. */
  readonly toPlace?: Place | undefined;
  /** Where it is, in words. */
  readonly where: string;
  /** Direction of movement, degrees clockwise from north. */
  readonly heading?: number | undefined;
  /** Countries by ISO 3166-1 alpha-2; empty if the row names none. */
  readonly countries: readonly string[];
  /** When it happened or was measured, epoch ms; undefined for a thing that has no time. */
  readonly at: number | undefined;
  /** Its end, epoch ms, if it lasted; infinite while it is under way. */
  readonly until?: number | undefined;
  readonly size: MarkSize;
  /** Its measure in words with unit, for the list. */
  readonly measure: string;
  /** Made when they are shown: a layer may hold ten thousand things. */
  readonly facts: () => readonly Fact[];
  readonly source: string;
  readonly sourceUrl?: string | undefined;
}

export type Change = RowChange | "new since";

/** A thing of a layer, with its row and with what has become of it since the instant shown. */
export interface Thing extends ThingForm {
  /** Unique on the map. */
  readonly key: string;
  readonly layer: string;
  readonly row: object;
  readonly change?: Change | undefined;
}

const HOUR_MS = 3_600_000;

/** The windows of time, up to the instant shown. */
export const WINDOWS = [
  { id: "24h", name: "24 hours", lengthMs: 24 * HOUR_MS },
  { id: "7d", name: "7 days", lengthMs: 7 * 24 * HOUR_MS },
  { id: "30d", name: "30 days", lengthMs: 30 * 24 * HOUR_MS },
  { id: "all", name: "All that is held", lengthMs: Number.POSITIVE_INFINITY },
] as const;

/** Whether a thing falls in the window that ends at `end`. One without a time always does, and the future does not end it. */
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

/** A name of a contract's enum in words, as in `ground stop` for `FLIGHT_DELAY_TYPE_GROUND_STOP`. */
export function wordsOf(name: string, prefix: string): string {
  return name.replace(prefix, "").replaceAll("_", " ").toLowerCase();
}

/** The size of a number by the limits from which things are larger. */
export function sizeBy(value: number, [one, two, three]: readonly [number, number, number]): MarkSize {
  if (value >= three) return 3;
  if (value >= two) return 2;
  return value >= one ? 1 : 0;
}
