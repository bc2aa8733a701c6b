/** Returns each value that equals an earlier value of the list, in the order of the list. */
export function repeatedIn(values: readonly string[]): readonly string[] {
  const earlier = new Set<string>();
  return values.filter((value) => {
    const isRepeated = earlier.has(value);
    earlier.add(value);
    return isRepeated;
  });
}
