import { useEffect, useRef, useState } from "preact/hooks";
import type { DataOf, ParamsOf } from "../../src/sdk/index.js";
import type { ReadName } from "../../src/sdk/methods.js";
import { vigil } from "../client.js";
import { pathOf } from "../parts/call-forms.js";

/** Reads of one batch, and of one component together: batches are limited, and so is patience. */
const BATCH_MAX = 20;
const READS_MAX = 60;

/**
 * Makes one read for each key, in batches, such as the coverage of each company of a list. A read that was made is made
 * again under another key, and at the interval. One that fails has no entry.
 */
export function useEach<N extends ReadName>(
  name: N,
  wanted: readonly (readonly [key: string, params: ParamsOf<N>])[],
  everyMs?: number,
): ReadonlyMap<string, DataOf<N>> {
  const [found, setFound] = useState<ReadonlyMap<string, DataOf<N>>>(new Map());
  const latest = useRef(found);
  latest.current = found;
  const reads = wanted.slice(0, READS_MAX);
  const keys = reads.map(([key]) => key).join("\n");
  useEffect(() => {
    const stop = new AbortController();
    const read = async (isAll: boolean): Promise<void> => {
      const missing = reads.filter(([key]) => isAll || !latest.current.has(key));
      for (let at = 0; at < missing.length; at += BATCH_MAX) {
        const batch = missing.slice(at, at + BATCH_MAX);
        const operations = batch.map(([, params]) => ({ path: pathOf({ name, params: { ...params } }) }));
        const { data } = await vigil.batch.execute({ operations }, { signal: stop.signal });
        const entries = data.results.flatMap(({ status, body }, place): (readonly [string, DataOf<N>])[] => {
          const key = batch[place]?.[0];
          return status === 200 && key !== undefined ? [[key, body as DataOf<N>]] : [];
        });
        setFound((last) => new Map([...last, ...entries]));
      }
    };
    const begin = (isAll: boolean): void => {
      read(isAll).catch((error: unknown) => {
        if (!stop.signal.aborted) console.warn(`the batches of ${name} ended:`, error);
      });
    };
    begin(false);
    const timer = everyMs === undefined ? undefined : setInterval(() => begin(true), everyMs);
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [name, keys, everyMs]);
  return found;
}
