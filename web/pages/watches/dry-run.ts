import { useRef, useState } from "preact/hooks";
import type { WatchRequest } from "../../../src/sdk/index.js";
import { vigil } from "../../client.js";
import { begunAt, type DryRun, joined } from "./run-parts.js";

export interface DryRunState {
  readonly run: DryRun | undefined;
  readonly isRunning: boolean;
  readonly failure: unknown;
  readonly start: (definition: WatchRequest, from: string) => Promise<void>;
  /** Continues a truncated run. */
  readonly goOn: () => Promise<void>;
}

/** Number of calls after which the user decides whether to continue. The service allows ten calls per minute. */
const CALLS_MAX = 5;

/** Runs a definition over the past, one call after another. */
export function useDryRun(): DryRunState {
  const [run, setRun] = useState<DryRun>();
  const [failure, setFailure] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const request = useRef<WatchRequest>(undefined);

  async function proceed(begun: DryRun): Promise<void> {
    const { current: definition } = request;
    if (definition === undefined) return;
    setRunning(true);
    setFailure(undefined);
    let last = begun;
    try {
      for (let calls = 0; calls < CALLS_MAX; calls += 1) {
        const { continuation } = last;
        const begin = continuation === undefined ? { from: last.from } : { continuation };
        const { data } = await vigil.watches.testWatch({ definition, ...begin });
        last = joined(last, data);
        setRun(last);
        if (last.continuation === undefined) return;
      }
    } catch (error) {
      setFailure(error);
    } finally {
      setRunning(false);
    }
  }

  return {
    run,
    isRunning,
    failure,
    start: (definition, from) => {
      request.current = definition;
      setRun(undefined);
      return proceed(begunAt(from, new Date(Date.now()).toISOString()));
    },
    goOn: () => (run?.continuation === undefined ? Promise.resolve() : proceed(run)),
  };
}
