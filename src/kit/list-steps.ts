import type { ClockPace, Steps } from "./loop-turns.js";

/** Number of items between two reads of the clock: a few tens of microseconds of typical list work. */
const ITEMS_PER_LOOK = 128;

/** Visits every item in order, in slices. A visit must take only microseconds. */
export function* visitSteps<T>(items: Iterable<T>, pace: ClockPace, visit: (item: T) => void): Steps<void> {
  let visited = 0;
  for (const item of items) {
    visit(item);
    visited += 1;
    if (visited % ITEMS_PER_LOOK === 0 && pace.isOver) yield;
  }
}

type Compare<T> = (a: T, b: T) => number;

/** Number of items sorted without a pause, which takes about a tenth of a millisecond. */
const PIECE_ITEMS = 256;

/**
 * Sorts the items stably, in slices. Sorted stretches are only scanned: a list stored in order costs one comparison per
 * item, and two concatenated sorted lists cost one merge.
 */
export function* sortedSteps<T>(items: readonly T[], compare: Compare<T>, pace: ClockPace): Steps<readonly T[]> {
  let runs = yield* runSteps([...items], compare, pace);
  while (runs.ends.length > 1) runs = yield* mergeSteps(runs, compare, pace);
  return runs.items;
}

/** Items in sorted runs. Each run extends from the end of the previous run to its own end. */
interface Runs<T> {
  readonly items: T[];
  readonly ends: readonly number[];
}

/** Finds sorted runs, and sorts pieces where the runs are short. */
function* runSteps<T>(items: T[], compare: Compare<T>, pace: ClockPace): Steps<Runs<T>> {
  const ends: number[] = [];
  for (let from = 0; from < items.length; from = ends.at(-1) ?? items.length) {
    let to = from + 1;
    while (to < items.length && compare(items[to - 1] as T, items[to] as T) <= 0) {
      to += 1;
      if (to % ITEMS_PER_LOOK === 0 && pace.isOver) yield;
    }
    if (to - from < PIECE_ITEMS) {
      const piece = items.slice(from, from + PIECE_ITEMS).sort(compare);
      for (const [index, item] of piece.entries()) items[from + index] = item;
      to = from + piece.length;
    }
    ends.push(to);
    if (pace.isOver) yield;
  }
  return { items, ends };
}

/** Merges neighbouring runs in pairs. */
function* mergeSteps<T>({ items, ends }: Runs<T>, compare: Compare<T>, pace: ClockPace): Steps<Runs<T>> {
  const merged: T[] = [];
  const mergedEnds: number[] = [];
  for (let run = 0; run < ends.length; run += 2) {
    const middle = ends[run] ?? items.length;
    const end = ends[run + 1] ?? middle;
    let [left, right] = [merged.length, middle];
    while (left < middle || right < end) {
      const isLeft = right >= end || (left < middle && compare(items[left] as T, items[right] as T) <= 0);
      merged.push(items[isLeft ? left++ : right++] as T);
      if (merged.length % ITEMS_PER_LOOK === 0 && pace.isOver) yield;
    }
    mergedEnds.push(end);
  }
  return { items: merged, ends: mergedEnds };
}
