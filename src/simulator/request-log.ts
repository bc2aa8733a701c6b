import type { Fault } from "./faults.js";

export interface LoggedRequest {
  /** Arrival time on the simulator's clock, epoch ms. */
  readonly at: number;
  readonly method: string;
  /** The address as the upstream would see it. */
  readonly url: string;
  /** Null if there is no answer: the request is still waiting, or its connection was dropped. */
  readonly status: number | null;
  readonly fault: Fault["kind"] | null;
}

export interface RequestHistory {
  /** Recent requests, oldest first. */
  list(): readonly LoggedRequest[];
  clear(): void;
}

export interface RequestLog extends RequestHistory {
  /** Records an arrival; the returned function records the status of the answer. */
  arrived(request: Omit<LoggedRequest, "status">): (status: number) => void;
}

/** Creates a log of the last `entriesMax` requests. */
export function requestLog(entriesMax = 1_000): RequestLog {
  let entries: LoggedRequest[] = [];
  return {
    list: () => [...entries],
    clear: () => {
      entries = [];
    },
    arrived(request) {
      const entry = { ...request, status: null as number | null };
      entries.push(entry);
      if (entries.length > entriesMax) entries.shift();
      return (status) => {
        entry.status = status;
      };
    },
  };
}
