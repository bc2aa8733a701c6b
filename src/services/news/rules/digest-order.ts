import type { DigestItem } from "../digest-records.js";

type Ordered = Pick<DigestItem, "importanceScore" | "publishedAt" | "link" | "feed">;

/**
 * Compares items: most important first, then newest first, then by link and feed. Link and feed make the order the
 * same in every build.
 */
export function byImportance(a: Ordered, b: Ordered): number {
  return (
    b.importanceScore - a.importanceScore ||
    b.publishedAt - a.publishedAt ||
    compareText(a.link, b.link) ||
    compareText(a.feed, b.feed)
  );
}

/** Compares by code units, so that the order does not depend on the machine's locale. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Keeps the most important item of each story and counts the others. The others corroborate the kept item and are
 * listed in its explanation.
 */
export function oncePerStory<T extends Ordered & Pick<DigestItem, "storyId">>(
  items: readonly T[],
): { readonly kept: readonly T[]; readonly folded: number } {
  const kept = new Map<string, T>();
  for (const item of [...items].sort(byImportance)) if (!kept.has(item.storyId)) kept.set(item.storyId, item);
  return { kept: [...kept.values()], folded: items.length - kept.size };
}
