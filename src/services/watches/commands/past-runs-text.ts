import { counted } from "../../../kit/counted.js";
import { table } from "../../../kit/text-table.js";
import { shortKind } from "../firing-log.js";
import type { WatchFiring } from "../records.js";
import { firingText } from "../rules/firing/firing-text.js";

type TestedFiring = Omit<WatchFiring, "position" | "firingId" | "watchId">;

/** The combined outcome of one or more consecutive test runs over the past. */
export interface PastRuns {
  readonly from: string;
  readonly to: string;
  readonly evaluations: number;
  readonly firingCount: number;
  /** The firings that the service listed, which are the first ones of each run. `firingCount` counts all firings. */
  readonly firings: readonly TestedFiring[];
  readonly skippedGenerations: number;
}

/** Formats the firings as a table, followed by the totals. */
export function pastRunsText({ from, to, evaluations, firingCount, firings, skippedGenerations }: PastRuns): string {
  const rows = firings.map((firing) => [firing.firedAt, shortKind(firing.kind), firingText(firing)]);
  const hidden = firingCount - firings.length;
  return [
    ...(rows.length > 0 ? [table(["time", "kind", "text"], rows)] : []),
    ...(hidden > 0 ? [`and ${hidden} more, which the service counts but does not list`] : []),
    `${counted(firingCount, "firing")} in ${counted(evaluations, "evaluation")}, from ${from} to ${to}`,
    ...(skippedGenerations > 0
      ? [`${counted(skippedGenerations, "change")} could not be evaluated, because the content is no longer kept`]
      : []),
  ].join("\n");
}
