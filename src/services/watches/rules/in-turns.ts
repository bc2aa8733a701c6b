/**
 * Reorders items so that their groups take turns: the first item of each group, then the second item of each group, and
 * so on.
 */
export function inTurns<T>(items: readonly T[], groupOf: (item: T) => string): readonly T[] {
  const seen = new Map<string, number>();
  const rounds: T[][] = [];
  for (const item of items) {
    const group = groupOf(item);
    const round = seen.get(group) ?? 0;
    seen.set(group, round + 1);
    const members = rounds[round] ?? [];
    rounds[round] = members;
    members.push(item);
  }
  return rounds.flat();
}
