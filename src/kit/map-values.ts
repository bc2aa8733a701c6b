/** Returns an object with the same keys and the mapped values. */
export function mapValues<Key extends string, T, U>(
  values: Readonly<Record<Key, T>>,
  map: (value: T, key: Key) => U,
): Record<Key, U> {
  const entries = Object.entries(values) as [Key, T][];
  // The cast is needed, because the result type of Object.fromEntries lacks the keys.
  return Object.fromEntries(entries.map(([key, value]) => [key, map(value, key)])) as Record<Key, U>;
}
