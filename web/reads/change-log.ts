import { useEffect, useState } from "preact/hooks";
import {
  type DataOf,
  ForbiddenError,
  GoneError,
  type ParamsOf,
  type StreamName,
  UnauthorizedError,
} from "../../src/sdk/index.js";
import { vigil } from "../client.js";

/** A change with its place in the log. */
export interface LogEntry<Change> {
  readonly position: number;
  readonly change: Change;
}

/** What a page knows of a log that it follows. */
export interface ChangeLog<Change> {
  /** The newest entries, newest first. */
  readonly entries: readonly LogEntry<Change>[];
  readonly kind: "connecting" | "live" | "lost" | "off";
  /** Why the log is not followed any more. */
  readonly failure?: unknown;
  /** True if the log did not reach back to its beginning. */
  readonly isCut: boolean;
  /** Counts what has come, also news without an entry: whoever shows what the log is about reads it again. */
  readonly version: number;
}

/** Entries that are kept; the log may have far more. */
const ENTRIES_MAX = 500;
/** Events come in bursts, of which each is one rendering, and one more reading of what they are about. */
const BURST_MS = 400;
const RECONNECT_MS = 5_000;

/** Follows a log from its beginning, as long as the component is there. */
export function useChangeLog<N extends StreamName>(name: N, params: ParamsOf<N>): ChangeLog<DataOf<N>> {
  const key = JSON.stringify([name, params]);
  const [log, setLog] = useState<ChangeLog<DataOf<N>>>(EMPTY);
  useEffect(() => {
    const stop = new AbortController();
    setLog(EMPTY);
    void follow(name, params, stop.signal, setLog);
    return () => stop.abort();
  }, [key]);
  return log;
}

const EMPTY = { entries: [], kind: "connecting", isCut: false, version: 0 } as const;

type Update<Change> = (change: (last: ChangeLog<Change>) => ChangeLog<Change>) => void;

async function follow<N extends StreamName>(
  name: N,
  params: ParamsOf<N>,
  signal: AbortSignal,
  update: Update<DataOf<N>>,
): Promise<void> {
  let waiting: LogEntry<DataOf<N>>[] = [];
  let isFlushDue = false;
  let position: number | undefined = 0;
  const flush = (): void => {
    const arrived = waiting.reverse();
    waiting = [];
    isFlushDue = false;
    if (signal.aborted) return;
    update((last) => ({
      entries: [...arrived, ...last.entries].slice(0, ENTRIES_MAX),
      kind: "live",
      isCut: last.isCut,
      version: last.version + 1,
    }));
  };
  const lost = (): void => update((last) => ({ ...last, kind: "lost" }));
  while (!signal.aborted) {
    const options = { signal, onReconnect: lost, ...(position !== undefined && { lastEventId: position }) };
    try {
      for await (const event of vigil.stream(name, params, options)) {
        position = event.position;
        if (event.type === "change") waiting.push({ position, change: event.change });
        if (!isFlushDue) setTimeout(flush, BURST_MS);
        isFlushDue = true;
      }
    } catch (failure) {
      if (signal.aborted) return;
      if (failure instanceof GoneError && position !== undefined) {
        // The log no longer has its beginning: follow what comes.
        position = undefined;
        update((last) => ({ ...last, isCut: true }));
        continue;
      }
      if (failure instanceof UnauthorizedError || failure instanceof ForbiddenError) {
        update((last) => ({ ...last, kind: "off", failure }));
        return;
      }
      update((last) => ({ ...last, kind: "lost", failure }));
    }
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
  }
}
