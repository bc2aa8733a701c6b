import type { DatasetTimeline } from "../../../contract/dataset-log.js";
import { firstMemory, type WatchMemory } from "./watch-step.js";

/** Returns the memory of a watch that starts at the end of the log. */
export async function startAtEnd(
  timeline: Pick<DatasetTimeline, "extent" | "standingsAt">,
  datasets: readonly string[],
  now: number,
): Promise<WatchMemory> {
  const { newest } = await timeline.extent();
  return firstMemory(newest, now, await timeline.standingsAt(newest, datasets));
}
