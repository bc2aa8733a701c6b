import type { ClockPace, Steps } from "./loop-turns.js";

const NONE = -1;
/** Number of values between two reads of the clock: a few tens of microseconds of work. */
const VALUES_PER_LOOK = 128;

/**
 * Unmarks as few values as possible so that the values that stay marked are strictly ascending. A mark is a 1 at the
 * index of its value. If there are several longest sequences, the one with the lowest values stays marked.
 */
export function* leaveAscent(marks: Uint8Array, values: Int32Array, pace: ClockPace): Steps<void> {
  /** `ends[n]` is the index of the lowest value that ends an ascent of n + 1 values. */
  const ends: number[] = [];
  const previous = new Int32Array(values.length).fill(NONE);
  for (let index = 0; index < values.length; index += 1) {
    if (marks[index] === 1) {
      const length = endsBelow(values[index] as number, ends, values);
      previous[index] = ends[length - 1] ?? NONE;
      ends[length] = index;
      marks[index] = 0;
    }
    if (index % VALUES_PER_LOOK === 0 && pace.isOver) yield;
  }
  for (let index = ends.at(-1) ?? NONE; index !== NONE; index = previous[index] as number) marks[index] = 1;
}

/**
 * Returns the number of indexes in `ends` at which `values` has a value below `value`. The values at the indexes in
 * `ends` are ascending.
 */
function endsBelow(value: number, ends: readonly number[], values: Int32Array): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[ends[middle] as number] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
