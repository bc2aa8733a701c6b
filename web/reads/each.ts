import { useEffect, useRef, useState } from "preact/hooks";
import type { DataOf, ParamsOf } from "../../src/sdk/index.js";
import type { ReadName } from "../../src/sdk/methods.js";
import { vigil } from "../client.js";
import { pathOf } from "../parts/call-forms.js";
import { everyVisible } from "../visible.js";
import { dueKeys, type KeptReads, keptReads } from "./kept-reads.js";

/** Maximum number of reads per batch. */
const BATCH_MAX = 20;
/** Maximum number of repeated reads per interval, so that a long list does not use up the account's limits. */
const REPEATED_MAX = 60;

/**
 * Makes one read for each key, such as the coverage of each company in a list, and sends the reads in batches. With
 * `everyMs`, repeats reads at this interval: first those that have not succeeded yet, then the oldest. After a failed
 * read, a key keeps its earlier entry, if there is one.
 */
export function useEach<N extends ReadName>(
  name: N,
  calls: readonly (readonly [key: string, params: ParamsOf<N>])[],
  everyMs?: number,
): KeptReads<DataOf<N>> {
  const [reads, setReads] = useState<KeptReads<DataOf<N>>>(new Map());
  const latest = useRef(reads);
  latest.current = reads;
  const keys = calls.map(([key]) => key).join("\n");
  useEffect(() => {
    const stop = new AbortController();
    const paramsByKey = new Map(calls);
    const wantedKeys = new Set(paramsByKey.keys());
    const read = async (due: readonly string[]): Promise<void> => {
      for (let at = 0; at < due.length; at += BATCH_MAX) {
        const batch = due.slice(at, at + BATCH_MAX);
        const operations = batch.map((key) => ({ path: pathOf({ name, params: { ...paramsByKey.get(key) } }) }));
        const { data } = await vigil.batch.execute({ operations }, { signal: stop.signal });
        const entries = data.results.flatMap(({ status, body }, place): (readonly [string, DataOf<N>])[] => {
          const key = batch[place];
          return status === 200 && key !== undefined ? [[key, body as DataOf<N>]] : [];
        });
        setReads((last) => keptReads(last, entries, wantedKeys));
      }
    };
    const begin = (due: readonly string[]): void => {
      read(due).catch((error: unknown) => {
        if (!stop.signal.aborted) console.warn(`the batches of ${name} ended:`, error);
      });
    };
    begin([...wantedKeys].filter((key) => !latest.current.has(key)));
    const turn = (): void => begin(dueKeys(latest.current, wantedKeys, REPEATED_MAX));
    const stopTurns = everyMs === undefined ? undefined : everyVisible(everyMs, turn);
    return () => {
      stop.abort();
      stopTurns?.();
    };
  }, [name, keys, everyMs]);
  return reads;
}
