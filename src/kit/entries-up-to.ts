/**
 * Options for an LRU cache of at most this many entries, which takes memory as it fills. The option `max` would reserve
 * the memory of all entries up front. For 10,000 entries, this takes milliseconds, which add up at the start of a node.
 */
export function entriesUpTo(entriesMax: number): { readonly maxSize: number; readonly sizeCalculation: () => number } {
  return { maxSize: entriesMax, sizeCalculation: () => 1 };
}
