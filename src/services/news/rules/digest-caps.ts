const [PER_FEED, PER_CATEGORY] = [5, 20];

/** Keeps the first five entries of a feed and counts the dropped ones. The entries must be sorted newest first. */
export function withinFeedCap<T>(newestFirst: readonly T[]): { readonly kept: readonly T[]; readonly dropped: number } {
  return cut(newestFirst, PER_FEED);
}

/** Keeps the first twenty items of a category and counts the dropped ones. */
export function withinCategoryCap<T>(inOrder: readonly T[]): { readonly kept: readonly T[]; readonly dropped: number } {
  return cut(inOrder, PER_CATEGORY);
}

function cut<T>(rows: readonly T[], most: number): { readonly kept: readonly T[]; readonly dropped: number } {
  return { kept: rows.slice(0, most), dropped: Math.max(0, rows.length - most) };
}
