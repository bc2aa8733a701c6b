import type { DigestItem } from "../digest-records.js";

type Ordered = Pick<DigestItem, "importanceScore" | "publishedAt" | "link" | "feed">;

/** The more important first, then the newer; what is still equal stands by link and feed, the same in every build. */
export function byImportance(one: Ordered, other: Ordered): number {
  return (
    other.importanceScore - one.importanceScore ||
    other.publishedAt - one.publishedAt ||
    compareText(one.link, other.link) ||
    compareText(one.feed, other.feed)
  );
}

/** By code units: the order must not depend on the language of the machine. */
function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/**
 * One item for each story, the first in order, and how many others it stands for: they still corroborate it, and its
 * explanation lists them.
 */
export function oncePerStory<T extends Ordered & Pick<DigestItem, "storyId">>(
  items: readonly T[],
): { readonly kept: readonly T[]; readonly folded: number } {
  const kept = new Map<string, T>();
  for (const item of [...items].sort(byImportance)) if (!kept.has(item.storyId)) kept.set(item.storyId, item);
  return { kept: [...kept.values()], folded: items.length - kept.size };
}
