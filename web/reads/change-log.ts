import { useEffect, useState } from "preact/hooks";
import type { DataOf, ParamsOf, StreamName } from "../../src/sdk/index.js";
import { followInstead } from "../live.js";

/** A change with its position in the log. */
export interface LogEntry<Change> {
  readonly position: number;
  readonly change: Change;
}

/** A log that a page follows. */
export interface ChangeLog<Change> {
  /** The newest entries, newest first. */
  readonly entries: readonly LogEntry<Change>[];
  /** True if the service no longer has the oldest changes of the log. */
  readonly isCut: boolean;
  /**
   * Number of bursts of events so far, including bursts that add no entry. 0 until the first burst is complete. Each
   * time the number grows, views repeat their reads of the data that the log is about.
   */
  readonly version: number;
}

/** Maximum number of kept entries; the log may have far more. */
const ENTRIES_MAX = 500;
/**
 * Events come in bursts. Events within this time are rendered together and trigger one read of the data that the log is
 * about.
 */
const BURST_MS = 400;

const EMPTY = { entries: [], isCut: false, version: 0 } as const;

/** Follows a log from its beginning while the component is mounted. Meanwhile, the page follows no other stream. */
export function useChangeLog<N extends StreamName>(name: N, params: ParamsOf<N>): ChangeLog<DataOf<N>> {
  const key = JSON.stringify([name, params]);
  const [log, setLog] = useState<ChangeLog<DataOf<N>>>(EMPTY);
  useEffect(() => {
    let waiting: LogEntry<DataOf<N>>[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    setLog(EMPTY);
    const flush = (): void => {
      const arrived = waiting.reverse();
      waiting = [];
      timer = undefined;
      setLog(({ entries, isCut, version }) => ({
        entries: [...arrived, ...entries].slice(0, ENTRIES_MAX),
        isCut,
        version: version + 1,
      }));
    };
    const release = followInstead({
      name,
      params,
      after: 0,
      onEvent(event) {
        if (event.type === "change") waiting.push({ position: event.position, change: event.change });
        timer ??= setTimeout(flush, BURST_MS);
      },
      onCut: () => setLog((last) => ({ ...last, isCut: true })),
    });
    return () => {
      release();
      clearTimeout(timer);
    };
  }, [key]);
  return log;
}
