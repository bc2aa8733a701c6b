import type { Collection, Parts, RecordsOf } from "../../src/contract/dataset.js";
import { silentTally } from "../../src/contract/row-tally.js";
import { ClockPace, isSteps, type Steps } from "../../src/kit/loop-turns.js";

/** The result of steps that run without interruption. */
export function resultOf<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** The view of these records. */
export function viewOf<P extends Parts, View>(dataset: Collection<P, View>, records: RecordsOf<P>): View {
  const view = dataset.view(records, new ClockPace(), silentTally);
  // The cast is safe, because the steps of a dataset end with its own view.
  return isSteps(view) ? resultOf(view as Steps<View>) : view;
}

/** A pace whose time slice is over at every check, and a counter of the checks. */
export function restlessPace(): { readonly pace: ClockPace; readonly looks: () => number } {
  let looks = 0;
  const pace = new ClockPace(() => {
    looks += 1;
    return looks;
  });
  pace.startSlice(0);
  return { pace, looks: () => looks };
}
