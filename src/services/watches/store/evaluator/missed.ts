import type { DatasetLogEntry, DatasetTimeline } from "../../../../contract/dataset-log.js";
import { continueAfterGap, type LogPosition, readsTheSame, skipTo } from "../../rules/watch-step.js";
import type { OpenWatch, Stretch } from "./advance.js";

/**
 * Maximum number of changes that a watch evaluates one by one when it catches up. If there are more, it jumps to the
 * newest change.
 */
export const ENTRIES_PLAYED_MAX = 100;
/** Number of entries counted per read. */
const ENTRIES_AT_ONCE = 1_000;

interface Times {
  /** The log is complete up to this time, epoch ms. */
  readonly until: number;
  readonly now: number;
}

/** Finds the changes that a watch has missed, with the memory from which it continues. */
export async function missedBy(watch: OpenWatch, timeline: DatasetTimeline, times: Times): Promise<Stretch> {
  const { row, memory, question } = watch;
  const { until, now } = times;
  const from = Math.max(row.evaluated_position, (row.behind_from ?? 0) - 1);
  const { oldest, newest } = await timeline.extent();
  const placeAt = async (position: number, at: number): Promise<LogPosition> => ({
    position,
    at,
    standings: await timeline.standingsAt(position, question.datasets),
  });
  if (from + 1 < oldest) {
    const continued = continueAfterGap(memory, await placeAt(newest, now));
    return { memory: continued.memory, firings: [continued.notice], entries: [], until, catchesUp: true };
  }
  if (!readsTheSame(memory, question.datasets)) {
    // The watch was last evaluated by a version of the service that read other datasets for the call of the watch.
    const moved = skipTo(memory, await placeAt(newest, now), 0);
    return { memory: moved, firings: [], entries: [], until, catchesUp: true };
  }
  const entries = await timeline.after(from, ENTRIES_PLAYED_MAX + 1, question.datasets);
  if (entries.length <= ENTRIES_PLAYED_MAX) return { memory, firings: [], entries, until, catchesUp: true };
  const { last, count } = await countAfter(timeline, from, question.datasets, entries);
  const jumped = skipTo(memory, await placeAt(last.position, last.at), count - 1);
  return { memory: jumped, firings: [], entries: [], until, catchesUp: true };
}

/**
 * Returns the last entry above a position, and the number of entries above that position. `first` contains the first of
 * these entries, which the caller has already read.
 */
async function countAfter(
  timeline: DatasetTimeline,
  position: number,
  datasets: readonly string[],
  first: readonly DatasetLogEntry[],
): Promise<{ readonly last: DatasetLogEntry; readonly count: number }> {
  let last = first.at(-1);
  let count = first.length;
  for (let page = first; page.length > 0; ) {
    page = await timeline.after(last?.position ?? position, ENTRIES_AT_ONCE, datasets);
    last = page.at(-1) ?? last;
    count += page.length;
  }
  if (!last) throw new Error("the log has no entry to jump to");
  return { last, count };
}
