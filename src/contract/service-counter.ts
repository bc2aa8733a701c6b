/** Events that a service counts for `/metrics`, distinguished by one label. */
export interface ServiceCounter {
  /** Name of the metric. */
  readonly name: string;
  readonly help: string;
  readonly label: string;
  /** The values of the label. Each of them is shown from the start of the process. */
  readonly values: readonly string[];
}

/** The counts of this process. */
export interface ServiceCounts {
  readonly counters: readonly ServiceCounter[];
  /** Adds 1 to the count of the value. Throws for a counter or a value that was not declared. */
  count(counter: ServiceCounter, value: string): void;
  countOf(counter: ServiceCounter, value: string): number;
}

export function serviceCounts(counters: readonly ServiceCounter[]): ServiceCounts {
  const counts = new Map(counters.map((counter) => [counter, new Map(counter.values.map((value) => [value, 0]))]));
  return {
    counters,
    count(counter, value) {
      const count = counts.get(counter)?.get(value);
      if (count === undefined)
        throw new Error(`no service declares ${counter.name} with the ${counter.label} ${value}`);
      counts.get(counter)?.set(value, count + 1);
    },
    countOf: (counter, value) => counts.get(counter)?.get(value) ?? 0,
  };
}
