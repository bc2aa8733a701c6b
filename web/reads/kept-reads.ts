/** Reads by key, oldest first. */
export type KeptReads<Data> = ReadonlyMap<string, Data>;

/** Replaces older reads with newer ones. Reads that are no longer wanted are dropped. */
export function keptReads<Data>(
  last: KeptReads<Data>,
  newer: readonly (readonly [key: string, data: Data])[],
  keys: ReadonlySet<string>,
): KeptReads<Data> {
  const replaced = new Set(newer.map(([key]) => key));
  return new Map([...last].filter(([key]) => keys.has(key) && !replaced.has(key)).concat(newer as [string, Data][]));
}

/** The keys to read next, up to a maximum: first those that were never read, then those with the oldest reads. */
export function dueKeys(kept: KeptReads<unknown>, keys: ReadonlySet<string>, max: number): readonly string[] {
  const missing = [...keys].filter((key) => !kept.has(key));
  const old = [...kept.keys()].filter((key) => keys.has(key));
  return [...missing, ...old].slice(0, max);
}
