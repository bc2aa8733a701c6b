import { systemClock } from "../../../src/kit/clock.js";
import { send } from "./calls.js";
import type { ChaosNode } from "./nodes.js";
import { count, noteWrong, type Report } from "./report.js";

/** A log of the service. Callers follow the log with a cursor. */
interface FollowedLog {
  readonly path: string;
  readonly member: string;
  /** The path that returns the first cursor as `pollCursor`; undefined for a log that is read from its beginning. */
  readonly start: string | undefined;
}

export const datasetChanges: FollowedLog = {
  path: "/api/datasets/v1/list-dataset-changes",
  member: "changes",
  start: "/api/datasets/v1/list-dataset-states",
};
export const watchFirings: FollowedLog = {
  path: "/api/watches/v1/list-watch-firings",
  member: "firings",
  start: undefined,
};

export interface PollerParts {
  readonly next: () => ChaosNode | undefined;
  readonly report: Report;
  readonly isOver: () => boolean;
  readonly pauseMs: number;
}

/** The text of each log entry by position, as its first follower received it. */
export type SeenLog = Map<number, string>;

interface Page {
  readonly nextCursor: string;
  readonly pollState: string;
}

/**
 * Follows a log until the run ends. Checks that positions have no gap and that every follower gets the same entries.
 */
export async function keepPolling(parts: PollerParts, key: string, log: FollowedLog, seen: SeenLog): Promise<void> {
  const { report, next } = parts;
  let cursor = "";
  let position: number | undefined;
  while (!parts.isOver()) {
    const node = next();
    const target = cursor === "" && log.start !== undefined ? log.start : targetOf(log, cursor);
    const reply = node && (await send(node, target, { "x-service-key": key }));
    if (reply?.status === 200) {
      const page: Page & Readonly<Record<string, readonly { readonly position: number }[]>> = JSON.parse(reply.body);
      if (target === log.start) cursor = String(page["pollCursor"]);
      else {
        const entries = page[log.member] ?? [];
        count(report, "polls");
        if (page.pollState.endsWith("SNAPSHOT_REQUIRED")) noteWrong(report, `${log.path}: the log lost ${cursor}`);
        for (const entry of entries) {
          if (position !== undefined && entry.position !== position + 1)
            noteWrong(report, `${log.path}: position ${entry.position} follows ${position}`);
          position = entry.position;
          const text = JSON.stringify(entry);
          if ((seen.get(position) ?? text) !== text)
            noteWrong(report, `${log.path}: position ${position} was ${seen.get(position)}, is ${text}`);
          seen.set(position, text);
        }
        cursor = page.nextCursor === "" ? cursor : page.nextCursor;
      }
    } else if (reply?.status !== undefined && reply.status !== 503) {
      noteWrong(report, `${target}: ${reply.status} ${reply.body}`);
    }
    await systemClock.sleep(parts.pauseMs);
  }
}

function targetOf({ path }: FollowedLog, cursor: string): string {
  return cursor === "" ? path : `${path}?cursor=${encodeURIComponent(cursor)}`;
}
