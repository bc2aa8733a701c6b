/** The items with those of each group together, groups in the order of their first items. */
export function together<T>(items: readonly T[], groupOf: (item: T) => unknown): readonly T[] {
  const groups = new Map<unknown, T[]>();
  for (const item of items) {
    const group = groupOf(item);
    const members = groups.get(group) ?? [];
    groups.set(group, members);
    members.push(item);
  }
  return [...groups.values()].flat();
}
