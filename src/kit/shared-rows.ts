import { type KeyedRows, Matching, ROWS_PER_LOOK } from "./list-matching.js";
import type { ClockPace, Steps } from "./loop-turns.js";
import { sameJsonText } from "./same-json.js";

/**
 * Returns the rows of a parsed list. If `others` has an equal row with the same key, that row replaces the parsed one.
 * The lists then share these rows in memory, and a comparison finds them by identity.
 */
export function* sharedRowSteps(
  rows: readonly unknown[],
  others: readonly unknown[],
  keyOf: (row: unknown) => string,
  pace: ClockPace,
): Steps<readonly unknown[]> {
  const keyed = (list: readonly unknown[]): KeyedRows => ({
    rows: list,
    keyAt: (index) => keyOf(list[index]),
    isKeyOfRow: true,
  });
  const matching = new Matching(keyed(others), keyed(rows), sameJsonText);
  while (matching.nextRows()) if (pace.isOver) yield;
  yield* matching.outOfStepSteps(pace);
  const { olderOf, isKept } = matching;
  const shared = [...rows];
  for (let index = 0; index < shared.length; index += 1) {
    if (isKept[index] === 1) shared[index] = others[olderOf[index] as number];
    if (index % ROWS_PER_LOOK === 0 && pace.isOver) yield;
  }
  return shared;
}
