/** The values that already occurred earlier in the list, in order. */
export function repeatedIn(values: readonly string[]): readonly string[] {
  const earlier = new Set<string>();
  return values.filter((value) => {
    const isRepeated = earlier.has(value);
    earlier.add(value);
    return isRepeated;
  });
}
