import { instantText } from "../../format.js";

/** A labelled mark on the timeline; `at` is its position in percent of the width. */
export interface Tick {
  readonly at: number;
  readonly text: string;
}

const EDGE = 2;

/** The position of an instant between two other instants, in percent. The edges leave room for a whole mark. */
export function placeOf(time: string, from: string, to: string): number {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  if (!(end > start)) return 50;
  const share = (Date.parse(time) - start) / (end - start);
  return EDGE + (100 - 2 * EDGE) * Math.max(0, Math.min(1, share));
}

/** The start, middle and end of the timeline. */
export function ticksOf(from: string, to: string): readonly Tick[] {
  const middle = new Date((Date.parse(from) + Date.parse(to)) / 2).toISOString();
  return [from, middle, to].map((time) => ({ at: placeOf(time, from, to), text: instantText(time) }));
}
