/** Returns the items group by group, in the order of each group's first item. */
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
