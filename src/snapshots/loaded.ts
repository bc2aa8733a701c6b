import type { Trouble } from "../contract/dataset.js";
import type { AnyDataset } from "../contract/product.js";
import { type CountingTally, countingTally } from "../contract/row-tally.js";
import { type ClockPace, isSteps, type Steps } from "../kit/loop-turns.js";
import type { PartRecords } from "./bodies/body.js";
import type { Generation } from "./generation.js";
import { lackingIn } from "./lacking.js";
import { openedParts, recordsOf } from "./opened.js";
import { type NewestByPart, newestByPart } from "./part-ages.js";

/** A generation in memory. */
export interface Loaded {
  readonly generation: Generation;
  readonly view: unknown;
  /** The reason why the generation is stored but not served; undefined if it is served. */
  readonly pending: string | undefined;
  /** The reason why the generation is served as partial; undefined if no data is missing. */
  readonly lacking: string | undefined;
  readonly newest: NewestByPart;
  /**
   * Counts of the stored records that were left out or joined, and of the rows that were added, while the view was
   * built.
   */
  readonly tally: Pick<CountingTally, "leftOutRows" | "joinedRows" | "madeRows">;
  /** The requests that are failing. */
  readonly troubles: readonly Trouble[];
  /** The stored records, which other generations can share. Undefined if the view does not hold the stored records. */
  readonly records: PartRecords | undefined;
}

/** Copies only the counts of a tally. The tally itself would also keep its counting functions in memory. */
function countsOf({ leftOutRows, joinedRows, madeRows }: CountingTally): Loaded["tally"] {
  return { leftOutRows, joinedRows, madeRows };
}

/** Loads a generation from its stored records. */
export function* loadSteps(
  dataset: AnyDataset,
  generation: Generation,
  stored: PartRecords,
  pace: ClockPace,
): Steps<Loaded> {
  const opened = openedParts(dataset, stored);
  const records = recordsOf(opened);
  const pending = dataset.kind === "collection" ? dataset.pending?.(records) : undefined;
  const lacking = dataset.lacking?.(records) ?? lackingIn(opened);
  const newest = yield* newestByPart(dataset, records, pace);
  const tally = countingTally();
  const built = dataset.view(records, pace, tally);
  const view = isSteps(built) ? yield* built : built;
  const troubles = dataset.kind === "collection" ? (dataset.troubles?.(view) ?? []) : [];
  const held = dataset.viewHoldsRecords ? stored : undefined;
  return { generation, view, pending, lacking, newest, tally: countsOf(tally), troubles, records: held };
}
